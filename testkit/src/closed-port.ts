import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A port of this machine that refuses every connection until the running test is over. It is one end of a connection that
 * stays open, so nobody is given it meanwhile.
 */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(end, 'connect');
  onTestFinished(() => {
    end.destroy();
    server.close();
  });
  return end.localPort!;
}
