import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Asked, halves, type Json, type Protocol, Refusal, type Said } from './asked.ts';
import { chat } from './chat.ts';
import { exampleOf } from './example-of.ts';
import { gemini } from './gemini.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

const PROTOCOLS = { chat, responses, messages, gemini } as const;
export type ProtocolName = keyof typeof PROTOCOLS;
export const PROTOCOL_NAMES = Object.keys(PROTOCOLS) as ProtocolName[];

/** What goes wrong: every time, or the first time only. */
type Trouble = '429 once' | '500' | 'cut once';

/** What the model says to a prompt. The first step answers the user, the next one what the first one's calls gave, and so on. */
export interface Script {
  /** Whether the client has tools: what it then asks without any is beside the conversation, such as a title for it. */
  hasTools: boolean;
  steps: readonly ((asked: Asked) => Said)[];
  trouble?: Trouble;
}

interface Conversation {
  script: Script;
  refusals: string[];
  /** How often the model was asked. */
  asked: number;
}

/** Model services on this machine, one for each protocol, that check as the real ones do and answer by a script. */
export interface ScriptedUpstreams {
  url: string;
  /** Makes up a word; a prompt that holds it is answered by the script. */
  expect(script: Script): { word: string; conversation: Readonly<Conversation> };
  close(): Promise<void>;
}

export async function startScriptedUpstreams(): Promise<ScriptedUpstreams> {
  const conversations = new Map<string, Conversation>();
  const server = createServer((request, response) => {
    void (async () => {
      const text = Buffer.concat(await request.toArray()).toString();
      const [, name = ''] = request.url!.split('/');
      const protocol = PROTOCOLS[name as ProtocolName] as Protocol | undefined;
      if (protocol === undefined || request.method !== 'POST') return void response.writeHead(404).end('{}');
      const word = /interop-[a-z0-9]+-end/g.exec(text)?.[0];
      const conversation = conversations.get(word ?? '');
      try {
        const asked = protocol.read(JSON.parse(text) as Json, request.url!, request.headers);
        play(protocol, asked, conversation, response);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (!error.isForeseen) conversation?.refusals.push(`${name}: ${error.message}`);
        send(response, error.status, protocol.error(error.status, error.message));
      }
    })();
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expect(script) {
      const word = `interop-${(conversations.size + 1).toString(36).padStart(4, '0')}-end`;
      const conversation: Conversation = { script, refusals: [], asked: 0 };
      conversations.set(word, conversation);
      return { word, conversation };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function play(
  protocol: Protocol,
  asked: Asked,
  conversation: Conversation | undefined,
  response: ServerResponse,
): void {
  const isAside = conversation === undefined || (conversation.script.hasTools && asked.tools.length === 0);
  const said = isAside ? sayAside(asked) : sayNext(conversation, asked);
  const trouble = isAside ? undefined : conversation.script.trouble;
  const isFirst = isAside || conversation.asked === 1;
  if (trouble === '500') return send(response, 500, protocol.error(500, 'The scripted service has failed.'));
  if (trouble === '429 once' && isFirst) {
    return send(response, 429, protocol.error(429, 'Too many requests.'), { 'retry-after': '1' });
  }
  const pieces = asked.isStreamed ? protocol.stream(said) : halves(JSON.stringify(protocol.whole(said)));
  response.writeHead(200, {
    'content-type': asked.isStreamed ? 'text/event-stream' : 'application/json',
    ...(!asked.isStreamed && { 'content-length': Buffer.byteLength(pieces.join('')) }),
  });
  const isCut = trouble === 'cut once' && isFirst;
  for (const piece of isCut ? pieces.slice(0, cutOf(pieces, said)) : pieces) response.write(piece);
  // What was said first has arrived by then.
  if (isCut) setTimeout(() => response.socket?.destroySoon(), 200);
  else response.end();
}

/** In the middle of the words; behind the first piece where there are none. */
function cutOf(pieces: readonly string[], said: Said): number {
  const rest = typeof said === 'string' ? halves(said)[1]! : '';
  return Math.max(1, rest === '' ? 0 : pieces.findIndex((piece) => piece.includes(rest)));
}

/** Beside the conversation any answer will do that has the form that was asked for. */
function sayAside({ schema }: Asked): string {
  return schema === undefined ? 'A title' : JSON.stringify(exampleOf(schema));
}

function sayNext(conversation: Conversation, asked: Asked): Said {
  conversation.asked += 1;
  const { steps } = conversation.script;
  const step = steps[Math.min(asked.results.length, steps.length - 1)]!;
  const said = step(asked);
  if (typeof said !== 'string') {
    const missing = said.find(({ name }) => !asked.tools.includes(name));
    if (missing !== undefined)
      throw new Refusal(`The tool ${missing.name} is not on offer: ${asked.tools.join(', ')}.`);
  }
  return said;
}

function send(response: ServerResponse, status: number, body: Json, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
