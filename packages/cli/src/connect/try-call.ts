import type { ClientDialect, Connection } from './client.ts';

const QUESTION = 'Answer with the one word: ready';
const LIMIT_MS = 60_000;
const MOST_SHOWN = 200;

interface Call {
  path: string;
  headers?: Record<string, string>;
  body: object;
  /** What was said, in an answer of this protocol. */
  read: (answer: unknown) => unknown;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The same small question in each protocol, with the token where its clients have it. */
const CALLS: Record<ClientDialect, (connection: Connection) => Call> = {
  anthropic: ({ token, model }) => ({
    path: '/v1/messages',
    headers: { ...bearer(token), 'anthropic-version': '2023-06-01' },
    body: { model, max_tokens: 2048, messages: [{ role: 'user', content: QUESTION }] },
    read: (answer) => (answer as { content: { text?: string }[] }).content.map(({ text }) => text ?? '').join(''),
  }),
  responses: ({ token, model }) => ({
    path: '/v1/responses',
    headers: bearer(token),
    body: { model, input: QUESTION, store: false },
    read: (answer) =>
      (answer as { output: { content?: { text?: string }[] }[] }).output
        .flatMap(({ content }) => content ?? [])
        .map(({ text }) => text ?? '')
        .join(''),
  }),
  chat: ({ token, model }) => ({
    path: '/v1/chat/completions',
    headers: bearer(token),
    body: { model, messages: [{ role: 'user', content: QUESTION }] },
    read: (answer) => (answer as { choices: { message: { content: string } }[] }).choices[0]!.message.content,
  }),
  gemini: ({ token, model }) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: { 'x-goog-api-key': token },
    body: { contents: [{ role: 'user', parts: [{ text: QUESTION }] }] },
    read: (answer) =>
      (answer as { candidates: { content: { parts: { text?: string }[] } }[] }).candidates[0]!.content.parts.map(
        ({ text }) => text ?? '',
      ).join(''),
  }),
  ollama: ({ token, model }) => ({
    path: `/token/${token}/api/chat`,
    body: { model, messages: [{ role: 'user', content: QUESTION }], stream: false },
    read: (answer) => (answer as { message: { content: string } }).message.content,
  }),
  augment: ({ token, model }) => ({
    path: '/chat',
    headers: bearer(token),
    body: { model, message: QUESTION, chat_history: [] },
    read: (answer) => (answer as { text: string }).text,
  }),
};

/** How a call with the new connection went. */
export interface TriedCall {
  isWell: boolean;
  /** The answer, or what went wrong. */
  said: string;
}

/** One call through the server as the client would make it. */
export async function tryCall(dialect: ClientDialect, connection: Connection): Promise<TriedCall> {
  const { path, headers, body, read } = CALLS[dialect](connection);
  try {
    const response = await fetch(connection.url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await response.text();
    if (!response.ok) return failed(`${response.status} ${errorOf(text)}`);
    return { isWell: true, said: shorten(String(read(JSON.parse(text)))) };
  } catch (error) {
    return failed((error as Error).cause instanceof Error ? ((error as Error).cause as Error).message : String(error));
  }
}

function failed(said: string): TriedCall {
  return { isWell: false, said: shorten(said) };
}

/** What an error says, in whichever form it came. */
function errorOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: string | { message?: string } };
    return (typeof error === 'string' ? error : error?.message) ?? text;
  } catch {
    return text;
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MOST_SHOWN ? line : `${line.slice(0, MOST_SHOWN)}…`;
}
