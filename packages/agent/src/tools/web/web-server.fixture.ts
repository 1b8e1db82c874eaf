import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A web server on this machine for the running test, with the requests it has seen. */
export async function startWebServer(listener: RequestListener) {
  const requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(pieces).toString('utf8') });
      listener(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { port, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}`, requests };
}
