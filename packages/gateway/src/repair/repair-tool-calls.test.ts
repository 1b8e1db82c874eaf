import { DragomanError, type ModelEvent } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { indexToolDefinitions } from '../tools/index-tool-definitions.ts';
import { repairToolCalls } from './repair-tool-calls.ts';

const TOOLS = indexToolDefinitions([
  {
    name: 'view',
    description: 'Shows a file.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer' } },
      required: ['path'],
    },
  },
]);

const start = (id: string, toolName = 'view'): ModelEvent => ({ type: 'tool-input-start', id, toolName });
const delta = (id: string, text: string): ModelEvent => ({ type: 'tool-input-delta', id, delta: text });
const end = (id: string): ModelEvent => ({ type: 'tool-input-end', id });
const finish: ModelEvent = { type: 'finish', finishReason: 'tool-calls', usage: { inputTokens: 1, outputTokens: 2 } };

function repaired(events: ModelEvent[]) {
  const passed: ModelEvent[] = [];
  const repairs: [toolName: string, repairs: string[]][] = [];
  const sink = repairToolCalls({ push: (event) => passed.push(event) }, TOOLS, '', (...repair) => repairs.push(repair));
  for (const event of events) sink.push(event);
  return { passed, repairs };
}

test('BYOK-49 a call is repaired once, when all its deltas are there, and passed on with one delta', () => {
  expect(repaired([start('a'), delta('a', '{"limit"'), delta('a', ':"3"'), end('a'), finish])).toEqual({
    passed: [start('a'), delta('a', '{"limit":3,"path":""}'), end('a'), finish],
    repairs: [['view', ['mended-json', 'coerced:limit', 'filled:path']]],
  });
});

test('BYOK-37 valid arguments pass as they were written, and nobody is told of a repair', () => {
  expect(repaired([start('a'), delta('a', '{ "path":'), delta('a', ' "a.ts" }'), end('a'), finish])).toEqual({
    passed: [start('a'), delta('a', '{ "path": "a.ts" }'), end('a'), finish],
    repairs: [],
  });
});

test('BYOK-51 a call without deltas, of a tool that was not offered, has the arguments {}', () => {
  expect(repaired([start('a', 'fly'), end('a'), finish]).passed).toEqual([
    start('a', 'fly'),
    delta('a', '{}'),
    end('a'),
    finish,
  ]);
});

test('all other events pass straight through, in their order', () => {
  const others: ModelEvent[] = [
    { type: 'response-metadata', id: 'r', modelId: 'm' },
    { type: 'reasoning-start', id: '0' },
    { type: 'reasoning-delta', id: '0', delta: 'hm' },
    { type: 'reasoning-end', id: '0', providerMetadata: { anthropic: { signature: 's' } } },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Hello' },
    { type: 'text-end', id: '1' },
  ];
  const open: ModelEvent[] = [start('a'), delta('a', '{"path":"a"}')];

  expect(repaired([...others.slice(0, 5), ...open, ...others.slice(5)]).passed).toEqual(others);
});

test('calls that interleave come out whole, in the order in which they were started', () => {
  const signed: ModelEvent = {
    type: 'tool-input-end',
    id: 'b',
    providerMetadata: { google: { thoughtSignature: 's' } },
  };

  expect(
    repaired([
      start('a'),
      start('b'),
      delta('b', '{"path":"b"}'),
      delta('a', '{"path":'),
      signed,
      { type: 'text-start', id: '0' },
      delta('a', '"a"}'),
      end('a'),
      finish,
    ]).passed,
  ).toEqual([
    { type: 'text-start', id: '0' },
    start('a'),
    delta('a', '{"path":"a"}'),
    end('a'),
    start('b'),
    delta('b', '{"path":"b"}'),
    signed,
    finish,
  ]);
});

test('an id may be used again once its call has ended', () => {
  const first: ModelEvent[] = [start('a'), delta('a', '{"path":"1"}'), end('a')];
  const second: ModelEvent[] = [start('a'), delta('a', '{"path":"2"}'), end('a')];

  expect(repaired([...first, ...second]).passed).toEqual([...first, ...second]);
});

test('a call that never ended is completed before the answer finishes', () => {
  expect(
    repaired([start('a'), delta('a', '{"path":"a.t'), start('b'), delta('b', '{"path":"b"}'), end('b'), finish]),
  ).toEqual({
    passed: [
      start('a'),
      delta('a', '{"path":"a.t"}'),
      end('a'),
      start('b'),
      delta('b', '{"path":"b"}'),
      end('b'),
      finish,
    ],
    repairs: [['view', ['mended-json']]],
  });
});

test('when the answer fails, calls that had ended are passed on and an open one is dropped', () => {
  const error: ModelEvent = { type: 'error', error: new DragomanError('internal', 'the upstream is gone') };

  expect(
    repaired([start('a'), delta('a', '{"pa'), start('b'), delta('b', '{"path":"b"}'), end('b'), error]).passed,
  ).toEqual([start('b'), delta('b', '{"path":"b"}'), end('b'), error]);
});

test('arguments of half a megabyte are mended; those beyond, together with the ones before, pass as they were written', () => {
  const cut = (length: number) => `{"path":"${'a'.repeat(length)}`;
  const { passed } = repaired([
    start('a'),
    delta('a', cut(500_000)),
    end('a'),
    start('b'),
    delta('b', cut(100_000)),
    end('b'),
    finish,
  ]);
  expect(passed.map((event) => ('delta' in event ? event.delta.slice(-3) : event.type))).toEqual([
    'tool-input-start',
    'a"}',
    'tool-input-end',
    'tool-input-start',
    'aaa',
    'tool-input-end',
    'finish',
  ]);
});

test('thousands of calls that are open at once are each given their own pieces', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `call_${index}`);
  const { passed } = repaired([
    ...ids.map((id) => start(id)),
    ...ids.map((id) => delta(id, `{"path":"${id}"}`)),
    ...ids.map((id) => end(id)),
    finish,
  ]);
  expect(passed.flatMap((event) => ('delta' in event ? [event.delta] : []))).toEqual(
    ids.map((id) => `{"path":"${id}"}`),
  );
});
