import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';

/** This window's hold on the server: one open request. */
export interface Lease {
  /** When the server is gone, or has been silent for too long. */
  readonly ended: Promise<void>;
  close(): void;
}

/**
 * What came of asking for a lease, which is also how a token is tried: held, refused, or nobody there. A server from
 * before there were leases has none to give and is used without.
 */
export type LeaseAnswer =
  | { kind: 'held'; lease: Lease }
  | { kind: 'refused' }
  | { kind: 'without' }
  | { kind: 'away'; reason: string };

/** How long the server may take to answer, and to be silent; it says something every 15 seconds. */
const ANSWER_MS = 15_000;
const SILENCE_MS = 50_000;

/** Asks for a lease, with which folders are named, and keeps it open. A window that is killed closes it too: the system does. */
export function takeLease(
  { url, token, folders = [] }: { url: string; token: string; folders?: readonly string[] },
  { answerMs = ANSWER_MS, silenceMs = SILENCE_MS }: { answerMs?: number; silenceMs?: number } = {},
): Promise<LeaseAnswer> {
  const answer = Promise.withResolvers<LeaseAnswer>();
  const ended = Promise.withResolvers<void>();
  const named = folders.map((folder) => `workspace=${encodeURIComponent(folder)}`).join('&');
  const get = url.startsWith('https:') ? getHttps : getHttp;
  const request = get(
    `${url}/api/lease${named === '' ? '' : `?${named}`}`,
    { agent: false, headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' } },
    (response) => {
      clearTimeout(timer);
      const { statusCode } = response;
      if (statusCode === 200) {
        request.setTimeout(silenceMs, () => request.destroy());
        response.resume();
        response.on('close', () => ended.resolve());
        answer.resolve({ kind: 'held', lease: { ended: ended.promise, close: () => request.destroy() } });
        return;
      }
      request.destroy();
      if (statusCode === 401 || statusCode === 403) answer.resolve({ kind: 'refused' });
      else if (statusCode === 404) answer.resolve({ kind: 'without' });
      else answer.resolve({ kind: 'away', reason: `HTTP ${statusCode}` });
    },
  );
  const timer = setTimeout(() => request.destroy(new Error(`no answer in ${answerMs / 1000} s`)), answerMs);
  request.on('error', (error: NodeJS.ErrnoException) => {
    clearTimeout(timer);
    ended.resolve();
    answer.resolve({ kind: 'away', reason: error.code ?? error.message });
  });
  return answer.promise;
}
