import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createHubClient, type HubClient } from '@dragoman/protocol';
import { runDragoman, type RunningDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';

/** A window of an editor, which is there until it is closed. */
async function holdLease({ url, token }: RunningDragoman): Promise<() => void> {
  // Not fetch, which closes an answer that nobody holds on to.
  const lease = request(`${url}/api/lease`, { headers: { authorization: `Bearer ${token}` } }).end();
  onTestFinished(() => void lease.destroy());
  const [answer] = (await once(lease, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.on('error', () => {}).resume(); // It is cut off on purpose.
  return () => lease.destroy();
}

test('a server that nobody ever needed ends by itself, as if it had been told to', async () => {
  const server = await serveDragoman(['--exit-when-idle', '1']);

  expect(await server.finished).toMatchObject({ exitCode: 0, stderr: '' });
  expect(existsSync(join(server.home, 'server.lock'))).toBe(false);
});

test('a server ends when its last lease is closed, and not before', async () => {
  const server = await serveDragoman(['--exit-when-idle', '1']);
  const close = await Promise.all([holdLease(server), holdLease(server)]);

  // Another one with the same patience comes to its end meanwhile, and once more when one window is closed.
  await (
    await serveDragoman(['--exit-when-idle', '1'])
  ).finished;
  close[0]();
  await (
    await serveDragoman(['--exit-when-idle', '1'])
  ).finished;
  expect((await fetch(`${server.url}/health`)).status).toBe(200);

  close[1]();
  expect(await server.finished).toMatchObject({ exitCode: 0 });
});

test('a server without --exit-when-idle takes leases too, and stays', async () => {
  const server = await serveDragoman();
  (await holdLease(server))();
  await (
    await serveDragoman(['--exit-when-idle', '1'])
  ).finished;

  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

test.each(['idleness', 'SIGTERM'])(
  'a turn that runs when a server ends by %s goes on; dragoman stop ends it with its processes, and it is known to be',
  async (reason) => {
    const home = tempFolder();
    const agents = { slow: { backend: 'text', command: ['sh', '-c', 'echo I am $$; exec sleep 600'] } };
    writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ agents }));
    const first = await serveDragoman(['--exit-when-idle', '1'], { home });
    const close = await holdLease(first);
    const owner = createHubClient({ url: first.url, token: first.token });
    const { id } = await owner.createSession({ agent: 'slow', folder: tempFolder(), prompt: { text: 'Begin.' } });
    const log = async (client: HubClient) => JSON.stringify(await client.readLog({ sessionId: id }));
    await expect.poll(() => log(owner), { timeout: 60_000 }).toMatch(/I am \d+/);
    const pid = Number(/I am (\d+)/.exec(await log(owner))![1]);

    if (reason === 'idleness') close();
    else first.process.kill('SIGTERM');
    expect(await first.finished).toMatchObject({ exitCode: 0 });
    expect(process.kill(pid, 0)).toBe(true);

    expect(await runDragoman(['stop'], { home })).toMatchObject({
      exitCode: 0,
      stdout: 'Stopped the agents that an earlier server left at work.\n',
    });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const second = await serveDragoman([], { home });
    const again = createHubClient({ url: second.url, token: second.token });
    await expect
      .poll(() => log(again), { timeout: 60_000 })
      .toMatch(/"type":"turn-finished","turnId":"\w+","reason":"interrupted"/);
  },
);

test('a server outlives whoever started it and read its log', async () => {
  const server = await serveDragoman();
  server.process.stdout!.destroy();
  server.process.stderr!.destroy();

  // Each of these is a line of the log that nobody reads.
  for (let calls = 0; calls < 3; calls++) expect((await fetch(`${server.url}/api/me`)).status).toBe(401);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

test.each(['0', '-1', 'soon', '1.5', '86401'])('--exit-when-idle=%s is refused', async (given) => {
  const { exitCode, stderr } = await runDragoman(['serve', `--exit-when-idle=${given}`]);

  expect(`${exitCode} ${stderr.trim()}`).toBe(
    `2 dragoman: --exit-when-idle: expected seconds from 1 to 86400, found "${given}"`,
  );
});
