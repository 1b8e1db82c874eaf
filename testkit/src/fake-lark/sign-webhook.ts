import { createCipheriv, createHash, randomBytes } from 'node:crypto';

/** A webhook call as the platform makes it: the body, and with an encrypt key the proof in the headers. */
export interface SignedWebhook {
  body: string;
  headers: Record<string, string>;
}

/**
 * Writes an event for a webhook.
 *
 * With an encrypt key the body is `{"encrypt": …}`, AES-256-CBC under SHA-256 of the key, and the signature is made over
 * the raw body. Without one there is neither.
 */
export function signWebhook(event: unknown, encryptKey: string | undefined, now: number): SignedWebhook {
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  const plain = JSON.stringify(event);
  if (encryptKey === undefined) return { body: plain, headers };
  const body = JSON.stringify({ encrypt: encrypt(plain, encryptKey) });
  const timestamp = String(Math.floor(now / 1000));
  const nonce = String(randomBytes(4).readUInt32BE());
  headers['x-lark-request-timestamp'] = timestamp;
  headers['x-lark-request-nonce'] = nonce;
  headers['x-lark-signature'] = createHash('sha256')
    .update(timestamp + nonce + encryptKey + body)
    .digest('hex');
  return { body, headers };
}

function encrypt(plain: string, encryptKey: string): string {
  const key = createHash('sha256').update(encryptKey).digest();
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  return Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final()]).toString('base64');
}
