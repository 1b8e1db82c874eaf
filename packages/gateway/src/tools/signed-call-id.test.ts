import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCallId, signCallId, withoutSignedIds } from './signed-call-id.ts';

const signedBy = (thoughtSignature: string) => ({ google: { thoughtSignature } });

test('a signature becomes a part of the id, in letters that every service takes', () => {
  expect(signCallId('call_1', signedBy('EpwC+/kCAQw51sc='))).toBe('call_1__tsb_EpwC-_kCAQw51sc');
  expect(signCallId('call_1', signedBy('not base64!'))).toBe('call_1__tst_bm90IGJhc2U2NCE');
  expect(signCallId('call_1', { anthropic: { signature: 'x' } })).toBe('call_1');
  expect(signCallId('call_1', undefined)).toBe('call_1');
});

test('whatever the id and the signature are, both come back as they were', () => {
  const id = fc
    .stringMatching(/^[A-Za-z0-9_.:-]{0,40}$/)
    .filter((text) => !text.includes('__ts') && !text.endsWith('_'));
  const base64 = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64'));
  fc.assert(
    fc.property(id, fc.oneof(base64, fc.string({ minLength: 1, unit: 'grapheme' })), (own, signature) => {
      const signed = signCallId(own, signedBy(signature));

      expect(signed).toMatch(/^[A-Za-z0-9_.:-]*$/);
      expect(openCallId(signed)).toEqual({ toolCallId: own, providerOptions: signedBy(signature) });
      expect(withoutSignedIds(JSON.stringify({ id: signed, text: 'a', of: [signed] }))).toBe(
        JSON.stringify({ id: own, text: 'a', of: [own] }),
      );
    }),
  );
});

test.each(['', 'call_1', 'toolu_01__ts', 'a__tsb_', 'a__tsx_b', 'a__tsb_not an id'])(
  'the id "%s" holds no signature and stays as it is',
  (id) => {
    expect(openCallId(id)).toEqual({ toolCallId: id });
    const body = JSON.stringify({ id, text: `see ${id} there` });
    expect(withoutSignedIds(body)).toBe(body);
  },
);
