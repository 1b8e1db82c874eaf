import Anthropic from '@anthropic-ai/sdk';
import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { UpstreamKind } from '../../config/gateway-config.ts';
import { openTestGateway, provider } from '../../gateway.fixture.ts';

async function open(type: UpstreamKind, given: object = {}) {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { fake: { ...provider(type, fake.url), ...given } } });
  const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.tokenOf.member, maxRetries: 0 });
  const count = (body: object) =>
    gateway.call('/v1/messages/count_tokens', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-beta': 'a-beta' },
      body: JSON.stringify({ model: 'fake/m', ...body }),
    });
  return { fake, client, count };
}

const HI = [{ role: 'user' as const, content: 'hello' }];
/** What only Anthropic understands. */
const OWN = {
  messages: [
    ...HI,
    { role: 'assistant', content: [{ type: 'compaction', content: 'so far' }] },
    { role: 'user', content: [{ type: 'container_upload', file_id: 'file_1' }] },
  ],
  thread: { type: 'create' },
};

test('a provider that counts is asked, with its own name of the model and without secrets', async () => {
  const { fake, client } = await open('anthropic-messages', { path: '/eu/messages' });
  fake.answer({ body: '{"input_tokens":1234}' });
  const said = 'key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

  expect(
    await client.messages.countTokens({ model: 'fake/claude', messages: [{ role: 'user', content: said }] }),
  ).toEqual({ input_tokens: 1234 });
  expect(fake.requests).toMatchObject([
    {
      path: '/v1/eu/messages/count_tokens',
      headers: { 'anthropic-version': expect.any(String) as string },
      body: { model: 'claude', messages: [{ role: 'user', content: 'key [API_KEY_REDACTED]' }] },
    },
  ]);
});

test('such a provider is asked about what nobody else understands, as it came', async () => {
  const { fake, count } = await open('anthropic-messages');
  fake.answer({ body: '{"input_tokens":7}' });

  expect((await count(OWN)).body).toEqual({ input_tokens: 7 });
  expect(fake.requests[0]).toMatchObject({ headers: { 'anthropic-beta': 'a-beta' }, body: { ...OWN, model: 'm' } });
});

test.each(['openai-chat', 'openai-responses', 'gemini'] as const)(
  'for a provider of type %s the tokens are estimated here, whatever is to be counted',
  async (type) => {
    const { fake, count } = await open(type);

    expect((await count({ messages: HI })).body).toEqual({ input_tokens: 6 });
    expect((await count(OWN)).body).toEqual({ input_tokens: 36 });
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/x', data: 'A'.repeat(90_000) } };
    const { body } = await count({ messages: [{ role: 'user', content: [picture] }] });
    expect(body).toEqual({ input_tokens: 1610 });
    expect(fake.requests).toEqual([]);
  },
);

test.each([404, 405, 501])(
  'a provider that answers %i has no such call, and the tokens are estimated',
  async (status) => {
    const { fake, count } = await open('anthropic-messages');
    fake.answer({ status, body: '{}' });

    expect((await count({ messages: HI })).body).toEqual({ input_tokens: 6 });
  },
);

test('other refusals of the provider, and requests that make no sense, are told', async () => {
  const { fake, count } = await open('anthropic-messages');
  fake.answer({ status: 400, body: '{"type":"error","error":{"type":"invalid_request_error","message":"no"}}' });

  expect(await count({ messages: HI })).toMatchObject({ status: 400, body: { error: { message: 'no' } } });
  for (const body of [{ messages: [] }, { messages: 'x' }, { messages: HI, model: 7 }])
    expect(await count(body)).toMatchObject({ status: 400, body: { type: 'error' } });
});
