import { expect, test } from 'vitest';
import { decryptEvent, isSame, signEvent } from './event-crypto.ts';

// Made with `openssl enc -aes-256-cbc -K $(printf kitchen-key | sha256sum) -iv 000102…0f`, the IV put in front.
const ENCRYPTED = 'AAECAwQFBgcICQoLDA0OD80SUX4lyOenFj3pkbabN6Y0z+JZPF6qTuv/IPoNI4GUj08XHgg2naHZl397Hw5wNg==';

test('an event is decrypted with the SHA-256 of the encrypt key', () => {
  expect(decryptEvent(ENCRYPTED, 'kitchen-key')).toBe('{"challenge":"soup","type":"url_verification"}');
});

test('what was encrypted with another key, cut or empty is refused', () => {
  expect(() => decryptEvent(ENCRYPTED, 'garden-key')).toThrow('bad decrypt');
  expect(() => decryptEvent(ENCRYPTED.slice(0, 40), 'kitchen-key')).toThrow('wrong final block length');
  expect(() => decryptEvent('', 'kitchen-key')).toThrow('Invalid initialization vector');
});

test('the signature is the SHA-256 of timestamp, nonce, key and the bytes as they came', () => {
  const sign = (body: string) =>
    signEvent({ timestamp: '1700000000', nonce: 'n-1', body: Buffer.from(body) }, 'kitchen-key');

  // printf '%s' '1700000000n-1kitchen-key{"a": 1}' | sha256sum
  expect(sign('{"a": 1}')).toBe('2b13f15c4523b355149b80a3b0c92cbc6318eebe901c7bb2500bd960c6149ac4');
  expect(sign('{"a":1}')).not.toBe(sign('{"a": 1}'));
});

test('texts are compared whole, whatever their lengths', () => {
  expect(isSame('abc', 'abc')).toBe(true);
  expect(isSame('abc', 'abd')).toBe(false);
  expect(isSame('abc', 'abcd')).toBe(false);
  expect(isSame('', '')).toBe(true);
});
