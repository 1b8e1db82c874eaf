import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { choosePort } from './choose-port.ts';

async function take(): Promise<{ server: Server; port: number }> {
  const server = await new Promise<Server>((resolve) => {
    const opened = createServer().listen(0, '127.0.0.1', () => resolve(opened));
  });
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as { port: number }).port };
}

test('a kept port is taken again where it is free', async () => {
  const { port: taken } = await take();
  const free = await choosePort({ kept: 0 });

  expect(await choosePort({ kept: free })).toBe(free);
  expect(await choosePort({ kept: taken })).not.toBe(taken);
});

test('a port that a killed server still holds is waited for', async () => {
  const { server, port } = await take();

  const chosen = choosePort({ before: port, kept: port });
  expect(await choosePort({ kept: port })).not.toBe(port);
  server.close();

  expect(await chosen).toBe(port);
});

test('a new port is none that a system gives to outgoing connections, and needs no rights', async () => {
  for (let draw = 0; draw < 50; draw++) {
    const port = await choosePort({ kept: 0 });
    expect(port).toBeGreaterThan(1023);
    expect(port).toBeLessThan(32_768);
  }
});
