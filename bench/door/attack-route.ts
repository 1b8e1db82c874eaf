import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { AttackedServer } from './attacked-server.ts';
import type { BodyLimits, HostileBody } from './body-parts.ts';
import { plainBodies, shapedBodies } from './hostile-bodies.ts';
import type { ToldRoute } from './tell-routes.ts';

/** How a route took it. */
export interface RouteResult {
  route: ToldRoute;
  stallMs: number;
  /** The longest turn of the main thread, in CPU time. */
  busyMs: number;
  /** Who sent what when it stalled the longest. */
  body: string;
  beforeMb: number;
  /** Once the server had a moment to give back what it took. */
  afterMb: number;
  /** What was answered with a failure of the server. */
  failures: string[];
}

const ROLES = ['nobody', 'viewer', 'member', 'admin'] as const;
const MIB = 1024 * 1024;
/** As the door has them. */
const LIMITS: Record<'public' | 'api' | 'upload', BodyLimits> = {
  public: { bytes: 1024, values: 400, fields: 400, names: 400 },
  api: { bytes: 10 * MIB, values: 50_000, fields: 20_000, names: 20_000 },
  upload: { bytes: 20 * MIB, values: 310_000, fields: 100_000, names: 20_000 },
};
/** What is told to who may not call, or calls the same under another address. */
const BRIEF = ['brackets without end', 'many {}, packed', 'one long text'];
/** They end the token that is used here, or last as long as the client likes. */
const LEFT_OUT = ['/api/logout', '/api/lease'];
/** A machine that does other things as well is slow at times: of so many attempts the quickest counts. */
const ATTEMPTS = 3;
const SUSPECT_MS = 200;
const GIVE_BACK_MS = 12_000;
/** What reading a body at its end may take, such as an index that is built; the next body does not wait for it. */
const ANSWER_MS = 20_000;

export async function attackRoute(
  server: AttackedServer,
  route: ToldRoute,
  { isBrief }: { isBrief: boolean },
): Promise<RouteResult> {
  // What is read is the large session; what is said goes to the other one.
  const isReading = route.method === 'GET' || route.url.endsWith('/fork');
  const path = route.url
    .replace(':sessionId', isReading ? server.largeSessionId : server.sessionId)
    .replace(':runnerId', server.runnerId)
    .replace(/:channel$/, 'telegram')
    .replace(/:\w+|\*/g, 'x');
  const result: RouteResult = {
    route,
    stallMs: 0,
    busyMs: 0,
    body: '-',
    beforeMb: server.rssMb(),
    afterMb: 0,
    failures: [],
  };
  const takesBody = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(route.method) && !LEFT_OUT.includes(route.url);
  const isSkipped = route.method === 'DELETE' && route.url === '/api/sessions/:sessionId';
  if (isSkipped || (!takesBody && LEFT_OUT.includes(route.url))) return { ...result, afterMb: result.beforeMb };
  let isComplete = isBrief;
  for (const role of ROLES) {
    const bodies = takesBody ? bodiesOf(route, path, server.sessionId) : QUERIES;
    // The first role that may call sends everything; for those above it the same code runs.
    const isAllowed = route.access === 'public' || ROLES.indexOf(role) >= ROLES.indexOf(route.access as 'viewer');
    const sent = isAllowed && !isComplete ? bodies : bodies.filter(({ name }) => BRIEF.includes(name) || !takesBody);
    isComplete ||= isAllowed;
    for (const body of sent) await attack(server, { route, path, role, body }, result);
  }
  result.afterMb = await settledMb(server, result.beforeMb);
  return result;
}

const QUERIES: HostileBody[] = [
  ['a long query', `?q=${'%41'.repeat(2_000)}&limit=1&path=${'a/'.repeat(2_000)}`],
  ['no query', ''],
  ['as many as there are', '?limit=5000'],
  ['as long ago as there are', '?days=366'],
  ['a common word', '?q=words&limit=100'],
  ['as JSON', '?format=json'],
].map(([name, query]) => ({ name: name!, query: query!, make: () => Buffer.alloc(0) }));

function bodiesOf(route: ToldRoute, path: string, sessionId: string): HostileBody[] {
  const kind = route.access === 'public' ? 'public' : route.body;
  const limits = {
    ...LIMITS[kind],
    ...(kind === 'public' && route.bodyLimit !== undefined && { bytes: route.bodyLimit }),
  };
  return [...plainBodies(limits), ...(kind === 'public' ? [] : shapedBodies(path, limits, sessionId))];
}

interface Attack {
  route: ToldRoute;
  path: string;
  role: (typeof ROLES)[number];
  body: HostileBody;
}

async function attack(server: AttackedServer, { route, path, role, body }: Attack, result: RouteResult): Promise<void> {
  const isGoingOn = route.url.endsWith('/runner/:runnerId/events') && role === 'member';
  let bytes = isGoingOn ? undefined : body.make(1);
  let [stallMs, busyMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (isGoingOn) bytes = body.make((await server.acked()) + 1);
    await server.longestStall();
    server.longestTurn();
    const status = await send(server, { method: route.method, path, role, body, bytes: bytes! });
    stallMs = Math.min(stallMs, await server.longestStall());
    busyMs = Math.min(busyMs, server.longestTurn());
    if (status === 500) result.failures.push(`500 for ${role}: ${body.name}`);
    if (stallMs <= SUSPECT_MS) break;
  }
  result.busyMs = Math.max(result.busyMs, busyMs);
  if (stallMs <= result.stallMs) return;
  Object.assign(result, { stallMs, body: `${role}: ${body.name}` });
}

function send(
  server: AttackedServer,
  {
    method,
    path,
    role,
    body,
    bytes,
  }: { method: string; path: string; role: Attack['role']; body: HostileBody; bytes: Buffer },
): Promise<number> {
  const token = server.tokens[role];
  return new Promise((resolve) => {
    const sent = request(
      server.url + path + (body.query ?? ''),
      {
        method,
        agent: false,
        headers: {
          ...(bytes.length > 0 && { 'content-type': 'application/json', 'content-length': bytes.length }),
          ...(body.isPacked === true && { 'content-encoding': 'gzip' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
      },
      (response) => {
        const isEndless = String(response.headers['content-type']).startsWith('text/event-stream');
        if (isEndless) sent.destroy();
        response.resume().once('close', () => resolve(response.statusCode!));
      },
    );
    // Who is refused before the body has arrived whole is cut off.
    sent.once('error', () => resolve(0));
    sent.setTimeout(ANSWER_MS, () => sent.destroy());
    sent.end(bytes);
  });
}

async function settledMb(server: AttackedServer, beforeMb: number): Promise<number> {
  const until = performance.now() + GIVE_BACK_MS;
  while (server.rssMb() > beforeMb + 40 && performance.now() < until) await pause(100);
  return server.rssMb();
}
