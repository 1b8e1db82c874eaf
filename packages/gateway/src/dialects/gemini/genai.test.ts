import { startFakeProvider } from '@dragoman/testkit';
import { ApiError, type Chat, FunctionCallingConfigMode, GoogleGenAI, Type } from '@google/genai';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer, type TestGateway } from '../../gateway.fixture.ts';

/** Google's own client, as people use it. */
const clientOf = ({ url, tokenOf }: TestGateway, options: object = {}) =>
  new GoogleGenAI({ apiKey: tokenOf.models, httpOptions: { baseUrl: url }, ...options });

const UPSTREAMS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'ollama'] as const;
const toolsOf = (names: string[]) => ({
  tools: [
    {
      functionDeclarations: names.map((name) => ({
        name,
        description: `The tool ${name}.`,
        parameters: { type: Type.OBJECT, properties: { path: { type: Type.STRING, nullable: true } } },
      })),
    },
  ],
  toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
});

describe.each(UPSTREAMS)('with a provider of type %s', (upstream) => {
  async function open() {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({ providers: { fake: provider(upstream, fake.url) } });
    return { fake, gateway, client: clientOf(gateway) };
  }
  /** The results of tools, as they stand in the last request. */
  const answerTools = async (chat: Chat, calls: { id?: string | undefined; name?: string | undefined }[]) => {
    const stream = await chat.sendMessageStream({
      message: calls.map(({ id, name }) => ({
        functionResponse: {
          ...(id === undefined ? {} : { id }),
          name: name!,
          response: { output: `result of ${name}` },
        },
      })),
    });
    let text = '';
    for await (const chunk of stream) text += chunk.text ?? '';
    return text;
  };

  test.each([
    ['tool', 1],
    ['parallel-tools', 2],
  ] as const)('a chat calls tools (%s) and gives their results back', async (scenario, least) => {
    const { fake, client } = await open();
    fake.answer({ body: recordedAnswer(upstream, scenario) });
    const chat = client.chats.create({ model: 'fake/m', config: toolsOf(['read', 'list']) });

    const calls = [];
    for await (const chunk of await chat.sendMessageStream({ message: 'Look' }))
      calls.push(...(chunk.functionCalls ?? []));
    fake.answer({ body: recordedAnswer(upstream, 'text') });
    const text = await answerTools(chat, calls);

    expect(calls.length).toBeGreaterThanOrEqual(least);
    expect(text).not.toBe('');
    const { text: sent } = fake.requests.at(-1)!;
    for (const { name } of calls) expect(sent).toContain(`result of ${name}`);
  });

  test('an error has its status and its words, before the stream and within it', async () => {
    const { fake, client } = await open();
    const ask = async () => {
      for await (const chunk of await client.models.generateContentStream({ model: 'fake/m', contents: 'hi' }))
        void chunk;
    };
    fake.answer({ status: 429, headers: { 'retry-after': '3' }, body: '{"error":{"message":"slow down"}}' });
    const limited = await ask().catch((error: unknown) => error);
    const events = recordedAnswer(upstream, 'text').join('');
    const [first] = events.split(upstream === 'ollama' ? /(?<=\n)/ : /(?<=\n\n)/);
    fake.answer({ body: [first!], isCut: true });
    const cut = await ask().catch((error: unknown) => error);

    expect(limited).toBeInstanceOf(ApiError);
    expect(limited).toMatchObject({ status: 429, message: expect.stringContaining('RESOURCE_EXHAUSTED') });
    expect((limited as ApiError).message).toContain('"retryDelay":"3s"');
    expect(cut).toMatchObject({ name: 'ApiError', status: 503 });
  });
});

test('counts tokens, lists and gets models, makes vectors, answers without a stream', async () => {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({
    providers: { fake: { ...provider('openai-chat', fake.url), models: ['m', 'e'] } },
    routes: { default: ['fake/m'] },
  });
  const client = clientOf(gateway);

  expect((await client.models.countTokens({ model: 'default', contents: 'hi' })).totalTokens).toBe(5);
  const models = [];
  for await (const { name } of await client.models.list({ config: { pageSize: 2 } })) models.push(name);
  expect(models).toEqual(['models/default', 'models/offline/offline', 'models/fake/m', 'models/fake/e']);
  expect((await client.models.get({ model: 'fake/m' })).displayName).toBe('fake/m');

  fake.answer({ body: JSON.stringify({ data: [{ embedding: [1, 0] }, { embedding: [0, 1] }] }) });
  const { embeddings } = await client.models.embedContent({ model: 'fake/e', contents: ['a', 'b'] });
  expect(embeddings?.map(({ values }) => values)).toEqual([
    [1, 0],
    [0, 1],
  ]);

  const message = { role: 'assistant', content: '{"a":1}' };
  fake.answer({ body: JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }) });
  const answer = await client.models.generateContent({
    model: 'default',
    contents: 'hi',
    config: {
      systemInstruction: 'Be short.',
      responseMimeType: 'application/json',
      responseSchema: { type: Type.OBJECT, properties: { a: { type: Type.INTEGER } } },
    },
  });
  expect(answer.text).toBe('{"a":1}');
  expect(fake.requests.at(-1)!.body).toMatchObject({
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'hi' },
    ],
    response_format: { json_schema: { schema: { type: 'object', properties: { a: { type: 'integer' } } } } },
  });
});

test('in its Vertex mode it finds the same models', async () => {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { fake: provider('openai-chat', fake.url) } });
  const client = clientOf(gateway, { vertexai: true });
  fake.answer({ body: JSON.stringify({ choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] }) });

  expect((await client.models.generateContent({ model: 'fake/m', contents: 'hi' })).text).toBe('Hi');
  expect(fake.requests[0]!.body).toMatchObject({ model: 'm' });
});

test('a refusal is told with its place', async () => {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { fake: provider('openai-chat', fake.url) } });

  const error: unknown = await clientOf(gateway)
    .models.generateContent({ model: 'fake/m', contents: 'hi', config: { tools: [{ googleSearch: {} }] } })
    .catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ name: 'ApiError', status: 400 });
  expect((error as ApiError).message).toContain('tools.0.googleSearch: this tool runs at Google');
});
