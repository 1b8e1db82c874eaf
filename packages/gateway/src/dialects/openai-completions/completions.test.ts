import { startFakeProvider } from '@dragoman/testkit';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { UpstreamKind } from '../../config/gateway-config.ts';
import { openTestGateway, provider, recordedAnswer } from '../../gateway.fixture.ts';

async function open(type: UpstreamKind, given: object = {}) {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({
    providers: { fake: { ...provider(type, fake.url), ...given } },
    routes: { default: ['fake/m'] },
  });
  const noted: Record<string, unknown>[] = [];
  gateway.book.calls.listen((json) => noted.push(JSON.parse(json) as Record<string, unknown>));
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.tokenOf.member, maxRetries: 0 });
  const post = (body: unknown) =>
    gateway.call('/v1/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { fake, gateway, client, noted, post };
}

async function readAll<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const WHOLE = JSON.stringify({
  id: 'msg_1',
  type: 'message',
  model: 'claude-x',
  content: [
    { type: 'thinking', thinking: 'Hm.', signature: 's' },
    { type: 'text', text: ' upon a time' },
  ],
  stop_reason: 'max_tokens',
  usage: { input_tokens: 7, output_tokens: 3 },
});

describe('for a provider that speaks another protocol', () => {
  test('a text is asked of a chat model, and its answer comes back as a completion', async () => {
    const { fake, client, noted } = await open('anthropic-messages');
    fake.answer({ body: WHOLE });

    const completion = await client.completions.create({
      model: 'fake/m',
      prompt: ['Once'],
      max_tokens: 3,
      stop: 'END',
      temperature: 0.5,
      n: 1,
      best_of: 1,
      suffix: '',
      user: 'somebody',
    });

    expect(completion).toEqual({
      id: expect.stringMatching(/^cmpl-\w+$/) as string,
      object: 'text_completion',
      created: expect.any(Number) as number,
      model: 'claude-x',
      choices: [{ text: ' upon a time', index: 0, logprobs: null, finish_reason: 'length' }],
      usage: expect.objectContaining({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }) as object,
    });
    expect(fake.requests[0]).toMatchObject({
      path: '/v1/messages',
      body: {
        model: 'm',
        max_tokens: 3,
        stop_sequences: ['END'],
        temperature: 0.5,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Once' }] }],
      },
    });
    expect(noted).toMatchObject([{ dialect: 'openai-completions', target: 'fake/m', inputTokens: 7, outputTokens: 3 }]);
  });

  test.each(['anthropic-messages', 'openai-responses', 'gemini', 'ollama'] as const)(
    'a stream of %s is read by the OpenAI SDK, with the prompt before it where that is asked for',
    async (type) => {
      const { fake, client } = await open(type);
      fake.answer({ body: recordedAnswer(type, 'text') });
      const read = async (echo: boolean) => {
        const stream = await client.completions.create({
          model: 'fake/m',
          prompt: 'Say it: ',
          stream: true,
          echo,
          stream_options: { include_usage: true },
        });
        const chunks = await readAll(stream);
        return {
          text: chunks.map(({ choices }) => choices[0]?.text ?? '').join(''),
          ends: chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason)).filter(Boolean),
          objects: [...new Set(chunks.map(({ id, object }) => `${id.slice(0, 5)} ${object}`))],
          tokens: chunks.at(-1)!.usage!.total_tokens > 0,
        };
      };

      const plain = await read(false);
      expect(plain).toEqual({
        text: expect.stringMatching(/\w/) as string,
        ends: ['stop'],
        objects: ['cmpl- text_completion'],
        tokens: true,
      });
      expect(await read(true)).toEqual({ ...plain, text: `Say it: ${plain.text}` });
    },
  );

  test('an answer that is not streamed has the prompt before it where that is asked for', async () => {
    const { fake, client } = await open('anthropic-messages');
    fake.answer({ body: WHOLE });

    const { choices } = await client.completions.create({ model: 'fake/m', prompt: 'Once', echo: true });
    expect(choices[0]!.text).toBe('Once upon a time');
  });

  test('what a chat model cannot be told is refused by name', async () => {
    const { fake, post } = await open('anthropic-messages');
    const refused: [object, string][] = [
      [{ prompt: undefined }, 'prompt: expected a text'],
      [{ prompt: 7 }, 'prompt: expected a text'],
      [{ prompt: [] }, 'prompt: expected a text'],
      [{ prompt: [1, 2] }, 'prompt: this model cannot read token IDs; send the text.'],
      [{ prompt: [[1], [2]] }, 'prompt: this model cannot read token IDs; send the text.'],
      [{ prompt: ['a', 'b'] }, 'prompt: several prompts cannot be answered at once; send them one by one.'],
      [{ n: 2 }, 'n: this model gives one answer at a time; leave it out or send 1.'],
      [{ best_of: 3 }, 'best_of: this model gives one answer at a time; leave it out or send 1.'],
      [{ logprobs: 0 }, 'logprobs: this model does not return log probabilities; leave it out.'],
      [{ logit_bias: { 50256: -100 } }, 'logit_bias: this model does not support token biases; leave it out.'],
      [{ max_tokens: 0 }, 'max_tokens: this model writes at least one token.'],
    ];
    for (const [fields, message] of refused)
      expect(await post({ model: 'fake/m', prompt: 'x', ...fields })).toMatchObject({
        status: 400,
        body: { error: { type: 'invalid_request_error', message } },
      });
    expect(fake.requests).toEqual([]);
  });

  test('a stream that breaks off ends with an error that the client reads', async () => {
    const { fake, client } = await open('anthropic-messages');
    fake.answer({ body: recordedAnswer('anthropic-messages', 'text').slice(0, 4), isCut: true });
    const stream = await client.completions.create({ model: 'fake/m', prompt: 'x', stream: true });

    await expect(readAll(stream)).rejects.toThrow(/was terminated/);
  });
});

describe('for a provider that speaks Chat Completions', () => {
  const events = [
    '{"id":"cmpl-1","object":"text_completion","choices":[{"text":"a","index":0,"finish_reason":null}]}',
    '{"id":"cmpl-1","object":"text_completion","choices":[{"text":"","index":0,"finish_reason":"stop"}]}',
  ].map((event) => `data: ${event}\n\n`);
  const usage = 'data: {"id":"cmpl-1","choices":[],"usage":{"prompt_tokens":4,"completion_tokens":2}}\n\n';

  test('everything is passed on as it was sent, but secrets, and the answer as it came', async () => {
    const { fake, post, noted } = await open('openai-chat');
    const answer = `{"id":"cmpl-1","choices":[{"text":"b","logprobs":{"tokens":["b"]},"finish_reason":"stop"}],"usage":{"prompt_tokens":4,"completion_tokens":2}}`;
    fake.answer({ body: answer });
    const body = { prompt: [[1, 2], [3]], suffix: 'end', n: 2, best_of: 3, logprobs: 5, top_k: 7, echo: true };

    expect(await post({ model: 'fake/coder', ...body })).toMatchObject({ status: 200, text: answer });
    await post({ prompt: ['key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'b'] });

    expect(fake.requests.map(({ path, body: sent }) => [path, sent])).toEqual([
      ['/v1/completions', { ...body, model: 'coder' }],
      ['/v1/completions', { prompt: ['key [API_KEY_REDACTED]', 'b'], model: 'm' }],
    ]);
    expect(noted).toMatchObject([
      { dialect: 'openai-completions', target: 'fake/coder', inputTokens: 4, outputTokens: 2, finishReason: 'stop' },
      { target: 'fake/m', redactions: 1 },
    ]);
  });

  test('a stream is passed on, and its usage is noted and not shown to who did not ask', async () => {
    const { fake, post, noted } = await open('openai-chat', { path: '/deployments/{model}/chat/completions' });
    fake.answer({ body: [...events, usage, 'data: [DONE]\n\n'] });

    expect((await post({ prompt: 'x', stream: true })).text).toBe(`${events.join('')}data: [DONE]\n\n`);
    expect(fake.requests).toMatchObject([
      { path: '/v1/deployments/m/completions', body: { stream_options: { include_usage: true } } },
    ]);
    expect(noted).toMatchObject([{ inputTokens: 4, outputTokens: 2, isStreamed: true }]);
  });

  test('a target that cannot give several answers is passed over', async () => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({
      providers: { claude: provider('anthropic-messages', fake.url), coder: provider('openai-chat', fake.url) },
      routes: { fim: ['claude/c', 'coder/c'] },
    });
    fake.answer({ body: '{"choices":[{"text":"middle","finish_reason":"stop"}]}' });
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.tokenOf.member, maxRetries: 0 });

    const { choices } = await client.completions.create({ model: 'fim', prompt: 'a', suffix: 'b', n: 2 });
    expect(choices[0]!.text).toBe('middle');
    expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/completions']);
  });
});
