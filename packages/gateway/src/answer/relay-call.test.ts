import { type ScriptedAnswer, startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway, provider } from '../gateway.fixture.ts';

const KEY = 'UPSTREAM-KEY-zq81Lk29fjQw';

/** What a client gets whose call is passed on to a provider that answers so. */
async function relayed(path: '/v1/chat/completions' | '/v1/responses', asked: object, answer: ScriptedAnswer) {
  const fake = await startFakeProvider();
  fake.answer(answer);
  const type = path === '/v1/responses' ? 'openai-responses' : 'openai-chat';
  const gateway = await openTestGateway({
    providers: { fake: { ...provider(type, fake.url), apiKey: KEY } },
    routes: { default: ['fake/m'], embedding: ['fake/m'] },
  });
  return gateway.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'default', ...asked }),
  });
}

const CHAT = { messages: [{ role: 'user', content: 'Hi' }] };

test.each(['', 'x'.repeat(30)])('a content type that repeats the key does not reach the client: %s', async (before) => {
  const headers = { 'content-type': `text/x-${before}${KEY}` };
  const { status, text } = await relayed('/v1/chat/completions', CHAT, { headers, body: 'x' });
  expect(status).toBe(503);
  expect(text).toContain(`answered with text/x-${before}[REDACTED]`);
  expect(text).not.toContain(KEY.slice(0, 8));
});

test.each([5, 12, KEY.length - 1])(
  'a stream that ends after %i characters of the key ends without them',
  async (length) => {
    const headers = { 'content-type': 'text/event-stream' };
    const body = `data: {"error":{"message":"bad key ${KEY.slice(0, length)}`;
    const { text } = await relayed('/v1/chat/completions', { ...CHAT, stream: true }, { headers, body });
    expect(text).toContain('Connection error');
    expect(text).not.toContain(KEY.slice(0, length));
  },
);

test('an answer at once with more calls than any model makes is given up', async () => {
  const call = (_: unknown, index: number) => ({
    type: 'function_call',
    call_id: `c${index}`,
    name: 'f',
    arguments: '{}',
  });
  const body = JSON.stringify({ id: 'r', status: 'completed', output: Array.from({ length: 6_000 }, call) });
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await relayed('/v1/responses', { input: 'Hi' }, { headers, body });
  expect(status).toBe(503);
  expect(text).toContain("The provider's answer is too large: more than 5000 blocks.");
});
