import { gatherAnswer, type ModelCall, type ModelEvent } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { testTarget } from '../../routing/target.fixture.ts';
import { decodeOpenAiChatResponse, decodeOpenAiChatStream } from './decode-stream.ts';
import { encodeOpenAiChatRequest } from './encode-request.ts';

const event = (value: unknown) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const delta = (content: unknown, finish: string | null = null) =>
  event({ id: 'c1', model: 'm', choices: [{ index: 0, delta: content, finish_reason: finish }] });

function decode(...pieces: string[]): ModelEvent[] {
  const events: ModelEvent[] = [];
  const decoder = decodeOpenAiChatStream({ push: (one) => events.push(one) });
  for (const piece of pieces) decoder.feed(Buffer.from(piece));
  decoder.end();
  return events;
}

describe('reading a stream', () => {
  test('calls leave in the order of their indexes, whatever order they come in, and each has an id of its own', () => {
    const call = (index: number, id: string) => ({ index, id, function: { name: 'f', arguments: String(index) } });
    const calls = Array.from({ length: 3_000 }, (_, index) => call(index, `c${index}`)).toReversed();
    const events = decode(delta({ tool_calls: [...calls, call(3_000, 'c0')] }), delta({}, 'tool_calls'));
    expect(events.flatMap((one) => (one.type === 'tool-input-delta' ? [Number(one.delta)] : []))).toEqual(
      Array.from({ length: 3_001 }, (_, index) => index),
    );
    const ids = events.flatMap((one) => (one.type === 'tool-input-end' ? [one.id] : []));
    expect([ids.slice(0, 2), new Set(ids).size]).toEqual([['c0', 'c1'], 3_001]);
  });

  test('text, then the finish reason and the usage that comes after it', () => {
    expect(
      decode(
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'Hel' }),
        delta({ content: 'lo' }),
        delta({}, 'stop'),
        event({
          choices: [],
          usage: {
            prompt_tokens: 10,
            completion_tokens: 5,
            prompt_tokens_details: { cached_tokens: 4 },
            completion_tokens_details: { reasoning_tokens: 2 },
            cost: 0.25,
          },
        }),
        event('[DONE]'),
      ),
    ).toEqual([
      { type: 'response-metadata', id: 'c1', modelId: 'm' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Hel' },
      { type: 'text-delta', id: '0', delta: 'lo' },
      { type: 'text-end', id: '0' },
      {
        type: 'finish',
        finishReason: 'stop',
        rawFinishReason: 'stop',
        usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4, reasoningTokens: 2, cost: 0.25 },
      },
    ]);
  });

  test('BYOK-65 tool-call pieces are gathered by index, a later id or name sets the field', () => {
    const call = (value: unknown) => delta({ tool_calls: [value] });

    const events = decode(
      call({ index: 0, id: 'call_1', function: { name: 'read_file', arguments: '' } }),
      call({ index: 0, function: { arguments: '{"path": ' } }),
      call({ function: { arguments: '"src/main.ts"}' } }),
      delta({}, 'tool_calls'),
      event('[DONE]'),
    );

    expect(events).toEqual([
      { type: 'response-metadata', id: 'c1', modelId: 'm' },
      { type: 'tool-input-start', id: 'call_1', toolName: 'read_file' },
      { type: 'tool-input-delta', id: 'call_1', delta: '{"path": ' },
      { type: 'tool-input-delta', id: 'call_1', delta: '"src/main.ts"}' },
      { type: 'tool-input-end', id: 'call_1' },
      { type: 'finish', finishReason: 'tool-calls', rawFinishReason: 'tool_calls' },
    ]);
  });

  test('BYOK-66 calls leave by ascending index whatever order they arrive in, and one without a name is dropped', () => {
    const events = decode(
      delta({ tool_calls: [{ index: 2, id: 'c', function: { name: 'third', arguments: '{"c":1}' } }] }),
      delta({ tool_calls: [{ index: 1, id: 'b', function: { arguments: '{}' } }] }),
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'first', arguments: '{"a":1}' } }] }),
      delta({}, 'tool_calls'),
      event('[DONE]'),
    );

    expect(events.filter((one) => one.type === 'tool-input-start').map((one) => one.toolName)).toEqual([
      'first',
      'third',
    ]);
    const { answer } = events.reduce((sink, one) => (sink.push(one), sink), gatherAnswer());
    expect(answer.content).toMatchObject([
      { toolName: 'first', input: '{"a":1}' },
      { toolName: 'third', input: '{"c":1}' },
    ]);
  });

  test('BYOK-66 calls whose indexes begin elsewhere leave by ascending index too', () => {
    const events = decode(
      delta({ tool_calls: [{ index: 5, id: 'b', function: { name: 'later', arguments: '{}' } }] }),
      delta({ tool_calls: [{ index: 4, id: 'a', function: { name: 'earlier', arguments: '{}' } }] }),
      delta({}, 'tool_calls'),
      event('[DONE]'),
    );

    expect(events.filter((one) => one.type === 'tool-input-start').map((one) => one.toolName)).toEqual([
      'earlier',
      'later',
    ]);
  });

  test('BYOK-68 a call without an id gets one that no other call of the answer has', () => {
    const events = decode(
      delta({
        tool_calls: [
          { index: 0, function: { name: 'a', arguments: '{}' } },
          { index: 1, function: { name: 'b', arguments: '{}' } },
        ],
      }),
      delta({}, 'tool_calls'),
      event('[DONE]'),
    );

    const ids = events.filter((one) => one.type === 'tool-input-start').map((one) => one.id);
    expect(ids).toEqual([expect.stringMatching(/^tooluse_\d+_0$/), expect.stringMatching(/^tooluse_\d+_1$/)]);
  });

  test('BYOK-59 nothing after [DONE] is read', () => {
    expect(
      decode(
        delta({ content: 'a' }, 'stop'),
        event('[DONE]'),
        delta({ content: 'b' }),
        event({ error: { message: 'late' } }),
      ).map((one) => one.type),
    ).toEqual(['response-metadata', 'text-start', 'text-delta', 'text-end', 'finish']);
  });

  test('BYOK-60 an event that is empty or not JSON is skipped', () => {
    expect(
      decode('data:\n\n', event('{"choices":'), event('7'), delta({ content: 'a' }), event('[DONE]')).filter(
        (one) => one.type === 'text-delta',
      ),
    ).toEqual([{ type: 'text-delta', id: '0', delta: 'a' }]);
  });

  test('reasoning under any of its names comes before the text', () => {
    for (const name of ['reasoning_content', 'reasoning']) {
      expect(decode(delta({ [name]: 'hm' }), delta({ content: 'yes' }, 'stop'), event('[DONE]')).slice(1, 7)).toEqual([
        { type: 'reasoning-start', id: '0' },
        { type: 'reasoning-delta', id: '0', delta: 'hm' },
        { type: 'reasoning-end', id: '0' },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'yes' },
        { type: 'text-end', id: '1' },
      ]);
    }
  });

  test.each([
    ['stop', 'stop'],
    ['end_turn', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['something_new', 'other'],
  ])('the finish reason %s is %s', (raw, finishReason) => {
    expect(decode(delta({ content: 'a' }, raw), event('[DONE]')).at(-1)).toEqual({
      type: 'finish',
      finishReason,
      rawFinishReason: raw,
    });
  });

  test('a refusal is text and ends as content filter', () => {
    const events = decode(delta({ refusal: 'I cannot.' }), delta({}, 'stop'), event('[DONE]'));

    expect(events).toContainEqual({ type: 'text-delta', id: '0', delta: 'I cannot.' });
    expect(events.at(-1)).toEqual({ type: 'finish', finishReason: 'content-filter', rawFinishReason: 'refusal' });
  });

  test('an error in the stream, and a stream that breaks off, end what was begun with an error', () => {
    for (const tail of [event({ error: { message: 'overloaded', type: 'server_error' } }), '']) {
      const events = decode(delta({ content: 'a' }), tail);
      expect(events.slice(-2).map((one) => one.type)).toEqual(['text-end', 'error']);
    }
  });
});

test('an answer that was not streamed gives the same answer', () => {
  const gathered = gatherAnswer();
  const message = {
    content: 'Hello',
    reasoning_content: 'hm',
    tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
  };

  decodeOpenAiChatResponse(
    {
      id: 'x',
      model: 'm',
      choices: [{ message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    },
    gathered,
  );

  expect(gathered.answer).toEqual({
    id: 'x',
    modelId: 'm',
    content: [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Hello' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: '{}' },
    ],
    finishReason: 'tool-calls',
    rawFinishReason: 'tool_calls',
    usage: { inputTokens: 1, outputTokens: 2 },
  });
});

describe('writing a request', () => {
  const body = (call: Partial<ModelCall>, baseUrl = 'http://127.0.0.1:8000/v1') =>
    JSON.parse(
      encodeOpenAiChatRequest(
        { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], tools: [], ...call },
        testTarget({ baseUrl }),
        true,
      ).body,
    ) as Record<string, unknown>;

  test('BYOK-62 it carries model, temperature, stream, messages and tools', () => {
    expect(
      body({
        temperature: 0.2,
        maxOutputTokens: 100,
        tools: [{ name: 'f', description: 'd', inputSchema: { type: 'object' } }],
      }),
    ).toEqual({
      model: 'test-model',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } }],
      temperature: 0.2,
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('BYOK-34 without tools there is no tools key', () => {
    expect(body({})).not.toHaveProperty('tools');
  });

  test("OpenAI's own service gets its own name for the output limit", () => {
    expect(body({ maxOutputTokens: 5 }, 'https://api.openai.com/v1')).toMatchObject({ max_completion_tokens: 5 });
  });

  test('a conversation with calls, results and a picture a tool returned', () => {
    const { messages } = body({
      prompt: [
        { role: 'system', content: 'Be terse.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'ok' },
            { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: '{"a":1}' },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c',
              toolName: 'f',
              isError: false,
              content: [
                { type: 'text', text: 'done' },
                { type: 'file', mediaType: 'image/webp', data: { type: 'base64', base64: 'BBBB' } },
              ],
            },
          ],
        },
      ],
    });

    expect(messages).toEqual([
      { role: 'system', content: 'Be terse.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      {
        role: 'assistant',
        content: 'ok',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/webp;base64,BBBB' } }] },
    ]);
  });
});
