import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a fake provider says: pieces of a stream, written one after the other; a promise holds the stream there. */
export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: string | (string | Promise<unknown>)[];
  /** Breaks the connection instead of ending the answer. */
  isCut?: boolean;
}

export interface ProviderRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  /** The body's JSON. */
  body: Record<string, unknown>;
  /** Resolves when the connection of this request is gone or its answer is complete; tells which. */
  ended: Promise<'complete' | 'left'>;
}

export interface FakeProvider {
  url: string;
  requests: ProviderRequest[];
  /** The answer to the next request; the last one given answers all that follow. It may depend on the request. */
  answer(...answers: (ScriptedAnswer | AnswerMaker)[]): void;
  /**
   * What it answers when an agent asks for the title of a session; empty unless given, so that sessions are called by
   * their first words. Such requests stand in `titleRequests` alone, and use up no other answer.
   */
  answerTitles(answer: ScriptedAnswer): void;
  titleRequests: ProviderRequest[];
  /** Resolves with the request of that number, counted from 1, when it has come. */
  request(number: number): Promise<ProviderRequest>;
}

/** Answers by what is asked, such as `fakeEmbeddings`. */
export type AnswerMaker = (request: ProviderRequest) => ScriptedAnswer;

/** A model service on this machine that answers as the test says. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const requests: ProviderRequest[] = [];
  const titleRequests: ProviderRequest[] = [];
  let titleAnswer: ScriptedAnswer = NO_TITLE;
  const script: (ScriptedAnswer | AnswerMaker)[] = [];
  let wake = () => {};
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const bytes = Buffer.concat(await incoming.toArray());
      const text = String(bytes);
      const ended = new Promise<'complete' | 'left'>((resolve) =>
        outgoing.once('close', () => resolve(outgoing.writableFinished ? 'complete' : 'left')),
      );
      const { method, url, headers } = incoming;
      const request = { method: method!, path: url!, headers, bytes, text, body: parse(text), ended };
      if (text.includes(TITLE_CALL)) {
        titleRequests.push(request);
        return play(titleAnswer, outgoing, streamTypeAt(request.path));
      }
      requests.push(request);
      wake();
      const next = script.length > 1 ? script.shift()! : (script[0] ?? { status: 500, body: 'no answer was scripted' });
      await play(typeof next === 'function' ? next(request) : next, outgoing, streamTypeAt(request.path));
    })();
  });
  server.keepAliveTimeout = 0; // A connection that is closed while the next call is on its way would look like a fault.
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    titleRequests,
    answerTitles(answer) {
      titleAnswer = answer;
    },
    answer(...answers) {
      script.splice(0, script.length, ...answers);
    },
    async request(number) {
      while (requests.length < number) await new Promise<void>((resolve) => (wake = resolve));
      return requests[number - 1]!;
    },
  };
}

/** How the call for a title begins; see `ask-for-title.ts` of the agent. */
const TITLE_CALL = 'You write the title of a conversation with a coding agent';

const NO_TITLE: ScriptedAnswer = {
  body: ['data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n', 'data: [DONE]\n\n'],
};

/** What the services call their streams: Ollama's are lines, those of others are events. */
function streamTypeAt(path: string): string {
  return path.startsWith('/api/') ? 'application/x-ndjson' : 'text/event-stream';
}

async function play(
  { status = 200, headers, body, isCut }: ScriptedAnswer,
  response: ServerResponse,
  streamType: string,
): Promise<void> {
  const isStream = Array.isArray(body);
  response.writeHead(status, { 'content-type': isStream ? streamType : 'application/json', ...headers });
  response.flushHeaders();
  for (const piece of isStream ? body : [body]) {
    if (typeof piece === 'string') response.write(piece);
    else await piece;
  }
  if (isCut === true) response.socket!.destroySoon(); // After what was written has left.
  else response.end();
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
