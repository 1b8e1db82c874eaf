import { timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DragomanError } from '@dragoman/protocol';

/** Where a login comes back to. */
export interface OAuthCallback {
  redirectUrl: string;
  /** Waits for the browser to come back, for as long as was said. */
  wait(options: { limitMs: number; signal: AbortSignal }): Promise<URLSearchParams>;
  close(): void;
}

/**
 * Listens on this machine for the browser that comes back from a login.
 *
 * Only an answer with the state we gave out counts; anything else gets an error page and changes nothing, so no other
 * page in the browser can end or hijack a login. Of the ports the first that is free is taken; 0 is any.
 */
export async function openOAuthCallback(state: string, ports: readonly number[]): Promise<OAuthCallback> {
  const answer = Promise.withResolvers<URLSearchParams>();
  answer.promise.catch(() => {}); // Nobody may be waiting yet.
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isOurs = url.pathname === '/callback' && isSame(url.searchParams.get('state') ?? '', state);
    const isWhole = isOurs && (url.searchParams.has('code') || url.searchParams.has('error'));
    response.writeHead(isWhole ? 200 : 400, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(page(isWhole, url.searchParams.has('error')));
    if (isWhole) answer.resolve(url.searchParams);
  });
  const port = await listenOnFirst(server, ports);
  server.unref();
  const close = (): void => {
    server.close();
    answer.reject(new DragomanError('cancelled', 'the login was cancelled'));
  };
  return {
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    async wait({ limitMs, signal }) {
      const expired = AbortSignal.timeout(limitMs);
      const either = AbortSignal.any([expired, signal]);
      const end = (): void =>
        expired.aborted
          ? answer.reject(new DragomanError('timed-out', `nobody logged in within ${limitMs / 1000} s`))
          : close();
      either.addEventListener('abort', end, { once: true });
      if (either.aborted) end();
      try {
        return await answer.promise;
      } finally {
        either.removeEventListener('abort', end);
        server.close();
      }
    },
    close,
  };
}

async function listenOnFirst(server: Server, ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch {
      server.removeAllListeners('error');
    }
  }
  throw new DragomanError('unavailable', `no login can come back to this machine: port ${ports.join(', ')} is taken`);
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function page(isWhole: boolean, isError: boolean): string {
  const text = !isWhole
    ? 'This is not the answer to a login that is under way.'
    : isError
      ? 'The login was refused. You can close this page.'
      : 'You are logged in. You can close this page.';
  return `<!doctype html><meta charset="utf-8"><title>Dragoman</title><p>${text}</p>`;
}
