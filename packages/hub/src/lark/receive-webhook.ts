import type { JsonValue } from '@dragoman/protocol';
import type { z } from 'zod';
import type { WebhookAnswer, WebhookRequest } from '../channels/channel.ts';
import { decryptEvent, isSame, signEvent } from './event-crypto.ts';
import type { EventHearing } from './event-hearing.ts';
import { challengeSchema, eventEnvelopeSchema } from './lark-event-wire.ts';
import type { WebhookTrust } from './webhook-trust.ts';

/** What proves that Lark calls. */
export interface WebhookKeys {
  encryptKey: string;
  verificationToken: string;
}

/** Lark signs each attempt anew, so an old one is somebody else's copy. */
const MAX_AGE_MS = 5 * 60_000;
/** The check of an address is a few hundred bytes. */
const MAX_UNSIGNED_BYTES = 4096;

/**
 * A webhook call: who is not Lark is refused before anything is read.
 *
 * Everything has to be encrypted and signed. Only the check of the address may come without a signature, while the bot is
 * being set up; it has to be encrypted and to carry the token, and nothing happens but that its own word is handed back.
 * Every refusal is the same answer: what tells a stranger at which step it ended lets them decrypt without the key.
 */
export async function receiveWebhook(
  request: WebhookRequest,
  keys: WebhookKeys,
  parts: {
    hearing: Pick<EventHearing, 'hear'>;
    now(): number;
    trust: Pick<WebhookTrust, 'mayReadUnsigned' | 'prove' | 'refuse'>;
  },
): Promise<WebhookAnswer> {
  const signature = headerOf(request, 'x-lark-signature');
  const isSigned = signature !== undefined;
  const read = isSigned
    ? (signatureProblem(request, signature, keys, parts.now()) ?? openBody(request.body, keys))
    : readUnsigned(request.body, keys, parts.trust);
  if (typeof read === 'string') {
    parts.trust.refuse(read, { looksLikeLark: isSigned || read !== NOT_SIGNED });
    return { status: 401 };
  }
  parts.trust.prove();
  if ('challenge' in read) return { status: 200, body: { challenge: read.challenge } };
  const { header, event } = read.envelope;
  const answer: JsonValue = await parts.hearing.hear(header.event_type, { ...event, event_id: header.event_id });
  return { status: 200, body: answer };
}

const NOT_SIGNED = 'The event is not signed.';

/** What is in a call, or why it is refused. */
type Opened = { challenge: string } | { envelope: z.output<typeof eventEnvelopeSchema> } | string;

function signatureProblem(
  request: WebhookRequest,
  given: string,
  { encryptKey }: WebhookKeys,
  now: number,
): string | undefined {
  const timestamp = headerOf(request, 'x-lark-request-timestamp') ?? '';
  const nonce = headerOf(request, 'x-lark-request-nonce') ?? '';
  if (!isSame(signEvent({ timestamp, nonce, body: request.body }, encryptKey), given))
    return 'The signature does not match. Check the Encrypt Key.';
  if (!(Math.abs(now - Number(timestamp) * 1000) <= MAX_AGE_MS))
    return 'The time of the request is off by more than 5 minutes. It is a replay, or a clock is wrong.';
  return undefined;
}

function readUnsigned(body: Buffer, keys: WebhookKeys, trust: Pick<WebhookTrust, 'mayReadUnsigned'>): Opened {
  if (body.length > MAX_UNSIGNED_BYTES || !trust.mayReadUnsigned()) return NOT_SIGNED;
  const opened = openBody(body, keys);
  return typeof opened === 'string' || 'challenge' in opened ? opened : NOT_SIGNED;
}

function openBody(body: Buffer, keys: WebhookKeys): Opened {
  const encrypted = objectOf(body.toString('utf8'))?.['encrypt'];
  if (typeof encrypted !== 'string') return 'The event is not encrypted. Set the Encrypt Key in the developer console.';
  let event: Readonly<Record<string, unknown>> | undefined;
  try {
    event = objectOf(decryptEvent(encrypted, keys.encryptKey));
  } catch {
    return 'The event cannot be decrypted. Check the Encrypt Key.';
  }
  const challenge = challengeSchema.safeParse(event).data;
  const envelope = challenge === undefined ? eventEnvelopeSchema.safeParse(event).data : undefined;
  if (challenge === undefined && envelope === undefined)
    return 'The event has no header. Only events of version 2.0 are supported.';
  if (!isSame(challenge?.token ?? envelope?.header.token ?? '', keys.verificationToken))
    return 'The Verification Token does not match.';
  return envelope === undefined ? { challenge: challenge!.challenge } : { envelope };
}

function headerOf({ headers }: WebhookRequest, name: string): string | undefined {
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value[0] : value;
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
