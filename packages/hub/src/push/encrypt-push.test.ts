import { createPublicKey, verify, webcrypto } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encryptPush, MAX_PUSH_BYTES } from './encrypt-push.ts';
import { decryptPush, newPushKeys } from './push-service.fixture.ts';
import { newVapidKeys, vapidHeader } from './vapid.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('the example of RFC 8291 comes out as it stands there', () => {
  const body = encryptPush('When I grow up, I want to be a watermelon', newPushKeys(), {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  });

  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('a browser reads what was written for it, whatever it is; nothing is the same twice', async () => {
  const { subtle } = webcrypto;
  const keys = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
  const auth = Buffer.alloc(16, 7);
  const p256dh = Buffer.from(await subtle.exportKey('raw', keys.publicKey)).toString('base64url');
  const target = { p256dh, auth: auth.toString('base64url') };
  const texts = fc.string({ unit: 'binary', maxLength: 900 });
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const [one, other] = [encryptPush(text, target), encryptPush(text, target)];
      expect(await decryptPush(one, keys, auth)).toBe(text.toWellFormed());
      expect(one.equals(other)).toBe(false);
    }),
    { numRuns: 50, seed: 8291 },
  );

  expect(encryptPush('x'.repeat(MAX_PUSH_BYTES), target)).toHaveLength(4096);
  expect(() => encryptPush('x'.repeat(MAX_PUSH_BYTES + 1), target)).toThrow(
    'A notification of 3994 bytes is too long; the limit is 3993.',
  );
});

test('a push service can check that a message is from the server the browser knows', () => {
  const keys = newVapidKeys();
  const header = vapidHeader(keys, {
    endpoint: 'https://push.example.com:8443/send/abc?x=1',
    subject: 'https://dragoman.example.com',
    now: 1_800_000_000_000,
  });

  const [, head, claims, signature, key] = /^vapid t=([^.]+)\.([^.]+)\.([^.]+), k=(.+)$/.exec(header)!;
  expect(key).toBe(keys.publicKey);
  expect(JSON.parse(bytes(head!).toString())).toEqual({ typ: 'JWT', alg: 'ES256' });
  expect(JSON.parse(bytes(claims!).toString())).toEqual({
    aud: 'https://push.example.com:8443',
    exp: 1_800_043_200,
    sub: 'https://dragoman.example.com',
  });
  const point = bytes(key!);
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isGood = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    bytes(signature!),
  );
  expect(isGood).toBe(true);
});

test('keys are always of full length, also those that begin with zeros', () => {
  for (let count = 0; count < 600; count += 1) {
    const { publicKey, privateKey } = newVapidKeys();
    expect([bytes(publicKey).length, bytes(privateKey).length]).toEqual([65, 32]);
  }
});
