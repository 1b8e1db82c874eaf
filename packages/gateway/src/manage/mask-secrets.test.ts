import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testTarget } from '../routing/target.fixture.ts';
import { maskSecrets, maskUserInfo } from './mask-secrets.ts';

test('whatever a provider repeats of its keys, headers and query is not in the text any more', () => {
  const secret = fc
    .string({ minLength: 8, maxLength: 60 })
    .filter((text) => text.trim().length >= 8 && !text.includes('•'));
  fc.assert(
    fc.property(secret, secret, secret, fc.string(), (key, header, token, around) => {
      const { provider } = testTarget({ apiKey: [key], headers: { 'x-a': header }, query: { access_token: token } });
      const masked = maskSecrets(
        [around, key, around, encodeURIComponent(header), JSON.stringify({ token })].join('\n'),
        provider,
      );
      for (const shown of [key, encodeURIComponent(header), JSON.stringify(token).slice(1, -1)])
        expect(masked).not.toContain(shown);
    }),
  );
});

test('words of a message stay what they are', () => {
  const { provider } = testTarget({ apiKey: 'ollama', query: { 'api-version': '2026-01-01' } });

  expect(maskSecrets('ollama does not know 2026-01-01', provider)).toBe('ollama does not know 2026-01-01');
});

test('an address is shown without the name and the password in it', () => {
  expect(maskUserInfo('https://me:p@ss@host.example:8443/v1')).toBe('https://••••••@host.example:8443/v1');
  expect(maskUserInfo('https://host.example/@me/v1')).toBe('https://host.example/@me/v1');
});
