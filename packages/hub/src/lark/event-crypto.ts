import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';

/**
 * What is inside `{"encrypt": "…"}`: base64 of 16 bytes IV and AES-256-CBC, whose key is the SHA-256 of the encrypt key.
 * Throws where it was not encrypted with this key.
 */
export function decryptEvent(encrypted: string, encryptKey: string): string {
  const bytes = Buffer.from(encrypted, 'base64');
  const decipher = createDecipheriv(
    'aes-256-cbc',
    createHash('sha256').update(encryptKey).digest(),
    bytes.subarray(0, 16),
  );
  return Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8');
}

/** The signature of a request, over its bytes as they came: JSON that was read and written again is other bytes. */
export function signEvent(request: { timestamp: string; nonce: string; body: Uint8Array }, encryptKey: string): string {
  return createHash('sha256')
    .update(request.timestamp + request.nonce + encryptKey)
    .update(request.body)
    .digest('hex');
}

/** Compares without telling by its duration where they differ. */
export function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
