/** A request as a server sees it. */
export interface SeenRequest {
  call: string;
  headers: Headers;
  body: unknown;
  signal: AbortSignal;
}

/** A `fetch` whose server is a function; what was asked is kept. */
export function scriptedServer(answer: (request: SeenRequest, count: number) => Response | Promise<Response>): {
  fetch: typeof globalThis.fetch;
  seen: SeenRequest[];
} {
  const seen: SeenRequest[] = [];
  return {
    seen,
    fetch: async (url, init) => {
      const request = new Request(new URL(url as string, 'http://hub.test'), init);
      const text = await request.text();
      const { pathname, search } = new URL(request.url);
      const asked = {
        call: `${request.method} ${pathname}${search}`,
        headers: request.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
        // Not the request's own: that one follows only as long as nobody collects what ties the two together.
        signal: init?.signal ?? request.signal,
      };
      seen.push(asked);
      const ended = new Promise<never>((_resolve, reject) => {
        if (asked.signal.aborted) reject(asked.signal.reason as Error);
        asked.signal.addEventListener('abort', () => reject(asked.signal.reason as Error));
      });
      ended.catch(() => {});
      return Promise.race([ended, answer(asked, seen.length)]);
    },
  };
}

/** An answer in JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** An answer that never comes; the caller has to give up. */
export function silence(): Promise<Response> {
  return new Promise(() => {});
}

/** The server's end of a stream of events. */
export interface EventStream {
  response: Response;
  write(text: string): void;
  end(): void;
  /** The connection breaks in the middle. */
  cut(): void;
}

/** A stream of events that is still open, with what was written to it so far. It ends when the reader leaves. */
export function eventStream(request: SeenRequest, ...texts: string[]): EventStream {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  const write = (text: string) => controller.enqueue(new TextEncoder().encode(text));
  request.signal.addEventListener('abort', () => controller.error(request.signal.reason));
  for (const text of texts) write(text);
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }),
    write,
    end: () => controller.close(),
    cut: () => controller.error(new TypeError('terminated')),
  };
}

/** A message of a session's stream. */
export function message(...seqs: number[]): string {
  const events = seqs.map((seq) => ({ seq, at: seq, event: { type: 'block-delta', blockId: 'b', delta: `${seq}` } }));
  return `id: ${seqs.at(-1)}\ndata: ${JSON.stringify({ events })}\n\n`;
}
