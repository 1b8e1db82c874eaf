import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway, provider } from '../gateway.fixture.ts';

const messages = [{ role: 'user', content: 'hi' }];
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
const GEMINI = '/v1beta/models/offline%2Foffline:generateContent';

async function open() {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { fake: provider('anthropic-messages', fake.url) } });
  const post = (path: string, body: object) =>
    gateway.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'offline/offline', ...body }),
    });
  return { fake, post };
}

test.each([
  ['/v1/messages', 'max_tokens', (limit: number) => ({ messages, max_tokens: limit })],
  ['/v1/chat/completions', 'max_tokens', (limit: number) => ({ messages, max_tokens: limit })],
  ['/v1/chat/completions', 'max_completion_tokens', (limit: number) => ({ messages, max_completion_tokens: limit })],
  ['/v1/chat/completions', 'n', (limit: number) => ({ messages, n: limit })],
  ['/v1/responses', 'max_output_tokens', (limit: number) => ({ input: 'hi', max_output_tokens: limit })],
  [
    GEMINI,
    'generationConfig.maxOutputTokens',
    (limit: number) => ({ contents, generationConfig: { maxOutputTokens: limit } }),
  ],
])('%s refuses a %s below one', async (path, field, bodyOf) => {
  const { post } = await open();

  for (const limit of [0, -1, -4096]) {
    const { status, body } = await post(path, bodyOf(limit));
    expect([status, body.error?.message]).toEqual([400, `${field}: expected 1 or more`]);
  }
  expect((await post(path, bodyOf(1))).status).toBe(200);
});

test('a limit that the client puts to a provider of its own protocol is for that one to judge', async () => {
  const { fake, post } = await open();
  fake.answer({ body: JSON.stringify({ type: 'message', role: 'assistant', content: [] }) });

  await post('/v1/messages', { model: 'fake/m', messages, max_tokens: 0 });

  expect(fake.requests[0]!.body).toMatchObject({ max_tokens: 0 });
});

test('Ollama has numbers below one for "until it is done"', async () => {
  const { post } = await open();

  for (const limit of [-1, -2])
    expect((await post('/api/chat', { messages, stream: false, options: { num_predict: limit } })).status).toBe(200);
});
