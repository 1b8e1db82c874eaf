import { startFakeProvider } from '@dragoman/testkit';
import { Ollama } from 'ollama';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer, type TestGateway } from '../../gateway.fixture.ts';

const post = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const whole = (message: object) => ({
  body: JSON.stringify({
    choices: [{ message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 12, completion_tokens: 34 },
  }),
});
const clientOf = ({ url, tokenOf }: TestGateway) => new Ollama({ host: `${url}/token/${tokenOf.models}` });
const USER = [{ role: 'user', content: 'hi' }];
const NUMBERS = {
  total_duration: expect.any(Number),
  load_duration: 0,
  prompt_eval_duration: expect.any(Number),
  eval_duration: expect.any(Number),
};

async function openChat(options: object = {}) {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({
    providers: { fake: { ...provider('openai-chat', fake.url), ...options } },
    routes: { default: ['fake/m'], embedding: ['fake/vectors'] },
  });
  return { fake, gateway, client: clientOf(gateway) };
}

describe('an answer', () => {
  test('comes in lines, of which the last one tells why it ended and what it took', async () => {
    const { fake, gateway } = await openChat();
    fake.answer({ body: recordedAnswer('openai-chat', 'tool') });

    const { headers, text } = await gateway.call('/api/chat', post({ model: 'default', messages: USER }));

    expect(headers.get('content-type')).toBe('application/x-ndjson');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const line of lines)
      expect(line).toMatchObject({ model: 'default', created_at: expect.stringMatching(/^20\d\d-.*Z$/) });
    expect(lines.map(({ done }) => done)).toEqual([...lines.slice(1).map(() => false), true]);
    expect(lines.flatMap(({ message }) => (message as { tool_calls?: object[] }).tool_calls ?? [])).toEqual([
      {
        id: expect.any(String),
        function: { index: 0, name: expect.any(String), arguments: expect.any(Object) },
      },
    ]);
    expect(lines.at(-1)).toEqual({
      model: 'default',
      created_at: expect.any(String),
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: expect.any(Number),
      eval_count: expect.any(Number),
      ...NUMBERS,
    });
  });

  test('may come at once, with its thoughts and calls', async () => {
    const { fake, client } = await openChat();
    fake.answer(
      whole({
        role: 'assistant',
        content: 'Hello',
        reasoning_content: 'Hm.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
      }),
    );

    expect(await client.chat({ model: 'default', messages: USER, stream: false })).toEqual({
      model: 'default',
      created_at: expect.any(String),
      message: {
        role: 'assistant',
        content: 'Hello',
        thinking: 'Hm.',
        tool_calls: [{ id: 'c1', function: { index: 0, name: 'read', arguments: { path: 'a.ts' } } }],
      },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 12,
      eval_count: 34,
      ...NUMBERS,
    });
  });

  test('has no thoughts where the client wants none', async () => {
    const { fake, client } = await openChat();
    fake.answer(whole({ role: 'assistant', content: 'Hello', reasoning_content: 'Hm.' }));
    const answer = await client.chat({ model: 'default', messages: USER, stream: false, think: false });
    expect(answer.message).toEqual({ role: 'assistant', content: 'Hello' });

    fake.answer({ body: recordedAnswer('openai-chat', 'reasoning') });
    const thoughts: unknown[] = [];
    for await (const { message } of await client.chat({ model: 'default', messages: USER, stream: true, think: false }))
      thoughts.push(message.thinking);
    expect(thoughts.filter((thought) => thought !== undefined)).toEqual([]);
  });

  test('to a prompt is its response, streamed and at once', async () => {
    const { fake, client } = await openChat();
    fake.answer(whole({ role: 'assistant', content: 'Hello', reasoning_content: 'Hm.' }));
    expect(await client.generate({ model: 'default', prompt: 'hi', stream: false })).toMatchObject({
      response: 'Hello',
      thinking: 'Hm.',
      done_reason: 'stop',
      eval_count: 34,
    });

    fake.answer({ body: recordedAnswer('openai-chat', 'reasoning') });
    let [response, thinking] = ['', ''];
    for await (const part of await client.generate({ model: 'default', prompt: 'hi', stream: true })) {
      response += part.response ?? '';
      thinking += part.thinking ?? '';
    }
    expect(response).not.toBe('');
    expect(thinking).not.toBe('');
  });

  test('a hint that no other protocol has is left out and named', async () => {
    const { fake, gateway } = await openChat();
    fake.answer(whole({ role: 'assistant', content: 'Hello' }));
    const body = { model: 'default', messages: USER, stream: false, keep_alive: '5m', options: { num_ctx: 9 } };

    const { headers } = await gateway.call('/api/chat', post(body));

    expect(headers.get('x-dragoman-left-out')).toBe('keep_alive, options.num_ctx');
    expect(fake.requests[0]!.text).not.toMatch(/keep_alive|num_ctx/);
  });

  test('an error has the form and the status that clients read, before the stream and in it', async () => {
    const { fake, gateway, client } = await openChat({ models: ['m'] });

    await expect(client.chat({ model: 'nobody/x', messages: USER })).rejects.toMatchObject({
      name: 'ResponseError',
      status_code: 404,
      error: expect.stringContaining('There is no model named "nobody/x".'),
    });
    fake.answer({ body: [recordedAnswer('openai-chat', 'text')[0]!], isCut: true });
    const { status, text } = await gateway.call('/api/chat', post({ model: 'default', messages: USER }));
    expect(status).toBe(200);
    expect(JSON.parse(text.trimEnd().split('\n').at(-1)!)).toEqual({ error: expect.any(String) });
  });

  test('to a call that says nothing is that the model is there, and no provider is asked', async () => {
    const { fake, client } = await openChat();
    const asked = [
      await client.chat({ model: 'default', messages: [], stream: false }),
      await client.generate({ model: 'default', prompt: '', stream: false, keep_alive: 0 }),
    ];
    expect(asked).toMatchObject([
      { message: { content: '' }, done: true, done_reason: 'load' },
      { response: '', done: true, done_reason: 'unload' },
    ]);
    expect(fake.requests).toEqual([]);
  });
});

describe('passed on to a provider of its own kind', () => {
  test('a prompt goes where prompts go, with the options of the provider, and its usage is noted', async () => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({
      providers: { fake: { ...provider('ollama', fake.url), options: { num_ctx: 32_768, top_k: 5 } } },
      routes: { default: { targets: ['fake/qwen3'], temperature: 0.2, maxTokens: 50 } },
    });
    const line = { model: 'qwen3', response: 'Hi', done: true, prompt_eval_count: 3, eval_count: 4 };
    fake.answer({ body: [`${JSON.stringify(line)}\n`] });
    const body = { prompt: 'x', raw: true, template: 't', images: ['AAAA'], options: { top_k: 9 } };

    const { text } = await gateway.call('/api/generate', post({ model: 'default', ...body }));

    expect(text).toBe(`${JSON.stringify(line)}\n`);
    expect(fake.requests[0]).toMatchObject({
      path: '/api/generate',
      body: {
        ...body,
        model: 'qwen3',
        options: { num_ctx: 32_768, top_k: 9, temperature: 0.2, num_predict: 50 },
      },
    });
    await gateway.book.usageLog.flush();
    expect((await gateway.call('/api/usage')).body).toMatchObject({
      rows: [{ calls: 1, inputTokens: 3, outputTokens: 4 }],
    });
  });

  test('a stream that breaks off ends with a line that says so', async () => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({ providers: { fake: provider('ollama', fake.url) } });
    const piece = '{"model":"m","message":{"role":"assistant","content":"H"},"done":false}\n';
    fake.answer({ body: [piece], isCut: true });

    const { text } = await gateway.call('/api/chat', post({ model: 'fake/m', messages: USER }));

    expect(text.startsWith(piece)).toBe(true);
    expect(JSON.parse(text.trimEnd().split('\n').at(-1)!)).toEqual({ error: expect.any(String) });
  });
});

describe('models', () => {
  test('are listed under the names that can be asked for', async () => {
    const { client } = await openChat();
    const { models } = await client.list();
    expect(models.map(({ name, model }) => [name, model])).toEqual([
      ['default', 'default'],
      ['embedding', 'embedding'],
      ['offline/offline', 'offline/offline'],
    ]);
    expect(new Set(models.map(({ digest }) => digest)).size).toBe(3);
    expect(await client.ps()).toEqual({ models: [] });
  });

  test('tell what they can do and how much they take', async () => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({
      providers: {
        claude: { ...provider('anthropic-messages', fake.url), models: ['claude-sonnet-5'] },
        blind: { ...provider('openai-chat', fake.url), images: false, models: ['small'] },
      },
    });
    const client = clientOf(gateway);

    expect(await client.show({ model: 'claude/claude-sonnet-5' })).toMatchObject({
      capabilities: ['completion', 'tools', 'vision', 'thinking'],
      model_info: { 'general.architecture': 'dragoman', 'dragoman.context_length': 200_000 },
    });
    expect(await client.show({ model: 'blind/small' })).toMatchObject({ capabilities: ['completion', 'tools'] });
    await expect(client.show({ model: 'blind/large' })).rejects.toMatchObject({ status_code: 404 });
  });

  test('are found with the tag that clients add', async () => {
    const { fake, client } = await openChat();
    fake.answer(whole({ role: 'assistant', content: 'Hello' }));

    const answer = await client.chat({ model: 'default:latest', messages: USER, stream: false });

    expect(answer).toMatchObject({ model: 'default:latest', message: { content: 'Hello' } });
    expect(fake.requests[0]!.body).toMatchObject({ model: 'm' });
    expect(await client.show({ model: 'default:latest' })).toMatchObject({ capabilities: expect.any(Array) });
  });

  test('are there when they are pulled, and are not changed by clients', async () => {
    const { client } = await openChat();
    expect(await client.pull({ model: 'default', stream: false })).toEqual({ status: 'success' });
    await expect(client.delete({ model: 'default' })).rejects.toMatchObject({
      status_code: 403,
      error: 'Models cannot be changed here. They are part of the server settings.',
    });
  });

  test('an address with a token looks like Ollama to those who knock', async () => {
    const { gateway, client } = await openChat();
    const root = `${gateway.url}/token/${gateway.tokenOf.models}`;
    for (const address of [root, `${root}/`]) {
      const answer = await fetch(address);
      expect([answer.status, await answer.text()]).toEqual([200, 'Ollama is running']);
      expect((await fetch(address, { method: 'HEAD' })).status).toBe(200);
    }
    expect(await client.version()).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });

  test('a token that is wrong or may do more is refused in the form that clients read', async () => {
    const { gateway } = await openChat();
    const list = (token: string) => new Ollama({ host: `${gateway.url}/token/${token}` }).list();
    await expect(list('DGM_WRONG')).rejects.toMatchObject({ status_code: 401, error: expect.any(String) });
    await expect(list(gateway.tokenOf.admin)).rejects.toMatchObject({
      status_code: 403,
      error: expect.stringContaining('A token in the URL must have the role models'),
    });
  });
});

describe('vectors', () => {
  const answer = {
    body: JSON.stringify({
      data: [
        { index: 1, embedding: [3, 4] },
        { index: 0, embedding: [1, 2] },
      ],
      usage: { prompt_tokens: 9 },
    }),
  };

  test('come in the order of their texts', async () => {
    const { fake, client } = await openChat();
    fake.answer(answer);

    expect(await client.embed({ model: 'embedding', input: ['a', 'b'], dimensions: 2, keep_alive: '5m' })).toEqual({
      model: 'embedding',
      embeddings: [
        [1, 2],
        [3, 4],
      ],
      total_duration: expect.any(Number),
      load_duration: 0,
      prompt_eval_count: 9,
    });
    expect(fake.requests[0]!.body).toEqual({ model: 'vectors', input: ['a', 'b'], dimensions: 2 });
  });

  test('of one text come alone to older clients, also from a provider of its own kind', async () => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({ providers: { fake: provider('ollama', fake.url) } });
    fake.answer({ body: '{"data":[{"embedding":[1,2]}]}' });

    expect(await clientOf(gateway).embeddings({ model: 'fake/nomic', prompt: 'a' })).toEqual({ embedding: [1, 2] });
    expect(fake.requests[0]).toMatchObject({ path: '/v1/embeddings', body: { model: 'nomic', input: ['a'] } });
  });

  test.each([
    ['too few', '{"data":[{"embedding":[1]}]}'],
    ['two of one text', '{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]}'],
    ['a wild number', '{"data":[{"index":0,"embedding":[1]},{"index":1e9,"embedding":[2]}]}'],
    ['no list', '[]'],
  ])('that are not one for each text are refused: %s', async (_, body) => {
    const { fake, client } = await openChat();
    fake.answer({ body });
    await expect(client.embed({ model: 'embedding', input: ['a', 'b'] })).rejects.toMatchObject({ status_code: 503 });
  });
});
