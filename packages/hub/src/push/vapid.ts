import { createECDH, createPrivateKey, sign } from 'node:crypto';

/** The keys a server is known by at push services, base64url: a point of P-256 and the number that belongs to it. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** How long a proof is good; services allow a day at most. */
const PROOF_MS = 12 * 3_600_000;

/** A new pair of keys. Subscriptions are made for the public one, and are worth nothing with another. */
export function newVapidKeys(): VapidKeys {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys().toString('base64url');
  const number = pair.getPrivateKey(); // Without the zeros it may begin with.
  const privateKey = Buffer.concat([Buffer.alloc(32 - number.length), number]).toString('base64url');
  return { publicKey, privateKey };
}

/**
 * Proves to a push service that a message is from the server the browser subscribed to (RFC 8292): the value of the
 * `authorization` header.
 */
export function vapidHeader(
  { publicKey, privateKey }: VapidKeys,
  { endpoint, subject, now }: { endpoint: string; subject: string; now: number },
): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor((now + PROOF_MS) / 1000), sub: subject };
  const unsigned = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  const point = Buffer.from(publicKey, 'base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33, 65).toString('base64url'),
      d: privateKey,
    },
  });
  const signature = sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${unsigned}.${signature.toString('base64url')}, k=${publicKey}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
