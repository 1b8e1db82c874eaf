import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../temp-folder.ts';
import { forwardToSocket } from './forward-to-socket.ts';

test('what listens on a socket file answers behind a port, and the port is free again when it is closed', async () => {
  const path = join(tempFolder(), 'a.sock');
  const server = createServer((_request, response) => response.end('through'));
  server.listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const forwarder = await forwardToSocket(path);

  expect(await (await fetch(forwarder.url)).text()).toBe('through');
  await forwarder.close();

  await expect(fetch(forwarder.url)).rejects.toThrow('fetch failed');
});

test('a connection ends where nothing listens yet', async () => {
  const forwarder = await forwardToSocket(join(tempFolder(), 'nobody.sock'));
  onTestFinished(() => forwarder.close());

  await expect(fetch(forwarder.url)).rejects.toThrow('fetch failed');
});
