import assert from 'node:assert/strict';
import { DragomanError, gatherAnswer, type ModelAnswer, type ModelEvent } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomAnswer } from '../anthropic-messages/random-answer.fixture.ts';
import { decodeResponsesRequest } from './decode-request.ts';
import { encodeResponsesResponse } from './encode-response.ts';
import { encodeResponsesStream } from './encode-stream.ts';
import type { ResponsesOutputItem } from './wire.ts';

const request = decodeResponsesRequest({ model: 'default', input: 'Hi', reasoning: { effort: 'low' } });

function encode(events: ModelEvent[]): string {
  let text = '';
  const sink = encodeResponsesStream((piece) => (text += piece), request);
  for (const event of events) sink.push(event);
  return text;
}

interface WireResponse {
  id: string;
  status: string;
  output: ResponsesOutputItem[];
  incomplete_details: object | null;
  error: object | null;
  usage: object | null;
}

interface WireEvent {
  type: string;
  sequence_number: number;
  response?: WireResponse;
  item?: ResponsesOutputItem;
  item_id?: string;
  output_index?: number;
  delta?: string;
  text?: string;
  arguments?: string;
}

/** Each event's data; its name must say the same, and its number must be the next. */
function read(text: string): WireEvent[] {
  assert.match(text, /\n\n$/);
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((event, index) => {
      const [name, data, ...more] = event.split('\n');
      const read = JSON.parse(data!.slice('data: '.length)) as WireEvent;
      assert.deepEqual([name, read.sequence_number, more], [`event: ${read.type}`, index, []]);
      return read;
    });
}

/** The events between the two that begin a response and the one that ends it, without their numbers. */
function between(events: WireEvent[]): object[] {
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
  return events.slice(2, -1).map(({ sequence_number: _number, ...event }) => event);
}

const METADATA: ModelEvent = { type: 'response-metadata', id: 'resp_1', modelId: 'gpt-6' };
const FINISH = { type: 'finish', finishReason: 'stop' } as const;
const text = (id: string, ...pieces: string[]): ModelEvent[] => [
  { type: 'text-start', id },
  ...pieces.map((delta): ModelEvent => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];
const message = (id: string, content: string) => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: content, annotations: [], logprobs: [] }],
});
const call = (id: string, callId: string, name: string, args: string, status = 'completed') => ({
  id,
  type: 'function_call',
  status,
  call_id: callId,
  name,
  arguments: args,
});

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: expect.any(Number),
  completed_at: null,
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  model: 'gpt-6',
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: 'low', summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  truncation: 'disabled',
  usage: null,
  metadata: {},
};

test('text is an item with one part, and the last event has the whole response', () => {
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, reasoningTokens: 4 };
  const part = { type: 'output_text', text: 'Hello "you"', annotations: [], logprobs: [] };
  const place = { item_id: 'msg_1_0', output_index: 0, content_index: 0 };

  expect(read(encode([METADATA, ...text('0', 'Hello ', '"you"'), { ...FINISH, usage }]))).toEqual([
    { type: 'response.created', sequence_number: 0, response: RESPONSE },
    { type: 'response.in_progress', sequence_number: 1, response: RESPONSE },
    {
      type: 'response.output_item.added',
      sequence_number: 2,
      output_index: 0,
      item: { ...message('msg_1_0', ''), status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', sequence_number: 3, ...place, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', sequence_number: 4, ...place, delta: 'Hello ', logprobs: [] },
    { type: 'response.output_text.delta', sequence_number: 5, ...place, delta: '"you"', logprobs: [] },
    { type: 'response.output_text.done', sequence_number: 6, ...place, text: 'Hello "you"', logprobs: [] },
    { type: 'response.content_part.done', sequence_number: 7, ...place, part },
    { type: 'response.output_item.done', sequence_number: 8, output_index: 0, item: message('msg_1_0', 'Hello "you"') },
    {
      type: 'response.completed',
      sequence_number: 9,
      response: {
        ...RESPONSE,
        status: 'completed',
        completed_at: expect.any(Number),
        output: [message('msg_1_0', 'Hello "you"')],
        usage: {
          input_tokens: 10,
          input_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
          output_tokens: 5,
          output_tokens_details: { reasoning_tokens: 4 },
          total_tokens: 15,
        },
      },
    },
  ]);
});

test("OpenAI's reasoning keeps its id and its encrypted content", () => {
  const place = { item_id: 'rs_abc', output_index: 0, summary_index: 0 };

  expect(
    between(
      read(
        encode([
          METADATA,
          { type: 'reasoning-start', id: 'rs_abc' },
          { type: 'reasoning-delta', id: 'rs_abc', delta: 'Hm, ' },
          { type: 'reasoning-delta', id: 'rs_abc', delta: 'so.' },
          {
            type: 'reasoning-end',
            id: 'rs_abc',
            providerMetadata: { openai: { itemId: 'rs_abc', encryptedContent: 'gAAA' } },
          },
          FINISH,
        ]),
      ),
    ),
  ).toEqual([
    { type: 'response.output_item.added', output_index: 0, item: { id: 'rs_abc', type: 'reasoning', summary: [] } },
    { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
    { type: 'response.reasoning_summary_text.delta', ...place, delta: 'Hm, ' },
    { type: 'response.reasoning_summary_text.delta', ...place, delta: 'so.' },
    { type: 'response.reasoning_summary_text.done', ...place, text: 'Hm, so.' },
    { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text: 'Hm, so.' } },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: {
        id: 'rs_abc',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Hm, so.' }],
        encrypted_content: 'gAAA',
      },
    },
  ]);
});

test('what another provider wants back with its reasoning comes back with the next request', () => {
  const metadata = { anthropic: { signature: 'c2ln' } };
  const events = read(
    encode([
      METADATA,
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
      { type: 'reasoning-end', id: '0', providerMetadata: metadata },
      { type: 'reasoning-start', id: '1' },
      { type: 'reasoning-end', id: '1', providerMetadata: { openai: { itemId: 'rs_late', encryptedContent: 'gAAA' } } },
      FINISH,
    ]),
  );

  const { output } = events.at(-1)!.response!;
  expect(output.map(({ id }) => id)).toEqual(['rs_1_0', 'rs_1_1']);
  expect(decodeResponsesRequest({ input: output }).call.prompt).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: metadata },
        { type: 'reasoning', text: '', providerOptions: { openai: { itemId: 'rs_late', encryptedContent: 'gAAA' } } },
      ],
    },
  ]);
});

test('a tool call is an item with its arguments in pieces', () => {
  const place = { item_id: 'fc_1_1', output_index: 1 };

  expect(
    between(
      read(
        encode([
          METADATA,
          ...text('0', 'Reading.'),
          { type: 'tool-input-start', id: 'c1', toolName: 'read' },
          { type: 'tool-input-delta', id: 'c1', delta: '{"path":' },
          { type: 'tool-input-delta', id: 'c1', delta: '"a.ts"}' },
          { type: 'tool-input-end', id: 'c1' },
          { type: 'finish', finishReason: 'tool-calls' },
        ]),
      ),
    ).slice(6),
  ).toEqual([
    { type: 'response.output_item.added', output_index: 1, item: call('fc_1_1', 'c1', 'read', '', 'in_progress') },
    { type: 'response.function_call_arguments.delta', ...place, delta: '{"path":' },
    { type: 'response.function_call_arguments.delta', ...place, delta: '"a.ts"}' },
    { type: 'response.function_call_arguments.done', ...place, arguments: '{"path":"a.ts"}' },
    { type: 'response.output_item.done', output_index: 1, item: call('fc_1_1', 'c1', 'read', '{"path":"a.ts"}') },
  ]);
});

test('calls whose input comes mixed come one after the other, in the order of their starts', () => {
  const events = read(
    encode([
      METADATA,
      { type: 'tool-input-start', id: 'a', toolName: 'read' },
      { type: 'tool-input-start', id: 'b', toolName: 'list' },
      { type: 'tool-input-delta', id: 'b', delta: '{"dir":' },
      { type: 'tool-input-delta', id: 'a', delta: '{}' },
      { type: 'tool-input-delta', id: 'b', delta: '"src"}' },
      { type: 'tool-input-end', id: 'b' },
      { type: 'tool-input-end', id: 'a' },
      { type: 'finish', finishReason: 'tool-calls' },
    ]),
  );

  expect(between(events)).toEqual([
    { type: 'response.output_item.added', output_index: 0, item: call('fc_1_0', 'a', 'read', '', 'in_progress') },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1_0', output_index: 0, delta: '{}' },
    { type: 'response.function_call_arguments.done', item_id: 'fc_1_0', output_index: 0, arguments: '{}' },
    { type: 'response.output_item.done', output_index: 0, item: call('fc_1_0', 'a', 'read', '{}') },
    { type: 'response.output_item.added', output_index: 1, item: call('fc_1_1', 'b', 'list', '', 'in_progress') },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1_1', output_index: 1, delta: '{"dir":"src"}' },
    { type: 'response.function_call_arguments.done', item_id: 'fc_1_1', output_index: 1, arguments: '{"dir":"src"}' },
    { type: 'response.output_item.done', output_index: 1, item: call('fc_1_1', 'b', 'list', '{"dir":"src"}') },
  ]);
  expect(events.at(-1)!.response!.output).toEqual([
    call('fc_1_0', 'a', 'read', '{}'),
    call('fc_1_1', 'b', 'list', '{"dir":"src"}'),
  ]);
});

test.each([
  ['length', 'max_output_tokens'],
  ['content-filter', 'content_filter'],
] as const)('an answer that ends with %s is incomplete because of %s', (finishReason, reason) => {
  expect(read(encode([METADATA, ...text('0', 'Hel'), { type: 'finish', finishReason }])).at(-1)).toMatchObject({
    type: 'response.incomplete',
    response: { status: 'incomplete', incomplete_details: { reason }, output: [message('msg_1_0', 'Hel')] },
  });
});

test('an error is an event of its own, and then the response has failed with what it had', () => {
  const error = new DragomanError('rate-limited', 'Slow down.');

  expect(read(encode([METADATA, ...text('0', 'Hel'), { type: 'error', error }])).slice(-2)).toEqual([
    {
      type: 'error',
      sequence_number: 8,
      code: 'rate_limit_exceeded',
      message: 'Slow down.',
      param: null,
      error: { message: 'Slow down.', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
    },
    {
      type: 'response.failed',
      sequence_number: 9,
      response: {
        ...RESPONSE,
        status: 'failed',
        error: { code: 'rate_limit_exceeded', message: 'Slow down.' },
        output: [message('msg_1_0', 'Hel')],
      },
    },
  ]);
});

test('a target that failed before its first piece leaves no trace', () => {
  const events = read(encode([{ type: 'response-metadata', id: 'resp_0', modelId: 'gone' }, METADATA, FINISH]));

  expect(events.map(({ type, response }) => [type, response!.id])).toEqual([
    ['response.created', 'resp_1'],
    ['response.in_progress', 'resp_1'],
    ['response.completed', 'resp_1'],
  ]);
});

/** What a client makes of the events: an item keeps its place and id, and ends with what its pieces add up to. */
function gatherOutput(events: WireEvent[]): ResponsesOutputItem[] {
  const items: { id: string; pieces: string; isDone: boolean; item: ResponsesOutputItem }[] = [];
  for (const { type, item, item_id: id, output_index: index, delta, ...rest } of events) {
    if (type === 'response.output_item.added') {
      assert.equal(index, items.length);
      items.push({ id: item!.id, pieces: '', isDone: false, item: item! });
    } else if (index !== undefined) {
      const known = items[index]!;
      assert.deepEqual({ id: id ?? item?.id, isDone: known.isDone }, { id: known.id, isDone: false });
      known.pieces += delta ?? '';
      assert.equal(rest.text ?? rest.arguments ?? known.pieces, known.pieces);
      if (type === 'response.output_item.done') Object.assign(known, { item, isDone: true });
    }
  }
  assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
  return items.map(({ item }) => item);
}

/** An answer's content as it is when it comes back with the next request. */
function asSentBack(answer: ModelAnswer): ModelAnswer['content'] {
  return answer.content
    .filter((part) => part.type !== 'text' || part.text !== '')
    .map((part) => (part.type === 'tool-call' && part.input === '' ? { ...part, input: '{}' } : part));
}

test('whatever a model sends, a client that reads the stream and sends the answer back sends the same answer', () => {
  fc.assert(
    fc.property(randomAnswer, (events) => {
      const gathered = gatherAnswer();
      for (const event of events) gathered.push(event);
      const { answer } = gathered;

      const written = read(encode(events));

      const last = written.at(-1)!.response!;
      expect(last.output).toEqual(gatherOutput(written));
      const sentBack = decodeResponsesRequest({ input: [...last.output, { role: 'user', content: 'Go on' }] }).call
        .prompt;
      const content = sentBack.flatMap((turn) => (turn.role === 'assistant' ? turn.content : []));
      expect(content).toEqual(asSentBack(answer));
      const whole = encodeResponsesResponse(answer, request) as WireResponse;
      expect(last.status).toBe(whole.status);
      expect(last.usage).toEqual(whole.usage);
      expect(last.incomplete_details).toEqual(whole.incomplete_details);
      expect(last.output.map(({ type }) => type)).toEqual(whole.output.map(({ type }) => type));
    }),
    { seed: 1, numRuns: 400 },
  );
});
