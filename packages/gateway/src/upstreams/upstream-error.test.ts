import { expect, test } from 'vitest';
import { isOverload, toStreamError, toUpstreamError } from './upstream-error.ts';

const refused = (status: number, body: string, headers: Record<string, string> = {}) =>
  toUpstreamError('p', { status, body, headers });

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
  ['Bedrock', 400, '{"message":"Input is too long for requested model."}'],
  ['xAI', 400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens"],
  ['Groq', 400, '{"error":{"message":"Please reduce the length of the messages or completion."}}'],
  ['Together', 422, "The input (140000 tokens) is longer than the model's context length (131072 tokens)."],
  ['Copilot', 400, '{"error":{"message":"prompt token count of 130000 exceeds the limit of 128000"}}'],
  ['llama.cpp', 400, '{"error":{"code":400,"message":"too long","type":"exceed_context_size_error"}}'],
  ['LM Studio', 400, '{"error":"tokens to keep from the initial prompt is greater than the context length"}'],
  ['MiniMax', 400, '{"error":{"message":"invalid params, context window exceeds limit"}}'],
  ['Kimi', 400, '{"error":{"message":"Your request exceeded model token limit: 262144"}}'],
  [
    'Mistral',
    400,
    '{"message":"Prompt contains 140000 tokens, too large for model with 131072 maximum context length"}',
  ],
  ['Ollama', 500, '{"error":"prompt too long; exceeded max context length by 5000 tokens"}'],
  ['Qwen', 400, '{"error":{"message":"Range of input length should be [1, 129024]"}}'],
  ['a proxy', 413, '{"error":{"message":"input length and `max_tokens` exceed context limit: 200000"}}'],
])('a prompt that is longer than the model of %s takes is told by its own code', (_name, status, body) => {
  expect(refused(status, body)).toMatchObject({ code: 'context-overflow', isRetryable: false });
});

test('any other bad request is a bad request', () => {
  expect(refused(400, '{"error":{"message":"no such tool"}}')).toMatchObject({ code: 'bad-request' });
});

test.each([
  [429, 'Too many tokens per minute: reduce the length of the messages'],
  [503, 'maximum context length'],
  [400, 'The context is of no use'],
])('a refusal that only sounds like it is not taken for it: %i %s', (status, message) => {
  expect(refused(status, JSON.stringify({ error: { message } })).code).not.toBe('context-overflow');
});

test('an overload is told from a limit of requests and from other failures', () => {
  const seen = [429, 500, 502, 503, 529].map((status) => {
    const error = refused(status, '', { 'retry-after': '2' });
    return [status, error.code, error.isRetryable, error.retryAfterMs, isOverload(error)];
  });
  expect(seen).toEqual([
    [429, 'rate-limited', true, 2_000, false],
    [500, 'unavailable', true, 2_000, false],
    [502, 'unavailable', true, 2_000, false],
    [503, 'unavailable', true, 2_000, true],
    [529, 'unavailable', true, 2_000, true],
  ]);
});

test('what a refusal said stands in no field that a log would write', () => {
  const error = refused(400, '{"error":{"message":"x","said":"only to the client"}}');
  expect(Object.keys(error)).not.toContain('refusal');
  expect(JSON.stringify(Object.entries(error))).not.toContain('only to the client');
});

test('a stream that ends because the prompt is too long says so', () => {
  expect(toStreamError({ code: 'context_length_exceeded', message: 'too long' })).toMatchObject({
    code: 'context-overflow',
  });
});

test('a provider may ask for a wait in milliseconds, in seconds or until a date', () => {
  const wait = (headers: Record<string, string>) => refused(429, '', headers).retryAfterMs;

  expect(wait({ 'retry-after-ms': '50', 'retry-after': '3' })).toBe(50);
  expect(wait({ 'retry-after': '3' })).toBe(3_000);
  expect(wait({ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(0);
  expect(wait({})).toBeUndefined();
});

test('Google asks for a wait in the body of its refusal; a header says more', () => {
  const info = (retryDelay: unknown) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });
  const quota = { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] };
  const said = (...details: unknown[]) => ({
    error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'x', details },
  });
  const wait = (body: unknown, headers = {}) => refused(429, JSON.stringify(body), headers).retryAfterMs;

  expect(wait(said(quota, info('7s')))).toBe(7_000);
  expect(wait([said(info('7.25s'))])).toBe(7_250);
  expect(wait(said(info('7s')), { 'retry-after': '3' })).toBe(3_000);
  for (const delay of ['7', '-7s', 'soon', '1e9s', '9'.repeat(400) + 's', 7, null])
    expect(wait(said(info(delay)))).toBeUndefined();
  expect(wait({ error: { details: info('7s') } })).toBeUndefined();
  expect(refused(429, '{"error":"google.rpc.RetryInfo').retryAfterMs).toBeUndefined();
});

test('BYOK-24 a key that the provider repeats in its refusal is not passed on', () => {
  const said = `{"error":{"message":"Incorrect API key provided: sk-${'a'.repeat(48)}."}}`;

  expect(refused(401, said).message).toBe(
    'The provider "p" answered 401: Incorrect API key provided: [API_KEY_REDACTED].',
  );
  expect(toStreamError((JSON.parse(said) as { error: unknown }).error).message).toBe(
    'The provider stopped: Incorrect API key provided: [API_KEY_REDACTED].',
  );
});
