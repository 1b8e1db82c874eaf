import Anthropic from '@anthropic-ai/sdk';
import { type ProviderRequest, type ScriptedAnswer, startFakeProvider } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider } from '../../gateway.fixture.ts';

const QUESTION = { role: 'user' as const, content: 'What is the weather in Rome?' };
const ran: unknown[] = [];
const weather = {
  type: 'custom' as const,
  name: 'weather',
  description: 'The weather of a city.',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
  parse: (input: unknown) => input as { city: string },
  run: async (input: { city: string }) => {
    ran.push(input);
    return 'sunny';
  },
};

interface ChatMessage {
  role: string;
  content: unknown;
  tool_call_id?: string;
  tool_calls?: { id: string }[];
}

/** Answers as OpenAI does: results without their calls are refused, a first question gets a call, its result an answer. */
function likeOpenAi({ body }: ProviderRequest): ScriptedAnswer {
  const messages = body['messages'] as ChatMessage[];
  const called = new Set(messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)));
  const orphan = messages.some(({ role, tool_call_id: id }) => role === 'tool' && !called.has(id ?? ''));
  if (orphan || !messages.some(({ role }) => role === 'user'))
    return {
      status: 400,
      body: JSON.stringify({ error: { message: 'messages with role "tool" must follow a call' } }),
    };
  const isAnswered = messages.at(-1)!.role === 'tool';
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
  const message = isAnswered
    ? { role: 'assistant', content: 'It is sunny.' }
    : { role: 'assistant', content: null, tool_calls: [call] };
  const choice = { index: 0, message, finish_reason: isAnswered ? 'stop' : 'tool_calls' };
  return { body: JSON.stringify({ id: 'chatcmpl-1', model: 'm', choices: [choice] }) };
}

async function open(kind: 'openai-chat' | 'anthropic-messages') {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { fake: provider(kind, fake.url) }, routes: {} });
  const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.tokenOf.member, maxRetries: 0 });
  const ask = (body: object) =>
    gateway.call('/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fake/m', max_tokens: 100, ...body }),
    });
  return { fake, gateway, client, ask };
}

describe('a thread of messages', () => {
  test("is left by Anthropic's tool runner where the provider is another, and the conversation is whole", async () => {
    const { fake, client } = await open('openai-chat');
    fake.answer(likeOpenAi);
    ran.length = 0;

    const last = await client.beta.messages.toolRunner({
      model: 'fake/m',
      max_tokens: 100,
      messages: [QUESTION],
      tools: [weather],
    });

    expect(last.content).toEqual([{ type: 'text', text: 'It is sunny.' }]);
    expect(ran).toEqual([{ city: 'Rome' }]);
    expect(fake.requests.map(({ body }) => (body['messages'] as ChatMessage[]).map(({ role }) => role))).toEqual([
      ['user'],
      ['user', 'assistant', 'tool'],
    ]);
    expect(fake.requests.every(({ body }) => (body['tools'] as unknown[]).length === 1)).toBe(true);
  });

  test.each([
    ['begun', { thread: { type: 'create' }, messages: [QUESTION] }],
    ['gone on from', { thread: { type: 'continue', previous_message_id: 'msg_1' }, messages: [QUESTION] }],
    ['resumed', { thread: { type: 'continue', previous_message_id: 'msg_1' }, messages: [] }],
    ['of another kind', { thread: 'x', messages: [QUESTION] }],
  ])('is refused by the code that its SDK knows when it is %s', async (_, body) => {
    const { fake, ask } = await open('openai-chat');
    const { status, text } = await ask(body);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'thread: the provider of this model does not support message threads. Send the whole conversation as messages.',
        details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
      },
    });
    expect(fake.requests).toEqual([]);
  });

  test('is refused as an error of its own type', async () => {
    const { client } = await open('openai-chat');
    const asked = client.beta.messages.create({
      model: 'fake/m',
      max_tokens: 1,
      messages: [QUESTION],
      thread: { type: 'create' },
    });
    await expect(asked).rejects.toMatchObject({ status: 400, errorCode: 'thread_unsupported_request' });
  });

  test('that Anthropic itself refuses is left by its tool runner, too', async () => {
    const { fake, client } = await open('anthropic-messages');
    const details = { error_code: 'thread_unsupported_request', unsupported: ['model'] };
    const refusal = { type: 'error', error: { type: 'invalid_request_error', message: 'no threads', details } };
    const answer = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hello.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    fake.answer({ status: 400, body: JSON.stringify(refusal) }, { body: JSON.stringify(answer) });

    const last = await client.beta.messages.toolRunner({
      model: 'fake/m',
      max_tokens: 100,
      messages: [QUESTION],
      tools: [weather],
    });

    expect(last.content).toEqual([{ type: 'text', text: 'Hello.' }]);
    expect(fake.requests.map(({ body }) => body['thread'])).toEqual([{ type: 'create' }, undefined]);
  });

  test('of none is no thread', async () => {
    const { fake, ask } = await open('openai-chat');
    fake.answer(likeOpenAi);
    expect((await ask({ thread: null, messages: [QUESTION] })).status).toBe(200);
  });
});
