import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { closedPort } from './closed-port.ts';

test('a closed port refuses connections, and nobody else can listen on it', async () => {
  const port = await closedPort();

  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect(once(createServer().listen(port, '127.0.0.1'), 'listening')).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});
