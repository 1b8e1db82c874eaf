import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from './mcp.fixture.ts';
import { StdioTransport } from './stdio-transport.ts';

/** A server, and its end. */
function transport(command: readonly string[]): { server: StdioTransport; closed: Promise<void> } {
  const server = new StdioTransport({ command, env: {}, cwd: process.cwd() });
  onTestFinished(() => server.close());
  return { server, closed: new Promise((resolve) => (server.onclose = resolve)) };
}

test('what a server printed last is heard before its end, however long its messages take', async () => {
  const notice = { jsonrpc: '2.0', method: 'notifications/progress', params: { message: 'x'.repeat(100) } };
  const { server, closed } = transport([
    process.execPath,
    '-e',
    `const notice = ${JSON.stringify(notice)};
     const lines = Array.from({ length: 500 }, (_, step) => JSON.stringify({ ...notice, params: { ...notice.params, step } }));
     console.log(lines.join('\\n'));`,
  ]);
  const steps: unknown[] = [];
  server.onmessage = (message) => {
    steps.push('params' in message ? message.params?.['step'] : undefined);
    for (const until = performance.now() + 0.5; performance.now() < until;);
  };

  await server.start();
  await closed;

  expect(steps).toEqual(Array.from({ length: 500 }, (_, step) => step));
});

test.runIf(process.platform === 'linux').each([
  ['ends by itself', async () => {}, ''],
  ['is closed', (server: StdioTransport) => server.close(), 'sleep 600'],
])('a daemon that left the group of its server ends with it when it %s (needs Linux)', async (_title, end, last) => {
  const file = join(tempFolder(), 'pid');
  const { server, closed } = transport([
    'sh',
    '-c',
    `setsid sh -c 'echo $$ > ${file}.new; mv ${file}.new ${file}; sleep 600' > /dev/null 2>&1 &
     while [ ! -e ${file} ]; do sleep 0.02; done; ${last}`,
  ]);
  await server.start();
  await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
  const daemon = Number(readFileSync(file, 'utf8'));

  await end(server);
  await closed;

  await expect.poll(() => isRunning(daemon), { timeout: 20_000 }).toBe(false);
});
