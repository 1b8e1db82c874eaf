import { openTracing } from '@dragoman/server';
import { type CollectedSpan, startFakeProvider, startTraceCollector } from '@dragoman/testkit';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { createModel } from './create-model.ts';
import { type GatewayConfigInput, openTestGateway, provider, recordedAnswer } from './gateway.fixture.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT_SPAN = '00f067aa0ba902b7';

/** A gateway whose traces go to a collector; `collect` sends what there is. */
async function open(config: GatewayConfigInput, contents = false) {
  const collector = await startTraceCollector();
  const tracing = openTracing(
    { url: collector.url, headers: {}, sampling: 1, contents, serviceName: 'test' },
    { version: '1', onTrouble() {} },
  )!;
  onTestFinished(() => tracing.close());
  const gateway = await openTestGateway(config);
  const collect = async (): Promise<Record<string, CollectedSpan>> => {
    await tracing.close();
    return Object.fromEntries(collector.spans.map((span) => [span.name, span]));
  };
  const client = new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: gateway.tokenOf.member,
    maxRetries: 0,
    defaultHeaders: { traceparent: `00-${TRACE}-${CLIENT_SPAN}-01`, tracestate: 'vendor=x' },
  });
  return { gateway, collector, collect, client };
}

test("a client's trace goes on through the request, the call and each target to the provider", async () => {
  const [broken, fake] = [await startFakeProvider(), await startFakeProvider()];
  broken.answer({ status: 500, body: '{}' });
  fake.answer({ body: recordedAnswer('anthropic-messages', 'text') });
  const { client, collect, collector, gateway } = await open({
    providers: { broken: provider('openai-chat', broken.url), fake: provider('anthropic-messages', fake.url) },
    routes: { both: { targets: ['broken/b', 'fake/m'] } },
  });

  const stream = client.chat.completions.stream({ model: 'both', messages: [{ role: 'user', content: 'a secret' }] });
  await stream.finalChatCompletion();
  await expect.poll(() => gateway.logged.some(({ route }) => route === '/v1/chat/completions')).toBe(true);
  const spans = await collect();

  const request = spans['POST /v1/chat/completions']!;
  const call = spans['chat both']!;
  const [first, second] = [spans['target broken/b']!, spans['target fake/m']!];
  expect(request).toMatchObject({
    traceId: TRACE,
    parentSpanId: CLIENT_SPAN,
    traceState: 'vendor=x',
    kind: 2,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
    },
  });
  expect(call).toMatchObject({
    traceId: TRACE,
    parentSpanId: request.spanId,
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'fake',
      'gen_ai.request.model': 'both',
      'gen_ai.response.model': 'm',
      'gen_ai.request.stream': true,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': expect.any(Number) as number,
      'gen_ai.usage.output_tokens': expect.any(Number) as number,
      'dragoman.dialect': 'openai-chat',
      'dragoman.token': 'member token',
    },
  });
  expect(call.status).toBeUndefined();
  expect(first).toMatchObject({
    parentSpanId: call.spanId,
    status: { code: 2, message: 'unavailable' },
    attributes: { 'error.type': 'unavailable', 'server.address': '127.0.0.1' },
  });
  expect(second).toMatchObject({ traceId: TRACE, parentSpanId: call.spanId, kind: 3 });
  expect(fake.requests[0]!.headers).toMatchObject({
    traceparent: `00-${TRACE}-${second.spanId}-01`,
    tracestate: 'vendor=x',
  });
  expect(broken.requests[0]!.headers['traceparent']).toBe(`00-${TRACE}-${first.spanId}-01`);
  const sent = collector.requests.map(({ text }) => text).join('');
  for (const hidden of ['a secret', 'provider-key', gateway.tokenOf.member]) expect(sent).not.toContain(hidden);
});

test('relayed calls, vectors and calls of agents are traced alike', async () => {
  const fake = await startFakeProvider();
  const { client, collect, gateway } = await open({ providers: { fake: provider('openai-chat', fake.url) } });
  fake.answer(
    {
      body: '{"id":"c","choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":4,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":3}}}',
    },
    { body: '{"data":[{"embedding":[1]}],"usage":{"prompt_tokens":7}}' },
    { body: recordedAnswer('openai-chat', 'text') },
  );

  await client.chat.completions.create({ model: 'fake/m', messages: [{ role: 'user', content: 'x' }] });
  await client.embeddings.create({ model: 'fake/e', input: 'x', encoding_format: 'float' });
  const notes = { book: gateway.book, caller: { userId: 'usr_1' as never, userName: 'ada', tokenName: 'native' } };
  await createModel('fake/a', gateway.config, { notes }).stream(
    { prompt: [], tools: [] },
    { push() {} },
    new AbortController().signal,
  );
  const spans = await collect();

  expect(spans['chat fake/m']!.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 4,
    'gen_ai.usage.output_tokens': 2,
    'gen_ai.usage.cache_read.input_tokens': 3,
  });
  expect(spans['target fake/m']!.parentSpanId).toBe(spans['chat fake/m']!.spanId);
  expect(spans['embeddings fake/e']).toMatchObject({
    traceId: TRACE,
    attributes: { 'gen_ai.operation.name': 'embeddings', 'gen_ai.usage.input_tokens': 7 },
  });
  expect(fake.requests[1]!.headers['traceparent']).toContain(spans['target fake/e']!.spanId);
  expect(spans['target fake/e']!.parentSpanId).toBe(spans['embeddings fake/e']!.spanId);
  expect(spans['chat fake/a']).toMatchObject({ attributes: { 'dragoman.dialect': 'agent', 'dragoman.user': 'ada' } });
  expect(fake.requests[2]!.headers['traceparent']).toContain(spans['target fake/a']!.spanId);
});

test('a client that does not want its trace kept is not in it, and its wish is passed on', async () => {
  const fake = await startFakeProvider();
  fake.answer({ body: recordedAnswer('openai-chat', 'text') });
  const { gateway, collect } = await open({ providers: { fake: provider('openai-chat', fake.url) } });

  await gateway.call('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${TRACE}-${CLIENT_SPAN}-00` },
    body: JSON.stringify({ model: 'fake/m', stream: true, messages: [{ role: 'user', content: 'x' }] }),
  });
  await gateway.call('/v1/models', { headers: { traceparent: 'nonsense' } });
  const spans = await collect();

  expect(fake.requests[0]!.headers['traceparent']).toMatch(new RegExp(`^00-${TRACE}-(?!${CLIENT_SPAN})\\w{16}-00$`));
  expect(Object.keys(spans).filter((name) => name.startsWith('chat'))).toEqual([]);
});

test('where traces are off, nothing is added to what a provider is sent', async () => {
  const fake = await startFakeProvider();
  fake.answer({ body: recordedAnswer('openai-chat', 'text') });
  const gateway = await openTestGateway({ providers: { fake: provider('openai-chat', fake.url) } });

  await gateway.call('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fake/m', stream: true, messages: [{ role: 'user', content: 'x' }] }),
  });
  expect(fake.requests[0]!.headers).not.toHaveProperty('traceparent');
});

/** What a span says was asked and answered. */
const messagesOf = ({ attributes }: CollectedSpan) => ({
  input: JSON.parse(String(attributes['gen_ai.input.messages'])) as unknown,
  output: JSON.parse(String(attributes['gen_ai.output.messages'])) as unknown,
});
const ASKED = [{ role: 'user', parts: [{ type: 'text', content: 'Say it.' }] }];

test('what was said is in the traces where that is asked for, in every way that a call goes', async () => {
  const [claude, fake] = [await startFakeProvider(), await startFakeProvider()];
  const { client, collect, gateway } = await open(
    { providers: { claude: provider('anthropic-messages', claude.url), fake: provider('openai-chat', fake.url) } },
    true,
  );
  const whole = '{"id":"c","choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}';
  claude.answer({ body: recordedAnswer('anthropic-messages', 'text') });
  fake.answer(
    { body: whole },
    { body: recordedAnswer('openai-chat', 'text'), headers: { 'content-type': 'text/event-stream' } },
    { body: recordedAnswer('openai-chat', 'text') },
  );
  const messages = [{ role: 'user' as const, content: 'Say it.' }];

  await client.chat.completions.stream({ model: 'claude/converted', messages }).finalChatCompletion();
  await client.chat.completions.create({ model: 'fake/whole', messages });
  await client.chat.completions.stream({ model: 'fake/relayed', messages }).finalChatCompletion();
  const notes = { book: gateway.book, caller: { userId: 'usr_1' as never, userName: 'ada', tokenName: 'native' } };
  await createModel('fake/agent', gateway.config, { notes }).stream(
    { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Say it.' }] }], tools: [] },
    { push() {} },
    new AbortController().signal,
  );
  const spans = await collect();

  for (const [name, content] of [
    ['chat claude/converted', 'Grüße, 世界 🌍. Line\nbreak.'],
    ['chat fake/whole', 'Hi'],
    ['chat fake/relayed', 'Grüße, 世界 🌍.'],
    ['chat fake/agent', 'Grüße, 世界 🌍.'],
  ] as const)
    expect([name, messagesOf(spans[name]!)]).toEqual([
      name,
      {
        input: ASKED,
        output: [{ role: 'assistant', parts: [{ type: 'text', content }], finish_reason: 'stop' }],
      },
    ]);
  expect(Object.keys(spans['target fake/whole']!.attributes)).not.toContain('gen_ai.input.messages');
});

test('tools are told as calls and results, secrets and files are not told, and what is long is cut', async () => {
  const fake = await startFakeProvider();
  const { client, collect, collector } = await open(
    { providers: { fake: { ...provider('openai-chat', fake.url), images: true } }, redaction: { enabled: false } },
    true,
  );
  const key = `sk-ant-api03-${'Ab1'.repeat(31)}`;
  const call = { id: 'call_1', type: 'function' as const };
  const choice = {
    message: {
      content: `The key is ${key}`,
      tool_calls: [{ ...call, function: { name: 'look', arguments: '{"at":2}' } }],
    },
    finish_reason: 'tool_calls',
  };
  fake.answer({ body: JSON.stringify({ id: 'c', choices: [choice] }) });

  await client.chat.completions.create({
    model: 'fake/m',
    messages: [
      { role: 'user', content: 'x'.repeat(30_000) },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGlkZGVu' } }] },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ ...call, function: { name: 'login', arguments: `{"password":"hunter22","at":1}` } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: `token ${key}` },
      { role: 'user', content: `${'y'.repeat(8_150)} ${key}` },
    ],
  });
  const { input, output } = messagesOf((await collect())['chat fake/m']!);

  expect(input).toEqual([
    { role: 'user', parts: [{ type: 'text', content: expect.stringMatching(/^x{7000,8192}$/) }] },
    { role: 'user', parts: [{ type: 'blob', modality: 'image', mime_type: 'image/png', content: '' }] },
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'call_1', name: 'login', arguments: { password: '[REDACTED]', at: 1 } }],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool_call_response', id: 'call_1', name: 'login', response: 'token [API_KEY_REDACTED]' }],
    },
    { role: 'user', parts: [{ type: 'text', content: expect.stringMatching(/^y{8150} \[API_KEY_REDACTED\]$/) }] },
  ]);
  expect(output).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'text', content: 'The key is [API_KEY_REDACTED]' },
        { type: 'tool_call', id: 'call_1', name: 'look', arguments: { at: 2 } },
      ],
      finish_reason: 'tool_call',
    },
  ]);
  const sent = collector.requests.map(({ text }) => text).join('');
  for (const hidden of [key.slice(0, 30), 'hunter22', 'aGlkZGVu']) expect(sent).not.toContain(hidden);
});

test('of a long conversation the newest messages are told, and how many are not', async () => {
  const fake = await startFakeProvider();
  const { client, collect } = await open({ providers: { fake: provider('openai-chat', fake.url) } }, true);
  fake.answer({ body: '{"id":"c","choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}' });
  const messages = Array.from({ length: 5_000 }, (_, index) => ({
    role: 'user' as const,
    content: `message ${index}`,
  }));

  await client.chat.completions.create({ model: 'fake/m', messages });
  const span = (await collect())['chat fake/m']!;

  const { input } = messagesOf(span) as { input: { parts: { content: string }[] }[] };
  expect(input.at(-1)).toEqual({ role: 'user', parts: [{ type: 'text', content: 'message 4999' }] });
  expect(span.attributes['dragoman.input.messages_left_out']).toBe(5_000 - input.length);
  expect(String(span.attributes['gen_ai.input.messages']).length).toBeLessThan(20_000);
});
