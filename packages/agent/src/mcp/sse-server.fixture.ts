import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { demoServer } from './demo-server.fixture.ts';

/** The demo server over the older SSE transport: a stream to listen to, and an address to post to. */
export function demoSseHandler(): (request: Request) => Promise<Response | undefined> {
  let receive: ((message: JSONRPCMessage) => void) | undefined;
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/messages') {
      receive?.((await request.json()) as JSONRPCMessage);
      return new Response(null, { status: 202 });
    }
    if (pathname !== '/sse') return undefined;
    if (request.method !== 'GET') return new Response('Only GET is known here.', { status: 405 });
    const { readable, writable } = new TransformStream<string, string>();
    const stream = writable.getWriter();
    const transport: Parameters<ReturnType<typeof demoServer>['connect']>[0] = {
      start: () => Promise.resolve(),
      close: () => stream.close().catch(() => {}),
      send: (message) => stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
    };
    await demoServer().connect(transport);
    receive = (message) => transport.onmessage?.(message);
    void stream.write('event: endpoint\ndata: /messages\n\n');
    return new Response(readable.pipeThrough(new TextEncoderStream()), {
      headers: { 'content-type': 'text/event-stream' },
    });
  };
}
