import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Update } from 'grammy/types';
import { z } from 'zod';
import type { WebhookAnswer, WebhookRequest } from '../channels/channel.ts';

/**
 * What Telegram sends along with every call, so that we know it is Telegram. It is made from the token, so that every
 * process knows it and nothing needs to be kept; the token cannot be made from it.
 */
export function webhookSecret(token: string): string {
  return createHmac('sha256', token).update('dragoman telegram webhook').digest('hex');
}

/** Where Telegram calls. */
export function webhookUrl(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/channels/telegram`;
}

const updateSchema = z.looseObject({ update_id: z.number() });

/** The update of a webhook call, or what the call is answered with instead. */
export function readWebhook(request: WebhookRequest, secret: string): { update: Update } | { answer: WebhookAnswer } {
  const given = request.headers['x-telegram-bot-api-secret-token'];
  if (typeof given !== 'string' || !isEqual(given, secret)) return { answer: { status: 401 } };
  let json: unknown;
  try {
    json = JSON.parse(request.body.toString('utf8'));
  } catch {
    return { answer: { status: 400 } };
  }
  const parsed = updateSchema.safeParse(json);
  return parsed.success ? { update: parsed.data as unknown as Update } : { answer: { status: 400 } };
}

/** Takes as long whatever is wrong. */
function isEqual(given: string, secret: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
