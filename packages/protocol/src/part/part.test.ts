import { expect, test } from 'vitest';
import { readMessage } from './read-message.ts';
import { partSchema } from './part.ts';
import { PartRegistry } from './part-registry.ts';
import { canMoveToolState, isOpenToolState } from './tool-moves.ts';
import { type ToolStatus, toolStateSchema } from './tool-state.ts';
import { z } from 'zod';

const base = { id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1' };
const tokens = { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } };
const time = { start: 1, end: 2 };

const PARTS: Record<string, object> = {
  text: { text: 'hi', synthetic: true, ignored: false, time, metadata: { a: 1 } },
  subtask: { prompt: 'p', description: 'd', agent: 'explore', model: { providerID: 'p', modelID: 'm' }, command: 'c' },
  reasoning: { text: 'hmm', time: { start: 1 }, metadata: { anthropic: { signature: 's' } } },
  file: {
    mime: 'image/png',
    filename: 'a.png',
    url: 'data:image/png;base64,AA',
    source: { type: 'file', path: 'a.png' },
  },
  tool: { callID: 'c', tool: 'read', state: { status: 'pending', input: {}, raw: '{"fi' }, metadata: {} },
  'step-start': { snapshot: 'abc' },
  'step-finish': { reason: 'stop', snapshot: 'abc', cost: 0.1, tokens },
  snapshot: { snapshot: 'abc' },
  patch: { hash: 'abc', files: ['a.ts'] },
  agent: { name: 'explore', source: { value: '@explore', start: 0, end: 8 } },
  retry: { attempt: 1, error: { code: 'model', message: 'busy' }, time: { created: 1 } },
  compaction: { auto: true, overflow: true, tailStartID: 'msg_2', time: { compacted: 1 } },
};

const EXAMPLES = Object.entries(PARTS);

test.each(EXAMPLES)(
  'a part of type %s has the base of all parts, validates and survives storing [FR-11, FR-12, FR-13, FR-14, FR-15, FR-16, FR-17, FR-18, ACC-13, ACC-14, ACC-15]',
  (type, fields) => {
    const part = { ...base, type, ...fields };
    expect(partSchema.parse(JSON.parse(JSON.stringify(part)))).toEqual(part);
    for (const field of ['id', 'sessionID', 'messageID'])
      expect(partSchema.safeParse({ ...part, [field]: undefined }).success).toBe(false);
  },
);

test('there are twelve types of parts, told apart by their type [ACC-16]', () => {
  const types = partSchema.options.map(({ shape }) => shape.type.value);
  expect(types.toSorted()).toEqual(Object.keys(PARTS).toSorted());
  expect(types).toHaveLength(12);
  expect(partSchema.safeParse({ ...base, type: 'chart' }).success).toBe(false);
});

test('each state of a tool call has exactly the fields that are true in it [FR-23, FR-24, FR-25, FR-26]', () => {
  const file = { ...base, type: 'file', mime: 'image/png', url: 'data:,' };
  const states = [
    { status: 'pending', input: {}, raw: '{"a' },
    { status: 'awaiting-approval', input: { a: 1 }, approvalID: 'apr_1', time: { asked: 1 } },
    { status: 'running', input: { a: 1 }, title: 'x', time: { start: 1 } },
    {
      status: 'completed',
      input: { a: 1 },
      output: 'o',
      title: 't',
      time: { ...time, compacted: 3 },
      attachments: [file],
    },
    { status: 'error', input: { a: 1 }, error: 'e', time },
  ];
  for (const state of states) expect(toolStateSchema.parse(state)).toEqual(state);
  expect(toolStateSchema.safeParse({ status: 'running', input: {} }).success).toBe(false);
  expect(
    toolStateSchema.safeParse({ status: 'completed', input: {}, output: 'o', title: 't', time: { start: 1 } }).success,
  ).toBe(false);
});

test('a call moves only forward, and what has ended stays so [ACC-01]', () => {
  const all: ToolStatus[] = ['pending', 'awaiting-approval', 'running', 'completed', 'error'];
  const moves = all.flatMap((from) => all.filter((to) => canMoveToolState(from, to)).map((to) => `${from} → ${to}`));
  expect(moves).toEqual([
    'pending → awaiting-approval',
    'pending → running',
    'pending → error',
    'awaiting-approval → running',
    'awaiting-approval → error',
    'running → completed',
    'running → error',
  ]);
  expect(isOpenToolState({ status: 'error', input: {}, error: '', time })).toBe(false);
});

test('a type of part of one’s own is validated once it is registered, and refused before [NFR-07]', () => {
  const registry = new PartRegistry();
  const chart = { ...base, type: 'x-chart', points: [1, 2] };
  expect(() => registry.parse(chart)).toThrow('The part type "x-chart" is not registered.');

  registry.register('x-chart', { points: z.array(z.number()) });

  expect(registry.parse(JSON.parse(JSON.stringify(chart)))).toEqual(chart);
  expect(() => registry.parse({ ...chart, points: 'none' })).toThrow(/expected array/);
  expect(() => registry.register('x-chart', {})).toThrow(/registered already/);
  expect(() => registry.register('chart' as 'x-chart', {})).toThrow(/named like "x-chart"/);
  expect(registry.parse({ ...base, type: 'text', text: 'hi' })).toMatchObject({ type: 'text' });
});

test('messages as opencode writes them are read into our fields [ACC-02]', () => {
  const user = readMessage({
    info: {
      id: 'msg_1',
      sessionID: 'ses_1',
      role: 'user',
      time: { created: 1 },
      agent: 'build',
      model: { providerID: 'anthropic', modelID: 'claude', variant: 'high' },
      format: { type: 'text' },
      summary: { diffs: [{ file: 'a.ts', additions: 1, deletions: 0, patch: '@@' }] },
    },
    parts: [{ ...base, type: 'text', text: 'hi' }],
  });
  expect(user.info).toMatchObject({ model: { providerID: 'anthropic', modelID: 'claude' }, variant: 'high' });

  const assistant = readMessage({
    info: {
      id: 'msg_2',
      sessionID: 'ses_1',
      role: 'assistant',
      time: { created: 1, completed: 2 },
      parentID: 'msg_1',
      providerID: 'anthropic',
      modelID: 'claude',
      mode: 'build',
      agent: 'build',
      path: { cwd: '/p', root: '/p' },
      cost: 0.1,
      tokens: { total: 3, ...tokens },
      finish: 'stop',
      error: { name: 'APIError', data: { message: 'down', isRetryable: true } },
    },
    parts: [
      { ...base, type: 'step-start' },
      {
        ...base,
        type: 'tool',
        callID: 'c',
        tool: 'bash',
        state: { status: 'error', input: {}, error: 'e', metadata: { interrupted: true }, time },
      },
      { ...base, type: 'compaction', auto: true, tail_start_id: 'msg_0' },
      {
        ...base,
        type: 'retry',
        attempt: 1,
        error: { name: 'APIError', data: { message: 'busy' } },
        time: { created: 1 },
      },
      { ...base, type: 'step-finish', reason: 'stop', cost: 0.1, tokens },
    ],
  });
  expect(assistant).toMatchObject({
    info: {
      model: { providerID: 'anthropic', modelID: 'claude' },
      costSource: 'computed',
      tokens,
      error: { code: 'model', message: 'down' },
    },
    parts: [
      { type: 'step-start' },
      { type: 'tool', state: { status: 'error' } },
      { type: 'compaction', tailStartID: 'msg_0' },
      { type: 'retry', error: { code: 'model', message: 'busy' } },
      { type: 'step-finish' },
    ],
  });
});

test('a message has its content in its parts and nowhere else [FR-19]', () => {
  expect(() => readMessage({ role: 'user', content: 'hi' })).toThrow(/info/);
});
