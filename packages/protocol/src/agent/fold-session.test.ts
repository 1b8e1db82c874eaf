import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssistantInfo, UserInfo } from '../part/message.ts';
import type { AnyPart, ToolPart } from '../part/part.ts';
import type { ToolState } from '../part/tool-state.ts';
import { NO_TOKENS } from '../part/add-tokens.ts';
import { type AgentEvent, agentEventSchema, type LoggedEvent, type SessionInfo } from './agent-event.ts';
import { foldEvent, foldSession, type SessionState } from './fold-session.ts';

const model = { providerID: 'test', modelID: 'm' };
const session: SessionInfo = {
  id: 'ses_1',
  title: 'A test',
  cwd: '/p',
  root: '/p',
  agent: 'build',
  model,
  time: { created: 1 },
};
const created: AgentEvent = { type: 'session-created', session };

function user(id: string, text = id): { info: UserInfo; parts: AnyPart[] } {
  return {
    info: { id, sessionID: 'ses_1', role: 'user', time: { created: 1 }, agent: 'build', model },
    parts: [{ id: `prt_${id}`, sessionID: 'ses_1', messageID: id, type: 'text', text }],
  };
}

function startStep(id: string): AgentEvent {
  const info: AssistantInfo = {
    id,
    sessionID: 'ses_1',
    role: 'assistant',
    time: { created: 1 },
    parentID: 'msg_1',
    agent: 'build',
    model,
    path: { cwd: '/p', root: '/p' },
    cost: 0,
    costSource: 'computed',
    tokens: NO_TOKENS,
  };
  return { type: 'start-step', partID: `prt_${id}`, info, snapshot: 'tree0' };
}

/** Numbers the events; the event at place n happened at n. */
function log(...events: AgentEvent[]): LoggedEvent[] {
  return events.map((event, index) => ({ seq: index + 1, at: index + 1, event: agentEventSchema.parse(event) }));
}

const fold = (...events: AgentEvent[]): SessionState => foldSession(log(created, ...events))!;

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}

test('a log begins with its session, and is nothing before that', () => {
  expect(foldSession([])).toBeUndefined();
  expect(() => foldSession(log({ type: 'unreverted' }))).toThrow(
    'A session\'s log begins with "session-created", not with "unreverted".',
  );
  expect(fold()).toEqual({
    info: session,
    system: undefined,
    messages: [],
    queue: [],
    turn: undefined,
    counters: { modelCalls: 0, toolCalls: 0 },
    cost: 0,
    tokens: NO_TOKENS,
    todos: [],
    revert: undefined,
    seq: 1,
    updatedAt: 1,
  });
});

test('a session is called, set up and told what it is', () => {
  const other = { providerID: 'other', modelID: 'n' };
  const state = fold(
    { type: 'session-updated', title: 'Better' },
    { type: 'session-updated', agent: 'plan', model: other },
    { type: 'system-changed', system: 'Be good.' },
    { type: 'todos-updated', todos: [{ content: 'one', status: 'pending' }] },
  );
  expect(state.info).toEqual({ ...session, title: 'Better', agent: 'plan', model: other });
  expect([state.system, state.todos]).toEqual(['Be good.', [{ content: 'one', status: 'pending' }]]);
});

test('a prompt waits until it is a message or is withdrawn', () => {
  const admit = (id: string): AgentEvent => ({
    type: 'prompt-admitted',
    prompt: { message: user(id), delivery: 'queue' },
  });
  const state = fold(
    admit('msg_1'),
    admit('msg_2'),
    admit('msg_3'),
    { type: 'prompt-withdrawn', messageID: 'msg_2' },
    { type: 'prompt-withdrawn', messageID: 'msg_9' },
    { type: 'message-added', message: user('msg_1') },
  );
  expect(state.queue.map(({ message }) => message.info.id)).toEqual(['msg_3']);
  expect(state.messages).toEqual([user('msg_1')]);
});

test('an answer is its blocks, in the order in which they began, between the two ends of its step [FR-03, FR-05, FR-06]', () => {
  const of = (partID: string) => ({ messageID: 'msg_2', partID });
  const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 1, write: 0 } };
  const state = fold(
    { type: 'message-added', message: user('msg_1') },
    { type: 'turn-started', turnID: 'trn_1', messageID: 'msg_1' },
    startStep('msg_2'),
    { type: 'reasoning-start', ...of('r'), metadata: { a: { first: 1 } } },
    { type: 'text-start', ...of('t') },
    { type: 'reasoning-delta', ...of('r'), delta: 'hm' },
    { type: 'text-delta', ...of('t'), delta: 'Hel' },
    { type: 'reasoning-end', ...of('r'), metadata: { a: { signature: 's' } } },
    { type: 'text-delta', ...of('t'), delta: 'lo' },
    { type: 'text-end', ...of('t') },
    { type: 'tool-input-start', ...of('c'), callID: 'c1', tool: 'read' },
    { type: 'tool-input-delta', ...of('c'), delta: '{"a"' },
    { type: 'tool-input-delta', ...of('c'), delta: ':1}' },
    { type: 'tool-input-end', ...of('c'), metadata: { g: { thought: 't' } } },
    { type: 'tool-call', ...of('c'), input: { a: 1 } },
    {
      type: 'tool-result',
      ...of('c'),
      state: { status: 'error', input: { a: 1 }, error: 'no', time: { start: 9, end: 9 } },
    },
    {
      type: 'finish-step',
      partID: 'prt_end',
      messageID: 'msg_2',
      reason: 'stop',
      cost: 0.5,
      costSource: 'provider',
      tokens,
      snapshot: 'tree1',
    },
    { type: 'turn-finished', turnID: 'trn_1', counters: { modelCalls: 1, toolCalls: 1 } },
  );
  const base = { sessionID: 'ses_1', messageID: 'msg_2' };
  expect(state.messages[1]!.parts).toEqual([
    { ...base, id: 'prt_msg_2', type: 'step-start', snapshot: 'tree0' },
    {
      ...base,
      id: 'r',
      type: 'reasoning',
      text: 'hm',
      time: { start: 5, end: 9 },
      metadata: { a: { signature: 's' } },
    },
    { ...base, id: 't', type: 'text', text: 'Hello', time: { start: 6, end: 11 } },
    {
      ...base,
      id: 'c',
      type: 'tool',
      callID: 'c1',
      tool: 'read',
      state: { status: 'error', input: { a: 1 }, error: 'no', time: { start: 9, end: 9 } },
      metadata: { g: { thought: 't' } },
    },
    { ...base, id: 'prt_end', type: 'step-finish', reason: 'stop', cost: 0.5, tokens, snapshot: 'tree1' },
  ]);
  expect(state.messages[1]!.info).toMatchObject({
    cost: 0.5,
    costSource: 'provider',
    tokens,
    finish: 'stop',
    time: { created: 1, completed: 18 },
  });
  expect(state).toMatchObject({
    cost: 0.5,
    tokens,
    counters: { modelCalls: 1, toolCalls: 1 },
    turn: { id: 'trn_1', startedAt: 3, finishedAt: 19, counters: { modelCalls: 1, toolCalls: 1 } },
  });
});

describe('a tool call', () => {
  const of = { messageID: 'msg_2', partID: 'c' };
  const begun: AgentEvent[] = [startStep('msg_2'), { type: 'tool-input-start', ...of, callID: 'c1', tool: 'read' }];
  const states: Record<ToolState['status'], ToolState> = {
    pending: { status: 'pending', input: {}, raw: '' },
    'awaiting-approval': { status: 'awaiting-approval', input: {}, approvalID: 'apr_1', time: { asked: 1 } },
    running: { status: 'running', input: {}, time: { start: 1 } },
    completed: { status: 'completed', input: {}, output: 'x', title: '', time: { start: 1, end: 2 } },
    error: { status: 'error', input: {}, error: 'x', time: { start: 1, end: 2 } },
  };
  const move = (to: ToolState['status']): AgentEvent => ({ type: 'tool-state', ...of, state: states[to] });
  const stateOf = (state: SessionState) =>
    (state.messages.at(-1)!.parts.find(({ id }) => id === 'c') as ToolPart).state;

  test('moves only forward, and stays as it ended [ACC-01]', () => {
    const allowed = [
      ['pending', 'awaiting-approval'],
      ['pending', 'running'],
      ['pending', 'error'],
      ['awaiting-approval', 'running'],
      ['awaiting-approval', 'error'],
      ['running', 'completed'],
      ['running', 'error'],
    ].map(String);
    const ways: Record<ToolState['status'], ToolState['status'][]> = {
      pending: [],
      'awaiting-approval': ['awaiting-approval'],
      running: ['running'],
      completed: ['running', 'completed'],
      error: ['error'],
    };
    const all = Object.keys(states) as ToolState['status'][];
    const pairs = all.flatMap((from) => all.map((to) => [from, to] as const));
    const end = ([from, to]: readonly [ToolState['status'], ToolState['status']]): ToolState | string => {
      try {
        return stateOf(fold(...begun, ...ways[from].map(move), move(to)));
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(pairs.map(end)).toEqual(
      pairs.map(([from, to]) =>
        allowed.includes(String([from, to])) ? states[to] : `The tool call c1 is ${from} and cannot become ${to}.`,
      ),
    );
  });

  test('says how it gets on while it runs or waits, and not before or after [FR-30]', () => {
    const tell: AgentEvent = { type: 'tool-metadata', ...of, title: 'half', metadata: { percent: 50 } };
    const annotated = (...events: AgentEvent[]) => stateOf(fold(...begun, ...events, tell));
    const note = { title: 'half', metadata: { percent: 50 } };
    expect(annotated()).toEqual(states.pending);
    expect(annotated(move('awaiting-approval'))).toEqual({ ...states['awaiting-approval'], ...note });
    expect(annotated(move('running'))).toEqual({ ...states.running, ...note });
    expect(annotated(move('error'))).toEqual(states.error);
  });

  test('takes no more arguments once it has begun [FR-23]', () => {
    const state = fold(
      ...begun,
      { type: 'tool-input-delta', ...of, delta: '{' },
      { type: 'tool-input-end', ...of },
      move('running'),
      { type: 'tool-input-delta', ...of, delta: '}' },
      { type: 'tool-call', ...of, input: { late: true } },
    );
    expect(stateOf(state)).toEqual(states.running);
    expect(stateOf(fold(...begun, { type: 'tool-input-delta', ...of, delta: '{' }))).toEqual({
      ...states.pending,
      raw: '{',
    });
  });
});

test('what is said of a message or a part that is not there changes nothing but the number', () => {
  const before = fold(startStep('msg_2'));
  const nowhere = { messageID: 'msg_9', partID: 'x' };
  const noPart = { messageID: 'msg_2', partID: 'x' };
  for (const event of [
    { type: 'text-start', ...nowhere },
    { type: 'text-delta', ...noPart, delta: 'x' },
    { type: 'part-removed', ...noPart },
  ] as AgentEvent[]) {
    const after = foldEvent(before, { seq: 3, at: 9, event });
    expect(after).toEqual({ ...before, seq: 3, updatedAt: 9 });
  }
});

test('parts come and go, as those of a call that is tried again do [ACC-14]', () => {
  const base = { sessionID: 'ses_1', messageID: 'msg_2' };
  const state = fold(
    startStep('msg_2'),
    { type: 'text-start', messageID: 'msg_2', partID: 't' },
    { type: 'part-removed', messageID: 'msg_2', partID: 't' },
    {
      type: 'part-added',
      part: {
        ...base,
        id: 'again',
        type: 'retry',
        attempt: 1,
        error: { code: 'model', message: 'busy' },
        time: { created: 1 },
      },
    },
    { type: 'part-added', part: { ...base, id: 'own', type: 'x-chart', data: [1, 2] } },
  );
  expect(state.messages[0]!.parts.map(({ type }) => type)).toEqual(['step-start', 'retry', 'x-chart']);
});

test('what left the view is stamped, and nothing is deleted [FR-55, FR-56]', () => {
  const call = (id: string): AgentEvent[] => [
    { type: 'tool-input-start', messageID: 'msg_2', partID: id, callID: id, tool: 'read' },
  ];
  const run = (id: string, state: ToolState): AgentEvent => ({
    type: 'tool-state',
    messageID: 'msg_2',
    partID: id,
    state,
  });
  const running: ToolState = { status: 'running', input: {}, time: { start: 1 } };
  const done: ToolState = { status: 'completed', input: {}, output: 'long', title: '', time: { start: 1, end: 2 } };
  const events: AgentEvent[] = [
    { type: 'message-added', message: user('msg_1') },
    startStep('msg_2'),
    ...['a', 'b', 'c'].flatMap(call),
    run('a', running),
    run('a', done),
    run('b', { status: 'error', input: {}, error: 'no', time: { start: 1, end: 1 } }),
    { type: 'message-added', message: user('msg_3') },
    {
      type: 'compacted',
      messageIDs: ['msg_1'],
      partIDs: ['a', 'b', 'c', 'prt_msg_2'],
      summary: { messageID: 'msg_3', title: 'T', body: 'B', diffs: [{ file: 'x.ts' }] },
    },
  ];
  const state = fold(...events);
  expect(state.messages.map(({ info }) => info.time)).toEqual([
    { created: 1, compacted: 11 },
    { created: 1 },
    { created: 1 },
  ]);
  expect(state.messages[1]!.parts).toMatchObject([
    { type: 'step-start' },
    { state: { status: 'completed', output: 'long', time: { compacted: 11 } } },
    { state: { status: 'error', time: { compacted: 11 } } },
    { state: { status: 'pending' } },
  ]);
  expect(state.messages[2]!.info).toMatchObject({ summary: { title: 'T', body: 'B', diffs: [{ file: 'x.ts' }] } });
});

test('what is taken back stays until the conversation goes on, and can come back until then', () => {
  const messages = ['msg_1', 'msg_2', 'msg_3'].map((id): AgentEvent => ({ type: 'message-added', message: user(id) }));
  const revert: AgentEvent = { type: 'reverted', messageID: 'msg_2', snapshot: 'tree', files: ['a'] };
  const ids = (state: SessionState) => state.messages.map(({ info }) => info.id);

  const reverted = fold(...messages, revert);
  expect([ids(reverted), reverted.revert]).toEqual([
    ['msg_1', 'msg_2', 'msg_3'],
    { messageID: 'msg_2', snapshot: 'tree', files: ['a'] },
  ]);
  expect(fold(...messages, revert, { type: 'unreverted' }).revert).toBeUndefined();
  const gone = fold(...messages, revert, { type: 'message-added', message: user('msg_4') });
  expect([ids(gone), gone.revert]).toEqual([['msg_1', 'msg_4'], undefined]);
  const unknown: AgentEvent = { type: 'reverted', messageID: 'msg_9', files: [] };
  expect(ids(fold(...messages, unknown, { type: 'message-added', message: user('msg_4') }))).toHaveLength(4);
});

test('a turn that never began does not end, and one that failed says why', () => {
  const finish: AgentEvent = {
    type: 'turn-finished',
    turnID: 'trn_1',
    counters: { modelCalls: 0, toolCalls: 0 },
    error: { code: 'aborted', message: 'no' },
  };
  expect(fold(finish).turn).toBeUndefined();
  expect(fold({ type: 'turn-started', turnID: 'trn_1', messageID: 'msg_1' }, finish).turn).toMatchObject({
    error: { code: 'aborted' },
  });
});

test('what did not change is shared with the state before', () => {
  const before = fold({ type: 'message-added', message: user('msg_1') }, startStep('msg_2'));
  const after = foldEvent(before, { seq: 9, at: 9, event: { type: 'text-start', messageID: 'msg_2', partID: 't' } });
  expect(after.messages[0]).toBe(before.messages[0]);
  expect(
    [after.info, after.queue, after.todos].every(
      (value, index) => value === [before.info, before.queue, before.todos][index],
    ),
  ).toBe(true);
});

type Kind = 'reasoning' | 'text' | 'tool-input';

/** Deltas of three blocks of each kind, in any order. */
const deltas = fc.array(
  fc.record({
    kind: fc.constantFrom<Kind>('reasoning', 'text', 'tool-input'),
    block: fc.constantFrom('a', 'b'),
    text: fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }),
  }),
  { maxLength: 30 },
);

test('however deltas are cut and joined, they add up to the same state, and nothing that is given is changed [FR-01, FR-19]', () => {
  fc.assert(
    fc.property(deltas, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), fc.nat(), (list, sizes, pause) => {
      const begin = (['reasoning', 'text', 'tool-input'] as const).flatMap((kind) =>
        ['a', 'b'].map(
          (block): AgentEvent =>
            ({
              type: `${kind}-start`,
              messageID: 'msg_1',
              partID: kind + block,
              ...(kind === 'tool-input' ? { callID: block, tool: 'read' } : {}),
            }) as AgentEvent,
        ),
      );
      const said = list.map(({ kind, block, text }): AgentEvent => ({
        type: `${kind}-delta`,
        messageID: 'msg_1',
        partID: kind + block,
        delta: text,
      }));
      const whole = frozen(log(created, startStep('msg_1'), ...begin, ...said));
      let cut = 0;
      const pieces = whole.flatMap((logged) => {
        const { event } = logged;
        if (!('delta' in event)) return [logged];
        const size = sizes[cut++ % sizes.length]!;
        return (event.delta.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map((delta) => ({
          ...logged,
          event: { ...event, delta },
        }));
      });

      const state = frozen(foldSession(whole))!;
      expect(foldSession(frozen(pieces))).toEqual(state);
      const place = pause % whole.length;
      const half = foldSession(whole.slice(0, place));
      const readBack = half === undefined ? undefined : (JSON.parse(JSON.stringify(half)) as SessionState);
      expect(foldSession(whole.slice(place), frozen(readBack))).toEqual(state);
      let step: SessionState | undefined;
      for (const logged of whole) step = frozen(foldEvent(step, logged));
      expect(step).toEqual(state);
    }),
    { seed: 19, numRuns: 200 },
  );
});
