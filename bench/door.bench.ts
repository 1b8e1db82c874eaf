import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { attackRoute, type RouteResult } from './door/attack-route.ts';
import { openAttackedServer } from './door/attacked-server.ts';

/** What `/health` may wait while somebody sends the worst they may. */
const STALL_MS = 250;

/**
 * Every route of a real server, asked by every role with the largest, deepest, longest, most numerous and most mistaken
 * bodies that it takes, while a thread asks for `/health` all the time. `--only TEXT` for routes with that in their
 * address.
 */
export async function run(options: readonly string[] = []): Promise<void> {
  const only = options[options.indexOf('--only') + 1];
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  mkdirSync(join(folder, 'server'));
  const server = await openAttackedServer(folder);
  const results: RouteResult[] = [];
  try {
    const isWanted = (url: string) => !options.includes('--only') || url.includes(only ?? '');
    console.log(
      `${'longest stall'.padStart(13)}  CPU in it   memory: before, after   route, and the body that stalled it the longest`,
    );
    const seen = new Set<string>();
    for (const route of server.routes.filter(({ url }) => isWanted(url))) {
      // The same handlers stand under several addresses: the others get a few bodies only.
      const known = `${route.method} ${route.url.replace(/^\/gateway|^\/v1/g, '').replace(/^\/v1/, '')}`;
      const result = await attackRoute(server, route, { isBrief: seen.has(known) });
      seen.add(known);
      results.push(result);
      tell(result);
    }
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const worst = results.toSorted((one, other) => other.stallMs - one.stallMs)[0];
  const broken = results.filter((result) => isBroken(result));
  console.log(`\n${results.length} routes; longest stall ${worst?.stallMs.toFixed(0) ?? 0} ms, limit ${STALL_MS} ms`);
  console.log(`load of the machine in the last minute: ${loadavg()[0]!.toFixed(1)}`);
  if (broken.length > 0) process.exitCode = 1;
}

function tell(result: RouteResult): void {
  const { route, stallMs, busyMs, body, beforeMb, afterMb, failures } = result;
  console.log(
    [
      `${stallMs.toFixed(0).padStart(10)} ms`,
      `${busyMs.toFixed(0).padStart(9)} ms`,
      `${beforeMb.toFixed(0).padStart(12)}, ${afterMb.toFixed(0).padStart(4)} MB `,
      `    ${route.method} ${route.url} (${body})${isBroken(result) ? '  missed' : ''}`,
      ...failures.map((failure) => `\n${' '.repeat(37)}${failure}`),
    ].join(''),
  );
}

function isBroken({ stallMs, failures }: RouteResult): boolean {
  return stallMs > STALL_MS || failures.length > 0;
}
