import { gatherAnswer, type ModelEvent } from '@dragoman/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyDamage, anySplit, decodeAll, flawsIn, recordedEvents, toSse } from '../stream-checks.fixture.ts';
import { decodeOpenAiResponsesResponse, decodeOpenAiResponsesStream } from './decode-stream.ts';

const recording = (scenario: string) =>
  recordedEvents(new URL(`recordings/openai-responses-${scenario}.chunks.txt`, import.meta.url));
const decode = (events: unknown[]) =>
  decodeAll(
    decodeOpenAiResponsesStream,
    toSse(events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)))),
  );

describe('reading a recorded stream', () => {
  test('text keeps its characters and line breaks, and remembers its phase', () => {
    expect(decode(recording('text'))).toEqual([
      { type: 'response-metadata', id: 'resp_text', modelId: 'gpt-5.3-codex' },
      { type: 'text-start', id: 'msg_text' },
      { type: 'text-delta', id: 'msg_text', delta: 'Grüße, ' },
      { type: 'text-delta', id: 'msg_text', delta: '世界 🌍.' },
      { type: 'text-delta', id: 'msg_text', delta: ' Line\nbreak.' },
      { type: 'text-end', id: 'msg_text', providerMetadata: { openai: { phase: 'final_answer' } } },
      {
        type: 'finish',
        finishReason: 'stop',
        rawFinishReason: 'completed',
        usage: { inputTokens: 2012, outputTokens: 14, cacheReadTokens: 1800, reasoningTokens: 0 },
      },
    ]);
  });

  test('the parts of a summary are one block that ends with its id and its encrypted content', () => {
    expect(decode(recording('reasoning'))).toEqual([
      { type: 'response-metadata', id: 'resp_reasoning', modelId: 'gpt-5.4' },
      { type: 'reasoning-start', id: 'rs_1' },
      { type: 'reasoning-delta', id: 'rs_1', delta: '**Finding' },
      { type: 'reasoning-delta', id: 'rs_1', delta: ' the divisor**' },
      { type: 'reasoning-delta', id: 'rs_1', delta: '\n\n1071 = 2 × 462 + 147' },
      {
        type: 'reasoning-end',
        id: 'rs_1',
        providerMetadata: { openai: { itemId: 'rs_1', encryptedContent: 'gAAAAABpPDIV' } },
      },
      { type: 'text-start', id: 'msg_reasoning' },
      { type: 'text-delta', id: 'msg_reasoning', delta: 'It is ' },
      { type: 'text-delta', id: 'msg_reasoning', delta: '21.' },
      { type: 'text-end', id: 'msg_reasoning' },
      {
        type: 'finish',
        finishReason: 'stop',
        rawFinishReason: 'completed',
        usage: { inputTokens: 47, outputTokens: 90, cacheReadTokens: 0, reasoningTokens: 62 },
      },
    ]);
  });

  test('a tool call has the id of the call, not of its item', () => {
    expect(decode(recording('tool'))).toEqual([
      { type: 'response-metadata', id: 'resp_tool', modelId: 'gpt-5.4' },
      { type: 'text-start', id: 'msg_tool' },
      { type: 'text-delta', id: 'msg_tool', delta: 'Reading ' },
      { type: 'text-delta', id: 'msg_tool', delta: 'the file.' },
      { type: 'text-end', id: 'msg_tool', providerMetadata: { openai: { phase: 'commentary' } } },
      { type: 'tool-input-start', id: 'call_Read', toolName: 'read-file' },
      { type: 'tool-input-delta', id: 'call_Read', delta: '{"' },
      { type: 'tool-input-delta', id: 'call_Read', delta: 'path":"sr' },
      { type: 'tool-input-delta', id: 'call_Read', delta: 'c/größe.ts' },
      { type: 'tool-input-delta', id: 'call_Read', delta: '"}' },
      { type: 'tool-input-end', id: 'call_Read' },
      {
        type: 'finish',
        finishReason: 'tool-calls',
        rawFinishReason: 'completed',
        usage: { inputTokens: 430, outputTokens: 58, cacheReadTokens: 0, reasoningTokens: 0 },
      },
    ]);
  });

  test('parallel calls stay apart, and reasoning without a summary keeps its encrypted content', () => {
    expect(decode(recording('parallel-tools'))).toEqual([
      { type: 'response-metadata', id: 'resp_parallel', modelId: 'gpt-5.4' },
      { type: 'reasoning-start', id: 'rs_2' },
      {
        type: 'reasoning-end',
        id: 'rs_2',
        providerMetadata: { openai: { itemId: 'rs_2', encryptedContent: 'gAAAAABqQUIe' } },
      },
      { type: 'tool-input-start', id: 'call_Search', toolName: 'code-search' },
      { type: 'tool-input-delta', id: 'call_Search', delta: '{"query":' },
      { type: 'tool-input-delta', id: 'call_Search', delta: '"blob name"}' },
      { type: 'tool-input-end', id: 'call_Search' },
      { type: 'tool-input-start', id: 'call_Status', toolName: 'git-status' },
      { type: 'tool-input-delta', id: 'call_Status', delta: '{}' },
      { type: 'tool-input-end', id: 'call_Status' },
      {
        type: 'finish',
        finishReason: 'tool-calls',
        rawFinishReason: 'completed',
        usage: { inputTokens: 512, outputTokens: 71, cacheReadTokens: 256, reasoningTokens: 40 },
      },
    ]);
  });

  test('an answer at its limit ends as length', () => {
    expect(decode(recording('length')).slice(1)).toEqual([
      { type: 'text-start', id: 'msg_length' },
      { type: 'text-delta', id: 'msg_length', delta: 'Once upon a' },
      { type: 'text-end', id: 'msg_length' },
      {
        type: 'finish',
        finishReason: 'length',
        rawFinishReason: 'max_output_tokens',
        usage: { inputTokens: 25, outputTokens: 16, cacheReadTokens: 0, reasoningTokens: 0 },
      },
    ]);
  });

  test('a refusal is text and ends as content filter', () => {
    expect(decode(recording('refusal')).slice(1)).toEqual([
      { type: 'text-start', id: 'msg_refusal' },
      { type: 'text-delta', id: 'msg_refusal', delta: "I'm sorry, " },
      { type: 'text-delta', id: 'msg_refusal', delta: "but I can't help with that." },
      { type: 'text-end', id: 'msg_refusal' },
      {
        type: 'finish',
        finishReason: 'content-filter',
        rawFinishReason: 'refusal',
        usage: { inputTokens: 18, outputTokens: 12, cacheReadTokens: 0, reasoningTokens: 0 },
      },
    ]);
  });

  test('an error in the stream ends what was begun, once', () => {
    const events = decode(recording('error'));

    expect(events.slice(1, -1)).toEqual([
      { type: 'text-start', id: 'msg_error' },
      { type: 'text-delta', id: 'msg_error', delta: 'Let me ' },
      { type: 'text-end', id: 'msg_error' },
    ]);
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      error: {
        code: 'unavailable',
        message: 'The provider stopped: The server had an error while processing your request.',
        isRetryable: true,
      },
    });
  });
});

describe.each(['text', 'reasoning', 'tool', 'parallel-tools', 'length', 'refusal', 'error'])(
  'the recording %s',
  (scenario) => {
    test('gives the same events however its bytes are split', () => {
      const bytes = toSse(recording(scenario));
      const whole = decodeAll(decodeOpenAiResponsesStream, bytes);

      fc.assert(
        fc.property(anySplit(bytes), (pieces) => {
          expect(decodeAll(decodeOpenAiResponsesStream, ...pieces)).toEqual(whole);
        }),
        { seed: 7, numRuns: 100 },
      );
    });

    test('ends once, with every block ended, whatever is broken in it', () => {
      fc.assert(
        fc.property(anyDamage(recording(scenario)), (bytes) => {
          expect(flawsIn(decodeAll(decodeOpenAiResponsesStream, bytes))).toEqual([]);
        }),
        { seed: 11, numRuns: 200 },
      );
    });
  },
);

describe('reading an unusual stream', () => {
  const only = (scenario: string, ...types: string[]) =>
    recording(scenario).filter((event) => types.includes((JSON.parse(event) as { type: string }).type));

  test('bytes that end early give an error, after the end of what was begun', () => {
    expect(decode(recording('text').slice(0, 6)).slice(-2)).toMatchObject([
      { type: 'text-end', id: 'msg_text' },
      {
        type: 'error',
        error: {
          code: 'unavailable',
          message: "Connection error: the provider's answer was terminated before its end (premature close).",
        },
      },
    ]);
  });

  test('nothing after the end is read', () => {
    expect(decode([...recording('text'), '[DONE]', ...recording('tool')])).toEqual(decode(recording('text')));
  });

  test('an event that is not JSON, and items of the service itself, are skipped', () => {
    const events = recording('text').flatMap((event) => [
      event,
      '{"type":"response.output_text.delta"',
      {
        type: 'response.output_item.added',
        output_index: 9,
        item: { id: 'ws_1', type: 'web_search_call', status: 'in_progress' },
      },
      { type: 'response.web_search_call.searching', output_index: 9, item_id: 'ws_1' },
      {
        type: 'response.output_item.done',
        output_index: 9,
        item: { id: 'ws_1', type: 'web_search_call', status: 'completed' },
      },
    ]);

    expect(decode(events)).toEqual(decode(recording('text')));
  });

  test('items whose ids change from event to event are told apart by their place', () => {
    let count = 0;
    const events = recording('reasoning').map((event) =>
      event.replace(/"item_id":"[^"]+"/, () => `"item_id":"rotated_${count++}"`),
    );

    expect(decode(events)).toEqual(decode(recording('reasoning')));
  });

  test.each(['text', 'reasoning', 'parallel-tools', 'refusal'])(
    'the recording %s gives the same answer when items come whole, or only at the end',
    (scenario) => {
      const gathered = [
        recording(scenario),
        only(scenario, 'response.output_item.done', 'response.completed'),
        only(scenario, 'response.completed'),
      ].map((events) => {
        const sink = gatherAnswer();
        for (const event of decode(events)) sink.push(event);
        return sink.answer;
      });

      expect(gathered[1]).toEqual(gathered[0]);
      expect(gathered[2]).toEqual(gathered[0]);
    },
  );

  test('thoughts that a model shows itself are reasoning too', () => {
    expect(
      decode([
        { type: 'response.output_item.added', output_index: 0, item: { id: 'rs', type: 'reasoning', summary: [] } },
        { type: 'response.reasoning_text.delta', output_index: 0, item_id: 'rs', content_index: 0, delta: 'hm' },
        { type: 'response.output_item.done', output_index: 0, item: { id: 'rs', type: 'reasoning', summary: [] } },
        { type: 'response.completed', response: { status: 'completed' } },
      ]),
    ).toEqual([
      { type: 'reasoning-start', id: 'rs' },
      { type: 'reasoning-delta', id: 'rs', delta: 'hm' },
      { type: 'reasoning-end', id: 'rs', providerMetadata: { openai: { itemId: 'rs' } } },
      { type: 'response-metadata' },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'completed' },
    ]);
  });

  test('an item that turns out empty leaves no trace', () => {
    const item = { id: 'rs', type: 'reasoning', summary: [], encrypted_content: null };
    const events = decode([
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { status: 'completed' } },
    ]);

    expect(events.map((event) => event.type)).toEqual(['response-metadata', 'finish']);
  });

  test.each([
    [{ reason: 'max_output_tokens' }, 'length', 'max_output_tokens'],
    [{ reason: 'content_filter' }, 'content-filter', 'content_filter'],
    [{ reason: 'something_new' }, 'other', 'something_new'],
    [null, 'other', 'incomplete'],
  ])('an incomplete answer with %j ends as %s', (details, finishReason, rawFinishReason) => {
    expect(
      decode([{ type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: details } }]).at(-1),
    ).toEqual({ type: 'finish', finishReason, rawFinishReason });
  });

  test.each([
    [{ type: 'error', code: 'rate_limit_exceeded', message: 'slow' }, 'rate-limited'],
    [{ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 'bad-request'],
    [
      { type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message: 'slow' } } },
      'rate-limited',
    ],
    [{ type: 'response.failed', response: null }, 'unavailable'],
  ])('the event %j is the error %s', (event, code) => {
    expect(decode([event])).toMatchObject([{ type: 'error', error: { code } }]);
  });
});

describe('reading an answer that was not streamed', () => {
  const read = (body: unknown): ModelEvent[] => {
    const events: ModelEvent[] = [];
    decodeOpenAiResponsesResponse(body, { push: (event) => events.push(event) });
    return events;
  };

  test.each(['text', 'reasoning', 'tool', 'parallel-tools', 'length', 'refusal'])(
    '%s gives the same answer as the stream',
    (scenario) => {
      const streamed = gatherAnswer();
      for (const event of decode(recording(scenario))) streamed.push(event);
      const { response } = JSON.parse(recording(scenario).at(-1)!) as { response: unknown };
      const whole = gatherAnswer();

      for (const event of read(response)) whole.push(event);

      expect(whole.answer).toEqual(streamed.answer);
    },
  );

  test('an error, and a body that is no answer, end with an error', () => {
    expect(read({ status: 'failed', output: [], error: { code: 'invalid_prompt', message: 'no' } })).toMatchObject([
      { type: 'error', error: { code: 'bad-request', message: 'The provider stopped: no' } },
    ]);
    for (const body of [null, 7, [], {}, { output: 'text' }, { output: [], status: 'failed' }]) {
      expect(read(body)).toMatchObject([{ type: 'error', error: { code: 'unavailable' } }]);
    }
  });
});
