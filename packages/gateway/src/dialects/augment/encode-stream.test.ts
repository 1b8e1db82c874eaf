import { DragomanError, gatherAnswer, type ModelEvent } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { decodeAugmentRequest } from './decode-request.ts';
import { encodeAugmentResponse } from './encode-response.ts';
import { encodeAugmentStream } from './encode-stream.ts';
import { TypedStreamBuilder } from './encode-typed-stream.ts';
import { decodeNdjsonLine, encodeNdjsonLine } from './ndjson.ts';
import { textNode, toolUseNode } from './nodes.ts';
import { stopNumber, stopWord } from './stop-reason.ts';
import { RESPONSE_NODE } from './wire.ts';

const REQUEST = (isTyped: boolean) =>
  decodeAugmentRequest({ message: 'hi' }, { systemPromptBase: '', isTyped, isStreamed: true });

function encodeText(events: ModelEvent[], isTyped = false): string {
  let text = '';
  const sink = encodeAugmentStream((piece) => (text += piece), REQUEST(isTyped));
  for (const event of events) sink.push(event);
  return text;
}
const encode = (events: ModelEvent[], isTyped = false) =>
  encodeText(events, isTyped).split('\n').slice(0, -1).map(decodeNdjsonLine);

const TEXT: ModelEvent[] = [
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'Hello ' },
  { type: 'text-delta', id: '0', delta: 'World!' },
  { type: 'text-end', id: '0' },
];
const TOOL: ModelEvent[] = [
  { type: 'tool-input-start', id: 'toolu_1', toolName: 'read_file' },
  { type: 'tool-input-delta', id: 'toolu_1', delta: '{"path":' },
  { type: 'tool-input-delta', id: 'toolu_1', delta: '"a"}' },
  { type: 'tool-input-end', id: 'toolu_1' },
];
const REASONING: ModelEvent[] = [
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Let me ' },
  { type: 'reasoning-delta', id: 'r', delta: 'think.' },
  { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 'SIG' } } },
];
const finish = (
  finishReason: Extract<ModelEvent, { type: 'finish' }>['finishReason'],
  rawFinishReason?: string,
): ModelEvent => ({ type: 'finish', finishReason, ...(rawFinishReason === undefined ? {} : { rawFinishReason }) });

describe('the wire that clients speak', () => {
  test('COMPAT-42 COMPAT-74 BYOK-63 BYOK-64 BYOK-70 text leaves as it comes, then once as a node, then the stop', () => {
    expect(encode([...TEXT, finish('stop')])).toEqual([
      { text: 'Hello ' },
      { text: 'World!' },
      { text: '', nodes: [{ id: 1, type: 0, content: 'Hello World!' }] },
      { text: '', stop_reason: 1 },
    ]);
  });

  test('COMPAT-41 COMPAT-79 COMPAT-82 BYOK-67 BYOK-69 a call is one node with its whole input and the stop is 3, whatever reason was given', () => {
    expect(encode([...TEXT, ...TOOL, finish('stop')]).slice(-2)).toEqual([
      { text: '', nodes: [{ id: 1, type: 0, content: 'Hello World!' }] },
      {
        text: '',
        nodes: [
          {
            id: 2,
            type: 5,
            content: '',
            tool_use: { tool_use_id: 'toolu_1', tool_name: 'read_file', input_json: '{"path":"a"}' },
          },
        ],
        stop_reason: 3,
      },
    ]);
  });

  test('a call without arguments has an empty object', () => {
    const events: ModelEvent[] = [
      { type: 'tool-input-start', id: 't', toolName: 'f' },
      { type: 'tool-input-end', id: 't' },
      finish('tool-calls'),
    ];

    expect(encode(events)).toEqual([
      {
        text: '',
        nodes: [{ id: 1, type: 5, content: '', tool_use: { tool_use_id: 't', tool_name: 'f', input_json: '{}' } }],
        stop_reason: 3,
      },
    ]);
  });

  test('reasoning is one node before the text, and what its provider wants back survives the round through the history', () => {
    const lines = encode([...REASONING, ...TEXT, finish('stop')]) as { nodes?: unknown[] }[];
    const thinking = {
      summary: 'Let me think.',
      dragoman_blocks: [{ length: 13, providerMetadata: { anthropic: { signature: 'SIG' } } }],
    };
    expect(lines.slice(0, 2)).toEqual([
      { text: '', nodes: [{ id: 1, type: 8, content: '', thinking }] },
      { text: 'Hello ' },
    ]);

    const history = [{ request_message: 'q', response_nodes: lines.flatMap((line) => line.nodes ?? []) }];
    const { prompt } = decodeAugmentRequest(
      { message: 'on', chat_history: history },
      { systemPromptBase: '', isTyped: false, isStreamed: true },
    ).call;
    expect(prompt[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Let me think.', providerOptions: { anthropic: { signature: 'SIG' } } },
        { type: 'text', text: 'Hello World!' },
      ],
    });
  });

  test('COMPAT-54 usage is a node of its own', () => {
    const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4, cacheWriteTokens: 1 };

    expect(encode([...TEXT, { type: 'finish', finishReason: 'stop', usage }])[2]).toEqual({
      text: '',
      nodes: [
        { id: 1, type: 0, content: 'Hello World!' },
        {
          id: 2,
          type: 10,
          content: '',
          token_usage: {
            input_tokens: 10,
            output_tokens: 5,
            cache_read_input_tokens: 4,
            cache_creation_input_tokens: 1,
          },
        },
      ],
    });
  });

  test('BYOK-74 an error in the middle is a line of text and a stop; what was sent stays', () => {
    expect(
      encode([
        ...TEXT.slice(0, 2),
        { type: 'error', error: new DragomanError('unavailable', 'The provider stopped.') },
      ]),
    ).toEqual([{ text: 'Hello ' }, { text: '[dragoman] The provider stopped.\n' }, { text: '', stop_reason: 1 }]);
  });

  test('BYOK-54 every line ends with a line break, the last one too', () => {
    expect(encodeText([...TEXT, finish('stop')])).toMatch(/\n$/);
  });

  test.each([
    ['stop', 'stop', 1],
    ['stop', 'end_turn', 1],
    ['stop', 'stop_sequence', 1],
    ['length', 'length', 2],
    ['length', 'max_tokens', 2],
    ['tool-calls', 'tool_calls', 3],
    ['tool-calls', 'tool_use', 3],
    ['content-filter', 'content_filter', 4],
    ['content-filter', 'safety', 4],
    ['other', 'unheard_of', 0],
    ['content-filter', 'RECITATION', 5],
    ['error', 'MALFORMED_FUNCTION_CALL', 6],
  ] as const)('BYOK-71 BYOK-72 the reason %s (%s) is the number %i', (finishReason, raw, number) => {
    expect(stopNumber(finishReason, raw)).toBe(number);
  });

  test('COMPAT-38 the kinds of nodes in an answer have the numbers of the wire', () => {
    expect(Object.entries(RESPONSE_NODE).map(([name, number]) => `${number} ${name}`)).toEqual([
      '0 RAW_RESPONSE',
      '1 SUGGESTED_QUESTIONS',
      '2 MAIN_TEXT_FINISHED',
      '3 WORKSPACE_FILE_CHUNKS',
      '4 RELEVANT_SOURCES',
      '5 TOOL_USE',
      '6 AGENT_MEMORY',
      '7 TOOL_USE_START',
      '8 THINKING',
      '9 BILLING_METADATA',
      '10 TOKEN_USAGE',
    ]);
  });

  test('BYOK-50 a whole answer holds the same text and nodes', () => {
    const gathered = gatherAnswer();
    for (const event of [...TEXT, ...TOOL, finish('tool-calls')]) gathered.push(event);

    expect(encodeAugmentResponse(gathered.answer)).toEqual({
      text: 'Hello World!',
      nodes: [
        { id: 1, type: 0, content: 'Hello World!' },
        {
          id: 2,
          type: 5,
          content: '',
          tool_use: { tool_use_id: 'toolu_1', tool_name: 'read_file', input_json: '{"path":"a"}' },
        },
      ],
      stop_reason: 3,
      unknown_blob_names: [],
      checkpoint_not_found: false,
      workspace_file_chunks: [],
    });
  });
});

describe('typed frames', () => {
  test('COMPAT-43 COMPAT-44 COMPAT-45 COMPAT-46 text, calls and the stop each have their form, and no other line appears', () => {
    expect(
      encode(
        [
          ...REASONING,
          ...TEXT,
          ...TOOL,
          { type: 'finish', finishReason: 'tool-calls', usage: { inputTokens: 1, outputTokens: 2 } },
        ],
        true,
      ),
    ).toEqual([
      { type: 0, data: { text: 'Hello ' } },
      { type: 0, data: { text: 'World!' } },
      { type: 5, data: { tool_use: { id: 'toolu_1', name: 'read_file', input: { path: 'a' } } } },
      { type: 2, stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 2 } },
    ]);
  });

  test.each([
    ['stop', 'end_turn', 'end_turn'],
    ['tool-calls', 'tool_use', 'tool_use'],
    ['length', 'max_tokens', 'max_tokens'],
    ['stop', 'stop_sequence', 'stop_sequence'],
    ['error', 'MALFORMED_FUNCTION_CALL', 'error'],
  ] as const)(
    'COMPAT-75 COMPAT-76 COMPAT-77 COMPAT-78 the reason %s (%s) is the word %s',
    (finishReason, raw, word) => {
      expect(stopWord(finishReason, raw)).toBe(word);
    },
  );

  test('an answer that fails ends with a line that says so, and what went wrong is no part of its text', () => {
    expect(
      encode(
        [...TEXT.slice(0, 2), { type: 'error', error: new DragomanError('unavailable', 'The provider stopped.') }],
        true,
      ),
    ).toEqual([
      { type: 0, data: { text: 'Hello ' } },
      { type: 2, stop_reason: 'error', error: { code: 'unavailable', message: 'The provider stopped.' } },
    ]);
  });

  test('COMPAT-53 the builder gives a valid stream, call by call', () => {
    const builder = new TypedStreamBuilder();

    expect(
      builder.text('Hello ') +
        builder.text('World!') +
        builder.toolUse('toolu_1', 'read_file', { path: '/tmp/a.txt' }) +
        builder.stop('tool_use'),
    ).toBe(
      '{"type":0,"data":{"text":"Hello "}}\n{"type":0,"data":{"text":"World!"}}\n{"type":5,"data":{"tool_use":{"id":"toolu_1","name":"read_file","input":{"path":"/tmp/a.txt"}}}}\n{"type":2,"stop_reason":"tool_use"}\n',
    );
  });
});

test.each([false, true])(
  'COMPAT-81 after the stream the encoder says whether there were tool calls (typed: %s)',
  (isTyped) => {
    const after = (events: ModelEvent[]) => {
      const sink = encodeAugmentStream(() => {}, REQUEST(isTyped));
      for (const event of events) sink.push(event);
      return sink.hasToolCalls;
    };

    expect(after([...TEXT, finish('stop')])).toBe(false);
    expect(after([...TEXT, ...TOOL, finish('tool-calls')])).toBe(true);
  },
);

test('COMPAT-48 COMPAT-49 a line is compact JSON with its line break, and a bad line is nothing', () => {
  expect(encodeNdjsonLine({ text: 'a\nb' })).toBe('{"text":"a\\nb"}\n');
  expect([' {"a":1} \r', '', '  ', 'garbage', '{"a":'].map(decodeNdjsonLine)).toEqual([
    { a: 1 },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('COMPAT-50 COMPAT-51 COMPAT-52 helpers make the nodes and the stop in both forms', () => {
  expect(textNode(1, 'hi')).toEqual({ id: 1, type: 0, content: 'hi' });
  expect(toolUseNode(2, { toolCallId: 't', toolName: 'f', input: '{}' })).toEqual({
    id: 2,
    type: 5,
    content: '',
    tool_use: { tool_use_id: 't', tool_name: 'f', input_json: '{}' },
  });
  expect(encodeText([finish('stop')])).toBe('{"text":"","stop_reason":1}\n');
  expect(new TypedStreamBuilder().stop('end_turn', { inputTokens: 3, outputTokens: 4 })).toBe(
    '{"type":2,"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":4}}\n',
  );
});
