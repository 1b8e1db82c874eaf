import { expect, test } from 'vitest';
import { checkContent, formatLeftOut } from './check-content.ts';

const BODY = 'MIIEpAIBAAKCAQEA0m59l2u9iDnMbrXHfqkOrn2dVQ3vfBJqcDuFUK03d+1PZGbV';
const key = (kind: string) => `-----BEGIN ${kind}-----\n${BODY}\n-----END ${kind}-----\n`;
const check = (content: string | Uint8Array, maxBytes = 1_000) => checkContent(Buffer.from(content), maxBytes);

test('text within the limit is fine, an empty file and any language too', () => {
  expect(check('')).toBeUndefined();
  expect(check('x'.repeat(10), 10)).toBeUndefined();
  expect(check('\uFEFFGröße 😀\r\n')).toBeUndefined();
});

test('one byte over the limit is too large', () => {
  expect(check('x'.repeat(11), 10)).toBe('too-large');
});

test('a NUL anywhere makes it binary, and other encodings are told apart', () => {
  expect(check('text\0')).toBe('binary');
  expect(check(Buffer.from('Größe', 'latin1'))).toBe('not-utf8');
  expect([formatLeftOut('binary'), formatLeftOut('not-utf8')]).toEqual(['Binary file', 'Binary file']);
});

test.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'])(
  'a file that holds a key is left out by its content: %s',
  (kind) => {
    expect(check(key(kind))).toBe('private-key');
    expect(check(`# ours\n${key(kind)}`)).toBe('private-key');
  },
);

test('a key with headers, in YAML, with other line ends or in a service account is one too', () => {
  expect(check(`-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: DES-EDE3-CBC,AF\n\n${BODY}\n`)).toBe(
    'private-key',
  );
  expect(check(`-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${BODY}\n`)).toBe('private-key');
  expect(check(`tls.key: |\n    ${key('PRIVATE KEY').replaceAll('\n', '\n    ')}`)).toBe('private-key');
  expect(check(key('PRIVATE KEY').replaceAll('\n', '\r\n'))).toBe('private-key');
  expect(check(JSON.stringify({ type: 'service_account', private_key: key('PRIVATE KEY') }))).toBe('private-key');
});

test('public keys, texts about keys and code with a key in quotes stay', () => {
  expect(check(key('PUBLIC KEY'))).toBeUndefined();
  expect(check('A file begins with\n-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n')).toBeUndefined();
  expect(check(`const TEST_KEY = \`${key('RSA PRIVATE KEY')}\`;`)).toBeUndefined();
});
