import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of a browser's subscription, as it tells them: base64url. */
export interface PushKeys {
  /** Its public key, a point of P-256. */
  p256dh: string;
  /** A secret that only it and this server know. */
  auth: string;
}

/** What is different for every message; a test holds it still. */
export interface PushRandom {
  salt: Uint8Array;
  privateKey: Uint8Array | undefined;
}

/** Services take 4096 bytes; this is what is left for the text. */
export const MAX_PUSH_BYTES = 3_993;

const RECORD_BYTES = 4_096;
/** Ends the last record, which here is the only one. */
const LAST_RECORD = Buffer.of(2);

/**
 * A message that only the browser can read, as the body of a request to its push service: `aes128gcm` with a key that both
 * sides agree on (RFC 8291 on top of RFC 8188).
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: PushKeys,
  { salt, privateKey }: PushRandom = { salt: randomBytes(16), privateKey: undefined },
): Buffer {
  const plain = Buffer.from(text);
  if (plain.length > MAX_PUSH_BYTES)
    throw new RangeError(`A notification of ${plain.length} bytes is too long; the limit is ${MAX_PUSH_BYTES}.`);
  const browserKey = Buffer.from(p256dh, 'base64url');
  const own = createECDH('prime256v1');
  if (privateKey === undefined) own.generateKeys();
  else own.setPrivateKey(privateKey);
  const ownKey = own.getPublicKey();

  const shared = own.computeSecret(browserKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey]);
  const secret = derive(shared, Buffer.from(auth, 'base64url'), info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);

  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const encrypted = [cipher.update(plain), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()];
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([salt, size, Buffer.of(ownKey.length), ownKey, ...encrypted]);
}

function derive(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}
