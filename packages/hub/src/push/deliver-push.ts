import { setTimeout as wait } from 'node:timers/promises';
import { encryptPush, type PushKeys } from './encrypt-push.ts';
import type { PostPush, PushReply } from './post-push.ts';
import { vapidHeader, type VapidKeys } from './vapid.ts';

/** What a browser is sent, and how much it matters. */
export interface PushMessage {
  text: string;
  /** How long the service keeps it for a browser that is away. */
  ttlSeconds: number;
  urgency: 'normal' | 'high';
  /** Takes the place of what waits under the same topic. */
  topic?: string | undefined;
}

/** Where it goes, and by what means. */
export interface PushDelivery {
  target: PushKeys & { endpoint: string };
  vapid: VapidKeys;
  /** Who is behind this server, for the people of the push service: an address of the web or of mail. */
  subject: string;
  post: PostPush;
  /** The waits before another try. */
  retryMs: readonly number[];
  now: () => number;
}

/** What became of it. `gone`: the browser has ended the subscription. */
export type PushOutcome = { type: 'sent' } | { type: 'gone' } | { type: 'failed'; error: string };

const MAX_RETRY_MS = 60_000;

/** Sends a message to one browser. A service that is busy or failing is asked again. */
export async function deliverPush(
  message: PushMessage,
  delivery: PushDelivery,
  signal: AbortSignal,
): Promise<PushOutcome> {
  const { target, vapid, subject, post, now, retryMs } = delivery;
  const { endpoint } = target;
  const request = {
    endpoint,
    body: encryptPush(message.text, target),
    headers: {
      authorization: vapidHeader(vapid, { endpoint, subject, now: now() }),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(message.ttlSeconds),
      urgency: message.urgency,
      ...(message.topic !== undefined && { topic: message.topic }),
    },
  };
  for (let tries = 0; ; tries += 1) {
    const reply = await post(request, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      return error as Error;
    });
    if (!(reply instanceof Error)) {
      if (reply.status >= 200 && reply.status < 300) return { type: 'sent' };
      if (reply.status === 404 || reply.status === 410) return { type: 'gone' };
    }
    const pause = retryMs[tries];
    if (pause === undefined || !mayPass(reply)) return { type: 'failed', error: describe(endpoint, reply) };
    await wait(reply instanceof Error ? pause : (retryAfterMs(reply.retryAfter, now()) ?? pause), undefined, {
      signal,
    });
  }
}

/** Whether the same message may be taken later. */
function mayPass(reply: PushReply | Error): boolean {
  if (reply instanceof Error) return !('code' in reply && reply.code === 'forbidden');
  return reply.status === 429 || reply.status >= 500;
}

/** What the service asks for, within reason; seconds, or a moment. */
function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_MS);
}

/** Without the address itself: who has it can send to the browser's service in its name. */
function describe(endpoint: string, reply: PushReply | Error): string {
  const { host } = new URL(endpoint);
  if (!(reply instanceof Error)) {
    const text = reply.text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
    return `${host} answered ${reply.status}${text === '' ? '' : `: ${text}`}`;
  }
  const { code, name, message } = reply as Error & { code?: string };
  if (name === 'TimeoutError' || name === 'AbortError') return `${host} did not answer in time.`;
  return `${host} cannot be reached: ${message || (code ?? name)}`;
}
