import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { choosePort } from './choose-port.ts';

async function takenPort(): Promise<number> {
  const server = await new Promise<Server>((resolve) => {
    const opened = createServer().listen(0, '127.0.0.1', () => resolve(opened));
  });
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

test('the first wanted port that is free is taken', async () => {
  const free = await choosePort([]);

  expect(await choosePort([0, await takenPort(), free])).toBe(free);
});

test('a new port is none that a system gives to outgoing connections, and needs no rights', async () => {
  for (let draw = 0; draw < 50; draw++) {
    const port = await choosePort([await takenPort()]);
    expect(port).toBeGreaterThan(1023);
    expect(port).toBeLessThan(32_768);
  }
});
