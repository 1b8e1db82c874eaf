import { startFakeProvider } from '@dragoman/testkit';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { openTestGateway, provider } from '../../gateway.fixture.ts';
import type { UpstreamKind } from '../../config/gateway-config.ts';

async function open(type: UpstreamKind, given: object = {}) {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { fake: { ...provider(type, fake.url), ...given } } });
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.tokenOf.member, maxRetries: 0 });
  return { fake, gateway, client };
}

test('a provider that counts is asked, with its own name of the model and without secrets', async () => {
  const { fake, client } = await open('openai-responses', { path: '/eu/responses', query: { v: '1' } });
  fake.answer({ body: '{"object":"response.input_tokens","input_tokens":1234}' });

  expect(
    await client.responses.inputTokens.count({
      model: 'fake/gpt-5',
      instructions: 'Be brief.',
      input: 'key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      tools: [{ type: 'function', name: 'read', parameters: {}, strict: false }],
    }),
  ).toEqual({ object: 'response.input_tokens', input_tokens: 1234 });
  expect(fake.requests).toMatchObject([
    {
      path: '/v1/eu/responses/input_tokens?v=1',
      body: {
        model: 'gpt-5',
        instructions: 'Be brief.',
        input: 'key [API_KEY_REDACTED]',
        tools: [{ type: 'function', name: 'read' }],
      },
    },
  ]);
});

test.each(['openai-chat', 'anthropic-messages', 'gemini'] as const)(
  'for a provider of type %s the tokens are estimated here, and nobody is asked',
  async (type) => {
    const { fake, client } = await open(type);

    const short = await client.responses.inputTokens.count({ model: 'fake/m', input: 'hello' });
    const long = await client.responses.inputTokens.count({ model: 'fake/m', input: 'hello '.repeat(600) });
    expect([short.input_tokens, long.input_tokens]).toEqual([6, 1004]);
    expect(fake.requests).toEqual([]);
  },
);

test.each([404, 405, 501])(
  'a provider that answers %i has no such call, and the tokens are estimated',
  async (status) => {
    const { fake, client } = await open('openai-responses');
    fake.answer({ status, body: '{}' });

    expect((await client.responses.inputTokens.count({ model: 'fake/m', input: 'hello' })).input_tokens).toBe(6);
  },
);

test('other refusals of the provider, and requests that make no sense, are told', async () => {
  const { fake, gateway, client } = await open('openai-responses');
  fake.answer({ status: 400, body: '{"error":{"message":"Unknown parameter: \'top_p\'."}}' });
  await expect(client.responses.inputTokens.count({ model: 'fake/m', input: 'x' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("Unknown parameter: 'top_p'.") as string,
  });
  const post = (body: unknown) =>
    gateway.call('/v1/responses/input_tokens', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  expect(await post({ model: 7 })).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
  expect(await post({ model: 'offline/offline', input: [] })).toMatchObject({ status: 400 });
  expect(await post({ model: 'ghost/x', input: 'x' })).toMatchObject({ status: 400 });
});
