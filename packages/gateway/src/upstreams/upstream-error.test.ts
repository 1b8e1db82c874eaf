import { expect, test } from 'vitest';
import { toStreamError, toUpstreamError } from './upstream-error.ts';

test.each([
  ['OpenAI', 400, '{"error":{"message":"Too many tokens","code":"context_length_exceeded"}}'],
  [
    'Anthropic',
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
  ],
  [
    'Gemini',
    400,
    '{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}',
  ],
])('a prompt that is longer than the model of %s takes is told by its own code', (_name, status, body) => {
  expect(toUpstreamError('p', status, body, {})).toMatchObject({ code: 'context-overflow', isRetryable: false });
});

test('any other bad request is a bad request', () => {
  expect(toUpstreamError('p', 400, '{"error":{"message":"no such tool"}}', {})).toMatchObject({ code: 'bad-request' });
});

test('a stream that ends because the prompt is too long says so', () => {
  expect(toStreamError({ code: 'context_length_exceeded', message: 'too long' })).toMatchObject({
    code: 'context-overflow',
  });
});

test('a provider may ask for a wait in milliseconds, in seconds or until a date', () => {
  const wait = (headers: Record<string, string>) => toUpstreamError('p', 429, '', headers).retryAfterMs;

  expect(wait({ 'retry-after-ms': '50', 'retry-after': '3' })).toBe(50);
  expect(wait({ 'retry-after': '3' })).toBe(3_000);
  expect(wait({ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(0);
  expect(wait({})).toBeUndefined();
});

test('BYOK-24 a key that the provider repeats in its refusal is not passed on', () => {
  const said = `{"error":{"message":"Incorrect API key provided: sk-${'a'.repeat(48)}."}}`;

  expect(toUpstreamError('p', 401, said, {}).message).toBe(
    'The provider "p" answered 401: Incorrect API key provided: [API_KEY_REDACTED].',
  );
  expect(toStreamError((JSON.parse(said) as { error: unknown }).error).message).toBe(
    'The provider stopped: Incorrect API key provided: [API_KEY_REDACTED].',
  );
});
