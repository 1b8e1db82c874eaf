import assert from 'node:assert/strict';
import { DragomanError, gatherAnswer, type ModelEvent } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeAnthropicRequest } from './decode-request.ts';
import { encodeAnthropicResponse } from './encode-response.ts';
import { encodeAnthropicStream } from './encode-stream.ts';
import { randomAnswer } from './random-answer.fixture.ts';
import type { AnthropicAnswerBlock } from './wire.ts';

const request = decodeAnthropicRequest({
  model: 'default',
  messages: [{ role: 'user', content: 'Hi' }],
  stop_sequences: ['END'],
});

function encode(events: ModelEvent[]): string {
  let text = '';
  const sink = encodeAnthropicStream((piece) => (text += piece), request);
  for (const event of events) sink.push(event);
  return text;
}

interface WireEvent {
  type: string;
  index?: number;
  message?: object;
  content_block?: AnthropicAnswerBlock;
  delta?: {
    type?: string;
    text?: string;
    thinking?: string;
    signature?: string;
    partial_json?: string;
    stop_reason?: string;
  };
  usage?: object;
  error?: object;
}

/** Each event's data; its name must say the same. */
function read(text: string): WireEvent[] {
  assert.match(text, /\n\n$/);
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((event) => {
      const [name, data, ...more] = event.split('\n');
      const read = JSON.parse(data!.slice('data: '.length)) as WireEvent;
      assert.deepEqual([name, more], [`event: ${read.type}`, []]);
      return read;
    });
}

const METADATA: ModelEvent = { type: 'response-metadata', id: 'msg_1', modelId: 'claude-sonnet-5' };
const FINISH = { type: 'finish', finishReason: 'stop' } as const;
const text = (id: string, ...pieces: string[]): ModelEvent[] => [
  { type: 'text-start', id },
  ...pieces.map((delta): ModelEvent => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];
const NO_USAGE = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
const START = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: NO_USAGE,
  },
};
const end = (reason: string, sequence: string | null = null) => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: sequence }, usage: NO_USAGE },
  { type: 'message_stop' },
];

test('text is written piece by piece, and the usage tells apart what was cached', () => {
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2, reasoningTokens: 4 };

  expect(encode([METADATA, ...text('0', 'Hello ', '"you"'), { ...FINISH, usage }])).toBe(
    `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello "}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\\"you\\""}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":5,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":5,"output_tokens_details":{"thinking_tokens":4}}}

event: message_stop
data: {"type":"message_stop"}

`,
  );
});

test('a thought ends with its signature; one of another provider has none, and one that is hidden comes whole', () => {
  expect(
    read(
      encode([
        METADATA,
        { type: 'reasoning-start', id: '0' },
        { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
        { type: 'reasoning-end', id: '0', providerMetadata: { anthropic: { signature: 'c2ln' } } },
        { type: 'reasoning-start', id: '1' },
        { type: 'reasoning-end', id: '1', providerMetadata: { anthropic: { redactedData: 'cmVk' } } },
        { type: 'reasoning-start', id: '2' },
        { type: 'reasoning-delta', id: '2', delta: 'So.' },
        { type: 'reasoning-end', id: '2', providerMetadata: { openai: { itemId: 'rs_1' } } },
        { type: 'reasoning-start', id: '3' },
        { type: 'reasoning-end', id: '3', providerMetadata: { anthropic: { signature: 'b21pdHRlZA' } } },
        { type: 'reasoning-start', id: '4' },
        { type: 'reasoning-end', id: '4' },
        FINISH,
      ]),
    ),
  ).toEqual([
    START,
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'cmVk' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'thinking_delta', thinking: 'So.' } },
    { type: 'content_block_stop', index: 2 },
    { type: 'content_block_start', index: 3, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 3, delta: { type: 'signature_delta', signature: 'b21pdHRlZA' } },
    { type: 'content_block_stop', index: 3 },
    ...end('end_turn'),
  ]);
});

test('a tool call follows the text, with its input in pieces', () => {
  expect(
    read(
      encode([
        METADATA,
        ...text('0', 'Reading.'),
        { type: 'tool-input-start', id: 't1', toolName: 'read' },
        { type: 'tool-input-delta', id: 't1', delta: '{"path":' },
        { type: 'tool-input-delta', id: 't1', delta: '"a.ts"}' },
        { type: 'tool-input-end', id: 't1' },
        { type: 'finish', finishReason: 'tool-calls', rawFinishReason: 'stop_sequence' },
      ]),
    ),
  ).toEqual([
    START,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Reading.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't1', name: 'read', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"path":' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"a.ts"}' } },
    { type: 'content_block_stop', index: 1 },
    ...end('tool_use'),
  ]);
});

test('of calls whose input comes mixed, the second waits until the first has ended', () => {
  expect(
    read(
      encode([
        METADATA,
        { type: 'tool-input-start', id: 'a', toolName: 'read' },
        { type: 'tool-input-start', id: 'b', toolName: 'list' },
        { type: 'tool-input-delta', id: 'b', delta: '{"dir":' },
        { type: 'tool-input-delta', id: 'a', delta: '{}' },
        { type: 'tool-input-delta', id: 'b', delta: '"src"}' },
        { type: 'tool-input-start', id: 'c', toolName: 'stop' },
        { type: 'tool-input-end', id: 'b' },
        { type: 'tool-input-end', id: 'a' },
        { type: 'tool-input-delta', id: 'c', delta: '{"now":1}' },
        { type: 'tool-input-end', id: 'c' },
        { type: 'finish', finishReason: 'tool-calls' },
      ]),
    ),
  ).toEqual([
    START,
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'read', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'b', name: 'list', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"dir":"src"}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'c', name: 'stop', input: {} } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"now":1}' } },
    { type: 'content_block_stop', index: 2 },
    ...end('tool_use'),
  ]);
});

test.each([
  ['stop', undefined, 'end_turn', null],
  ['stop', 'stop_sequence', 'stop_sequence', 'END'],
  ['stop', 'pause_turn', 'pause_turn', null],
  ['length', 'length', 'max_tokens', null],
  ['length', 'model_context_window_exceeded', 'model_context_window_exceeded', null],
  ['content-filter', 'refusal', 'refusal', null],
  ['other', 'eos_token', 'end_turn', null],
] as const)('the reason %s (%s) is %s here', (finishReason, raw, reason, sequence) => {
  const finish: ModelEvent = { type: 'finish', finishReason, ...(raw === undefined ? {} : { rawFinishReason: raw }) };

  expect(read(encode([METADATA, finish]))).toEqual([START, ...end(reason, sequence)]);
});

test('an error ends the stream in the form that clients read, also when nothing was written before it', () => {
  const error: ModelEvent = { type: 'error', error: new DragomanError('unavailable', 'The provider has left.') };

  expect(encode([METADATA, error])).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"The provider has left."}}\n\n',
  );
  expect(read(encode([METADATA, ...text('0', 'Hel'), error])).map(({ type }) => type)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'error',
  ]);
});

test('a target that failed before its first piece leaves no trace', () => {
  const [start] = read(encode([{ type: 'response-metadata', id: 'msg_0', modelId: 'gone' }, METADATA, FINISH]));

  expect(start).toEqual(START);
});

/** What a client makes of the events: one block is open at a time, and blocks are numbered as they come. */
function gatherMessage(events: WireEvent[]): AnthropicAnswerBlock[] {
  const content: { block: AnthropicAnswerBlock; json: string }[] = [];
  let isOpen = false;
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') {
      assert.deepEqual({ isOpen, index }, { isOpen: false, index: content.length });
      isOpen = true;
      content.push({ block: block!, json: '' });
    } else if (type === 'content_block_delta' || type === 'content_block_stop') {
      assert.deepEqual({ isOpen, index }, { isOpen: true, index: content.length - 1 });
      isOpen = type === 'content_block_delta';
    } else assert.equal(isOpen, false);
    const last = content.at(-1);
    if (type !== 'content_block_delta' || last === undefined) continue;
    if (last.block.type === 'text') last.block.text += delta?.text;
    else if (last.block.type === 'tool_use') last.json += delta?.partial_json;
    else if (last.block.type === 'thinking' && delta?.type === 'thinking_delta') last.block.thinking += delta.thinking;
    else if (last.block.type === 'thinking') last.block.signature += delta?.signature;
  }
  return content.map(({ block, json }) => (block.type === 'tool_use' ? { ...block, input: json } : block));
}

test('whatever a model sends, a client that reads the stream has the same answer', () => {
  fc.assert(
    fc.property(randomAnswer, (events) => {
      const gathered = gatherAnswer();
      for (const event of events) gathered.push(event);
      const whole = encodeAnthropicResponse(gathered.answer, request) as {
        content: AnthropicAnswerBlock[];
        stop_reason: string;
        usage: object;
      };
      const calls = gathered.answer.content.filter((part) => part.type === 'tool-call');
      const expected = whole.content.map((block) =>
        block.type === 'tool_use'
          ? { ...block, input: calls.find((call) => call.toolCallId === block.id)!.input }
          : block,
      );

      const written = read(encode(events));

      expect(gatherMessage(written)).toEqual(expected);
      const ending = { type: 'message_delta', delta: { stop_reason: whole.stop_reason }, usage: whole.usage };
      expect(written.slice(-2)).toMatchObject(
        gathered.answer.error === undefined
          ? [ending, { type: 'message_stop' }]
          : [...written.slice(-2, -1), { type: 'error' }],
      );
    }),
    { seed: 1, numRuns: 400 },
  );
});
