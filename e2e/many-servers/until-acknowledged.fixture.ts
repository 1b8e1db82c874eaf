import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';

/** How long something may take that has to happen sooner or later. */
export const soon = { timeout: 120_000, interval: 50 };
const RETRY_MS = 100;
const CALL_MS = 30_000;
/** What proxies and servers answer while something is away. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Asks until the server says that it has it. What is refused for good is thrown. */
export async function untilAcknowledged<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const givenUpAt = Date.now() + soon.timeout;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof DragomanError && error.isRetryable) || Date.now() > givenUpAt) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** Waits for a condition. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const givenUpAt = Date.now() + soon.timeout;
  while (!(await isSo())) {
    if (Date.now() > givenUpAt) throw new Error(`waited in vain: ${what}`);
    await delay(soon.interval);
  }
}

/** Waits for the end of something, for as long as it goes on. */
export async function untilOver(what: string, look: () => Promise<{ isOver: boolean; seq: number }>): Promise<void> {
  let seen = await look();
  while (!seen.isOver) {
    await delay(soon.interval);
    const { seq } = seen;
    await until(`${what} go on behind ${seq}`, async () => {
      seen = await look();
      return seen.isOver || seen.seq > seq;
    });
  }
}

/** Posts JSON, once. Rejects with an error that can be retried where something on the way is away. */
export async function post<Answer>(
  server: { url: string; token: string },
  path: string,
  body: object,
): Promise<Answer> {
  const failed = (reason: string, isRetryable: boolean, cause?: unknown) =>
    new DragomanError('unavailable', `POST ${path}: ${reason}`, { isRetryable, cause });
  let status: number;
  let text: string;
  try {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_MS),
    });
    status = answer.status;
    text = await answer.text();
  } catch (error) {
    throw failed('the connection broke off', true, error);
  }
  if (status !== 200) throw failed(`${status} ${text.slice(0, 500)}`, PASSING.has(status));
  return JSON.parse(text) as Answer;
}
