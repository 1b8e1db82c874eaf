import { DragomanError } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testTarget } from '../routing/target.fixture.ts';
import { hideInError, withoutProviderSecrets } from './provider-secrets.ts';

test('whatever a provider repeats of its keys, headers, query and address is not in the text any more', () => {
  const secret = fc
    .string({ minLength: 8, maxLength: 60 })
    .filter((text) => text.trim().length >= 8 && !text.includes('REDACTED') && !/^[a-z]+$/i.test(text));
  fc.assert(
    fc.property(secret, secret, secret, secret, fc.string(), (key, header, token, password, around) => {
      const { provider } = testTarget({
        apiKey: [key],
        headers: { 'x-a': header },
        query: { access_token: token },
        baseUrl: `https://ann:${encodeURIComponent(password)}@host.example/v1?code=${encodeURIComponent(password)}`,
      });
      const form = new URLSearchParams({ token }).toString();
      const said = [key, encodeURIComponent(header), JSON.stringify({ token }), form, password];
      const shown = withoutProviderSecrets(said.join(`\n${around}\n`), provider);
      for (const gone of [key, encodeURIComponent(header), JSON.stringify(token).slice(1, -1), form.slice(6), password])
        expect(shown).not.toContain(gone);
    }),
  );
});

test('words of a message stay what they are', () => {
  const { provider } = testTarget({
    apiKey: 'ollama',
    query: { 'api-version': '2026-01-01', region: 'westeurope' },
    headers: { 'openai-beta': 'assistants', 'x-retries': '3' },
    baseUrl: 'https://host.example/v1/models?api-version=2024-10-21-preview',
  });
  const said = 'ollama does not know 2026-01-01 or 2024-10-21-preview for assistants at host.example/v1 in westeurope';

  expect(withoutProviderSecrets(said, provider)).toBe(said);
});

test('an error says nothing of a key, nor does its cause, its stack, or a message that was cut in the middle of one', () => {
  const { provider } = testTarget({ query: { key: 'Quiet-Query-Key-42' } });
  const cause = new Error('connect to https://a.example/?key=Quiet-Query-Key-42');
  const error = new DragomanError('unavailable', 'https://a.example/?key=Quiet-Query-Key-42 and Quiet-Query', {
    cause,
  });

  hideInError(error, provider);

  expect(error.message).toBe('https://a.example/?key=[REDACTED] and [REDACTED]');
  expect(cause.message).toBe('connect to https://a.example/?key=[REDACTED]');
  expect(`${error.stack}${cause.stack}`).not.toContain('Quiet');
});
