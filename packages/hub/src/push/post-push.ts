import { request as httpsRequest } from 'node:https';
import { checkPushEndpoint, lookupPublic } from './public-host.ts';

/** A message on its way to a push service. */
interface PushRequest {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** What the service says. */
export interface PushReply {
  status: number;
  retryAfter: string | undefined;
  /** The beginning of what it says about it. */
  text: string;
}

/** Hands a message to a push service. Rejects where it cannot be reached. */
export type PostPush = (request: PushRequest, signal: AbortSignal) => Promise<PushReply>;

/** How browsers are reached. A program has the public one; a test has its own. */
export interface PushTransport {
  /** Refuses an address that is never sent to. */
  check(endpoint: string): void;
  post: PostPush;
  /** The waits before a second and a third try, where the service names none. */
  retryMs: readonly number[];
}

const ANSWER_MS = 10_000;
const TEXT_BYTES = 500;

/** The public Internet and nothing else; redirections are not followed. */
export const publicPush: PushTransport = {
  check: checkPushEndpoint,
  post: ({ endpoint, headers, body }, signal) => post(checkPushEndpoint(endpoint), { headers, body }, signal),
  retryMs: [1_000, 5_000],
};

function post(
  url: URL,
  { headers, body }: Pick<PushRequest, 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<PushReply> {
  const { promise, resolve, reject } = Promise.withResolvers<PushReply>();
  const request = httpsRequest(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    lookup: lookupPublic,
  });
  request.on('error', reject);
  request.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
      if (text.length >= TEXT_BYTES) response.destroy();
    });
    response.on('error', reject);
    response.on('close', () =>
      resolve({
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
        text: text.slice(0, TEXT_BYTES),
      }),
    );
  });
  request.end(body);
  return promise;
}
