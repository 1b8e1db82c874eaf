import type { z } from 'zod';
import { DragomanError } from '../dragoman-error.ts';
import { type HubSend, unreachable } from '../hub/hub-request.ts';
import type { ApiCall } from './api-call.ts';
import type { ApiRoute } from './api-route.ts';

type Routes = Readonly<Record<string, ApiRoute>>;
type Calls = Readonly<Record<string, ApiCall>>;

/** Calls that answer with a stream have methods of their own, `follow…`; those of runners are made by a `HubLink`. */
export type MethodName<AllRoutes> = {
  [Name in keyof AllRoutes & string]: AllRoutes[Name] extends { answers: 'events' }
    ? never
    : Name extends `runner${string}`
      ? never
      : Name;
}[keyof AllRoutes & string];

type Output<Call, Key extends string> =
  Call extends Record<Key, infer Schema extends z.ZodType> ? z.output<Schema> : unknown;
type Input<Call, Key extends string> =
  Call extends Record<Key, infer Schema extends z.ZodType> ? z.input<Schema> : unknown;
type Flat<Type> = { [Key in keyof Type]: Type[Key] };

/** What a call takes: what stands in the path, in the query and in the body, as one object. */
export type CallInput<Call> = Flat<Output<Call, 'params'> & Output<Call, 'query'> & Input<Call, 'body'>>;

/** What a call gives. */
export type CallAnswer<Route, Call> = Route extends { answers: 'bytes' } ? HubFile : Output<Call, 'answer'>;

/** A file as the server sends it. */
export interface HubFile {
  bytes: Uint8Array<ArrayBuffer>;
  mediaType: string;
  /** The name the server suggests to save it under. */
  name: string | undefined;
}

/** What every call may be told beside its input. */
export interface HubCallOptions {
  signal?: AbortSignal | undefined;
}

/** One method per call, under its name. */
export type CallMethods<AllRoutes extends Routes, AllCalls extends Calls> = {
  [Name in MethodName<AllRoutes> & keyof AllCalls]: (
    ...given: {} extends CallInput<AllCalls[Name]>
      ? [input?: CallInput<AllCalls[Name]>, options?: HubCallOptions]
      : [input: CallInput<AllCalls[Name]>, options?: HubCallOptions]
  ) => Promise<CallAnswer<AllRoutes[Name], AllCalls[Name]>>;
};

/** The methods of all calls of a table. `usualMs` is the time limit of each that has none of its own. */
export function callMethods<AllRoutes extends Routes, AllCalls extends Calls>(
  routes: AllRoutes,
  { send, signal: everEnding, usualMs }: { send: HubSend; signal: AbortSignal | undefined; usualMs: number },
): CallMethods<AllRoutes, AllCalls> {
  const methodOf =
    (name: string, route: ApiRoute) =>
    async (input: Readonly<Record<string, unknown>> = {}, { signal }: HubCallOptions = {}) => {
      const callMs = Math.max(usualMs, route.slowMs ?? 0);
      const ending = new AbortController();
      const leave = () => ending.abort(new DragomanError('cancelled', `The call ${name} was cancelled.`));
      const late = `The server did not answer ${name} within ${callMs} ms.`;
      const timer = setTimeout(() => ending.abort(new DragomanError('timed-out', late, { isRetryable: true })), callMs);
      const either = joined(everEnding, signal);
      either?.addEventListener('abort', leave);
      if (either?.aborted === true) leave();
      try {
        const answer = await send(pathOf(route, input), initOf(route, input), ending.signal);
        return route.answers === 'bytes' ? await readFile(answer) : await readJson(answer, name);
      } catch (error) {
        if (ending.signal.aborted) throw ending.signal.reason;
        throw error instanceof DragomanError ? error : unreachable('', error);
      } finally {
        clearTimeout(timer);
        either?.removeEventListener('abort', leave);
      }
    };
  const named = Object.entries<ApiRoute>(routes).filter(
    ([name, route]) => route.answers !== 'events' && !name.startsWith('runner'),
  );
  return Object.fromEntries(named.map(([name, route]) => [name, methodOf(name, route)])) as unknown as CallMethods<
    AllRoutes,
    AllCalls
  >;
}

/** The path with what it names filled in; where a call has no body, everything else is the query. */
export function pathOf(route: ApiRoute, input: Readonly<Record<string, unknown>>): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    const given = input[name];
    const value = typeof given === 'string' ? given : '';
    // These two would name another place.
    if (value === '' || value === '.' || value === '..')
      throw new DragomanError('bad-request', `${name} is ${JSON.stringify(value)}; ${route.path} needs one.`);
    return encodeURIComponent(value);
  });
  if (hasBody(route)) return path;
  const query = new URLSearchParams();
  for (const [name, value] of restOf(route, input)) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function initOf(route: ApiRoute, input: Readonly<Record<string, unknown>>): RequestInit {
  if (!hasBody(route)) return { method: route.method };
  const body = JSON.stringify(Object.fromEntries(restOf(route, input)));
  return { method: route.method, headers: { 'content-type': 'application/json' }, body };
}

function hasBody({ method }: ApiRoute): boolean {
  return method === 'POST' || method === 'PATCH';
}

function restOf({ path }: ApiRoute, input: Readonly<Record<string, unknown>>): [string, unknown][] {
  const named = new Set(path.match(/:\w+/g));
  return Object.entries(input).filter(([name, value]) => value !== undefined && !named.has(`:${name}`));
}

async function readJson(answer: Response, name: string): Promise<unknown> {
  const text = await answer.text();
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new DragomanError('unavailable', `The call ${name} was not answered with JSON; is the address right?`);
  }
}

async function readFile(answer: Response): Promise<HubFile> {
  return {
    bytes: new Uint8Array(await answer.arrayBuffer()),
    mediaType: answer.headers.get('content-type') ?? 'application/octet-stream',
    name: /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1],
  };
}

/** A signal that ends with either. */
export function joined(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}
