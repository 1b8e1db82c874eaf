import { DragomanError } from '../dragoman-error.ts';
import { readHubError } from './hub-error.ts';

/** Where the server is, and as whom it is called. */
export interface HubAddress {
  /** Empty in a page of the server itself. */
  url: string;
  /** Without one, a browser's login counts: its cookie, and the secret that its pages keep. */
  token?: string | undefined;
  pageSecret?: (() => string | undefined) | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}

/** Sends a request to the server. */
export type HubSend = (path: string, init: RequestInit, signal: AbortSignal) => Promise<Response>;

/** Sends requests, and gives back an answer once its status is good; anything else rejects with a `DragomanError`. */
export function hubSender({ url, token, pageSecret, fetch: given }: HubAddress): HubSend {
  const base = url.replace(/\/+$/, '');
  return async (path, init, signal) => {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const ofPage = pageSecret?.();
    if (ofPage !== undefined) headers.set('x-dragoman-page', ofPage);
    let answer: Response;
    try {
      // Looked up with each call, because a browser's own must be called on the window.
      answer = await (given ?? globalThis.fetch)(base + path, { ...init, headers, signal });
    } catch (error) {
      throw signal.aborted ? signal.reason : unreachable(base, error);
    }
    if (answer.ok) return answer;
    throw readHubError({
      call: `${init.method ?? 'GET'} ${path}`,
      status: answer.status,
      text: await answer.text().catch(() => ''),
      retryAfter: answer.headers.get('retry-after'),
    });
  };
}

/** What broke the way to a server, or back from it. */
export function unreachable(url: string, error: unknown): DragomanError {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  const where = url === '' ? 'The server' : `The server at ${url}`;
  return new DragomanError('unavailable', `${where} cannot be reached: ${cause?.code ?? message}.`, {
    cause: error,
    isRetryable: true,
  });
}
