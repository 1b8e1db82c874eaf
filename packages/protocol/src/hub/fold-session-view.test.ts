import { describe, expect, test } from 'vitest';
import { goldenSessions } from '../uap/golden-sessions.fixture.ts';
import { toAgentMessages } from '../uap/to-agent-messages.ts';
import { foldHubEvent, foldHubEvents, SessionFold } from './fold-session-view.ts';
import { type HubEvent, hubEventSchema, type LoggedHubEvent } from './hub-event.ts';
import { joinEvents } from './join-events.ts';
import { ada, created, numbered } from './random-session.fixture.ts';
import type { SessionView } from './session-view.ts';

const fold = (...events: HubEvent[]): SessionView =>
  foldHubEvents(numbered([created, ...events].map((event) => hubEventSchema.parse(event))))!;

const statuses = ({ tools }: SessionView) =>
  Object.fromEntries(Array.from(tools, ([id, { status }]) => [id, status] as const));

const assistant = (blockId: string) => ({ messageId: 'msg_1', role: 'assistant' as const, blockId });
const call = (id: string): HubEvent => ({
  type: 'block-stop',
  ...assistant(`blk_${id}`),
  block: { type: 'tool_use', id, name: 'ls', input: {} },
});

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of value instanceof Map ? value.values() : Object.values(value)) frozen(inner);
  return value;
}

describe('golden sessions [UAP-06, UAP-08, UAP-09, UAP-10, UAP-11, UAP-12, UAP-13, UAP-14, UAP-15, UAP-16]', () => {
  test.each(goldenSessions)('$name: $title', ({ events, messages, tools, moments = [], plan, usage }) => {
    for (const { event } of events) expect(hubEventSchema.parse(event)).toEqual(event);

    const view = foldHubEvents(frozen(events))!;

    expect(toAgentMessages(view)).toEqual(messages);
    expect(statuses(view)).toEqual(tools);
    expect(view.plan).toEqual(plan);
    expect(view.usage).toEqual(usage ?? view.usage);
    expect(view.messages.flatMap(({ blocks }) => blocks).filter(({ isOpen }) => isOpen)).toEqual([]);
    expect(foldHubEvents(joinEvents(events))).toEqual(view);
    for (const moment of moments) {
      const then = foldHubEvents(events.filter(({ seq }) => seq <= moment.seq))!;
      expect(toAgentMessages(then)).toEqual(moment.messages);
      expect(statuses(then)).toEqual(moment.tools);
      expect(foldHubEvents(events, then)).toEqual(view);
    }
  });
});

test('a log begins with its session, and is nothing before that', () => {
  expect(foldHubEvents([])).toBeUndefined();
  expect(() => foldHubEvents(numbered([call('call_1')]))).toThrow(
    'A session\'s log begins with "session-created", not with "block-stop".',
  );
  expect(fold()).toEqual({
    info: { id: 'ses_1', title: 'A test', agent: 'echo', runnerId: 'rnr_1', folder: '/p', by: ada },
    title: 'A test',
    isNamed: false,
    isPinned: false,
    isArchived: false,
    messages: [],
    tools: new Map(),
    approvals: [],
    queue: [],
    turn: undefined,
    turns: [],
    closedSeq: 0,
    agentState: 'starting',
    agentError: undefined,
    agentSessionId: undefined,
    cwd: '/p',
    branch: undefined,
    model: undefined,
    mode: undefined,
    models: [],
    modes: [],
    commands: [],
    capabilities: {},
    plan: undefined,
    usage: {},
    takenOut: { spans: [], blocks: new Map() },
    seq: 1,
    createdAt: 10,
    updatedAt: 10,
  });
});

test.each(goldenSessions)('$name is the same whether its events come at once or in pages', ({ events }) => {
  for (const size of [1, 2, 7]) {
    const fold = new SessionFold();
    for (let from = 0; from < events.length; from += size) {
      fold.add(events.slice(from, from + size));
      expect(fold.seq).toBe(events[Math.min(from + size, events.length) - 1]!.seq);
    }
    expect(fold.finish()).toEqual(foldHubEvents(events));
  }
  expect(new SessionFold().finish()).toBeUndefined();
});

test('an event that this program does not know is passed over, and counts', () => {
  const view = fold();
  const next = foldHubEvent(view, { seq: 7, at: 70, event: { type: 'session-painted', colour: 'red' } as never });
  expect(next).toEqual({ ...view, seq: 7, updatedAt: 70 });
});

test('an event that is in the view already changes nothing', () => {
  const view = fold(call('call_1'));
  expect(foldHubEvent(view, { seq: 2, at: 20, event: call('call_2') })).toBe(view);
});

test('what the agent tells of itself is kept until it tells otherwise, but a person has the last word on the title', () => {
  const told = fold(
    { type: 'agent-updated', title: 'Fix the door', model: 'big', capabilities: { steer: true }, agentSessionId: 'x1' },
    { type: 'agent-updated', mode: 'plan', models: [{ id: 'big' }, { id: 'small' }] },
    { type: 'agent-state', state: 'ready', cwd: '/p/.worktrees/1', branch: 'door' },
  );
  expect(told).toMatchObject({
    title: 'Fix the door',
    model: 'big',
    mode: 'plan',
    models: [{ id: 'big' }, { id: 'small' }],
    capabilities: { steer: true },
    agentSessionId: 'x1',
    agentState: 'ready',
    cwd: '/p/.worktrees/1',
    branch: 'door',
  });
  const named = fold(
    { type: 'session-updated', title: 'Door', pinned: true, archived: true, by: ada },
    { type: 'agent-updated', title: 'Fix the door' },
  );
  expect(named).toMatchObject({ title: 'Door', isNamed: true, isPinned: true, isArchived: true });
});

test('a turn that ended while nobody could tell took as long as it was worked on', () => {
  const view = foldHubEvents([
    { seq: 1, at: 1_000, event: created },
    { seq: 2, at: 2_000, event: { type: 'turn-started', turnId: 'trn_1' } },
    { seq: 3, at: 31_000, event: call('one') },
    { seq: 4, at: 126_000, event: { type: 'turn-finished', turnId: 'trn_1', reason: 'interrupted', endedAt: 31_000 } },
  ])!;

  expect(view.turn).toMatchObject({ startedAt: 2_000, finishedAt: 31_000, reason: 'interrupted' });
});

test('an agent that is gone ends its turn and its calls, and how the turn ended may still be told', () => {
  const error = { code: 'internal', message: 'It exited with code 1.' };
  const gone: HubEvent[] = [
    { type: 'turn-started', turnId: 'trn_1' },
    call('call_1'),
    { type: 'agent-state', state: 'failed', error },
  ];
  const view = fold(...gone);
  expect(statuses(view)).toEqual({ call_1: 'Interrupted' });
  expect(view).toMatchObject({ agentState: 'failed', agentError: error });
  expect(view.turn).toEqual({
    id: 'trn_1',
    startedAt: 20,
    since: 2,
    finishedAt: 40,
    until: 4,
    reason: 'failed',
    error,
  });

  const told = fold(...gone, { type: 'turn-finished', turnId: 'trn_1', reason: 'cancelled' });
  expect(told.turn).toMatchObject({ reason: 'cancelled', finishedAt: 50 });
  expect(told.turns).toEqual([told.turn]);
});

test('messages know their turn; what an agent says between turns has none', () => {
  const text = (id: string): HubEvent => ({
    type: 'block-stop',
    messageId: `msg_${id}`,
    role: 'assistant',
    blockId: id,
    block: { type: 'text', text: id },
  });
  const view = fold(
    { type: 'turn-started', turnId: 'trn_1' },
    text('a'),
    { type: 'turn-finished', turnId: 'trn_1', reason: 'done' },
    text('b'),
    { type: 'turn-started', turnId: 'trn_2' },
    text('c'),
  );
  expect(view.messages.map(({ id, turnId }) => [id, turnId])).toEqual([
    ['msg_a', 'trn_1'],
    ['msg_b', undefined],
    ['msg_c', 'trn_2'],
  ]);
});

test('the end of a turn that is over already does not touch the one that runs', () => {
  const view = fold(
    { type: 'turn-started', turnId: 'trn_1' },
    { type: 'turn-started', turnId: 'trn_2' },
    call('call_1'),
    { type: 'turn-finished', turnId: 'trn_1', reason: 'interrupted' },
  );
  expect(statuses(view)).toEqual({ call_1: 'Running' });
  expect(view.turn).toEqual({ id: 'trn_2', startedAt: 30, since: 3 });
});

test('a result that comes after its turn still counts [UAP-12]', () => {
  const view = fold(call('call_1'), { type: 'turn-finished', turnId: 'trn_1', reason: 'done' });
  expect(statuses(view)).toEqual({ call_1: 'Interrupted' });
  const late = foldHubEvent(view, {
    seq: 9,
    at: 90,
    event: {
      type: 'block-stop',
      messageId: 'msg_2',
      role: 'user',
      blockId: 'blk_2',
      block: { type: 'tool_result', tool_use_id: 'call_1', content: 'late' },
    },
  });
  expect(late.tools.get('call_1')).toEqual({
    status: 'Success',
    startedAt: 20,
    endedAt: 90,
    useBlockId: 'blk_call_1',
    resultBlockId: 'blk_2',
  });
});

test('how long a call waited for people is told apart from how long it took', () => {
  const ask = (id: string): HubEvent => ({
    type: 'approval-asked',
    approval: { id, title: 'May I?', options: [], toolUseId: 'call_1' },
  });
  const decide = (approvalId: string): HubEvent => ({
    type: 'approval-decided',
    approvalId,
    reply: { type: 'selected', optionId: 'once' },
    by: ada,
  });
  const asked = fold(call('call_1'), ask('a'));
  expect(asked.tools.get('call_1')).toMatchObject({ status: 'Waiting', startedAt: 20 });
  const view = fold(call('call_1'), ask('a'), decide('a'), ask('b'), decide('b'), {
    type: 'block-stop',
    messageId: 'msg_2',
    role: 'user',
    blockId: 'blk_2',
    block: { type: 'tool_result', tool_use_id: 'call_1', content: 'done' },
  });
  expect(view.tools.get('call_1')).toMatchObject({ status: 'Success', startedAt: 20, endedAt: 70, waitedMs: 20 });
});

test('the input of a call is shown as it is written, and gone once it is whole [UAP-10]', () => {
  const started: HubEvent[] = [
    {
      type: 'block-start',
      ...assistant('blk_call_1'),
      block: { type: 'tool_use', id: 'call_1', name: 'ls', input: {} },
    },
    { type: 'block-delta', blockId: 'blk_call_1', delta: '{"pa' },
    { type: 'block-delta', blockId: 'blk_call_1', delta: 'th"' },
  ];
  const view = fold(...started);
  expect(view.messages[0]!.blocks[0]).toMatchObject({ isOpen: true, inputText: '{"path"' });
  expect(statuses(view)).toEqual({ call_1: 'Running' });
  expect(fold(...started, call('call_1')).messages[0]!.blocks).toEqual([
    {
      id: 'blk_call_1',
      block: { type: 'tool_use', id: 'call_1', name: 'ls', input: {} },
      isOpen: false,
      since: 2,
      startedAt: 20,
      endedAt: 50,
    },
  ]);
});

test('what did not change is shared with the view before, which stays as it was', () => {
  const view = frozen(
    fold(
      call('call_1'),
      { type: 'block-start', messageId: 'msg_2', role: 'assistant', blockId: 'a', block: { type: 'text', text: 'A' } },
      { type: 'block-start', messageId: 'msg_2', role: 'assistant', blockId: 'b', block: { type: 'text', text: 'B' } },
    ),
  );
  const next = foldHubEvent(view, { seq: 9, at: 90, event: { type: 'block-delta', blockId: 'b', delta: '!' } });
  expect(view.messages[1]!.blocks[1]!.block).toEqual({ type: 'text', text: 'B' });
  expect(next.messages[1]!.blocks[1]!.block).toEqual({ type: 'text', text: 'B!' });
  expect(next.messages[0]).toBe(view.messages[0]);
  expect(next.messages[1]!.blocks[0]).toBe(view.messages[1]!.blocks[0]);
  expect([next.tools, next.approvals, next.turns]).toEqual([view.tools, view.approvals, view.turns]);
  expect(next.tools).toBe(view.tools);

  const more = foldHubEvent(view, { seq: 9, at: 90, event: call('call_2') });
  expect(more.tools.get('call_1')).toBe(view.tools.get('call_1'));
});

test('a long session is the same from its pieces, from its log, and from views that were continued in two ways', () => {
  const events: HubEvent[] = [created];
  const numbers = Array.from({ length: 400 }, (_, index) => index);
  for (const n of numbers) {
    const ids = [`a${n}`, `b${n}`, `c${n}`] as const;
    for (const id of ids)
      events.push({
        type: 'block-start',
        messageId: `msg_${n % 2 === 0 ? id : n}`,
        role: 'assistant',
        blockId: id,
        block: id === ids[1] ? { type: 'tool_use', id, name: 'ls', input: {} } : { type: 'text', text: '' },
      });
    for (const id of ids) events.push({ type: 'block-delta', blockId: id, delta: id });
    for (const id of ids.toReversed())
      events.push({
        type: 'block-stop',
        messageId: `msg_${n % 2 === 0 ? id : n}`,
        role: 'assistant',
        blockId: id,
        block: id === ids[1] ? { type: 'tool_use', id, name: 'ls', input: {} } : { type: 'text', text: id },
      });
  }
  const raw = numbered(events);
  const whole = foldHubEvents(raw)!;
  expect(whole.messages).toHaveLength(800);
  expect(foldHubEvents(joinEvents(raw))).toEqual(whole);

  let view: SessionView | undefined;
  const strangers: LoggedHubEvent[] = [];
  for (const logged of raw) {
    // Another reader of the same view goes another way; neither sees what only the other one has.
    if (view !== undefined && logged.event.type === 'block-stop') {
      const event: HubEvent = { ...logged.event, blockId: `x${logged.seq}`, messageId: `y${logged.seq}` };
      strangers.push({ ...logged, event });
      foldHubEvent(view, { ...logged, event });
    }
    view = foldHubEvent(view, logged);
  }
  expect(view).toEqual(whole);
  const late = foldHubEvent(view, { ...strangers[0]!, seq: raw.length + 1 });
  expect(late.messages).toHaveLength(801);
});

describe('a revert', () => {
  const prompt = (id: string): HubEvent => ({
    type: 'prompt-queued',
    prompt: { id, content: [{ type: 'text', text: id }], delivery: 'queue', by: ada },
  });
  const plan = (blockId: string): HubEvent => ({
    type: 'block-stop',
    ...assistant(blockId),
    messageId: `msg_${blockId}`,
    block: { type: 'plan', entries: [{ content: blockId, status: 'pending' }] },
  });
  const turn = (id: string, ...events: HubEvent[]): HubEvent[] => [
    prompt(id),
    { type: 'turn-started', turnId: `t_${id}`, promptId: id },
    ...events,
    { type: 'turn-finished', turnId: `t_${id}`, reason: 'done' },
  ];
  const reverted = (messageId: string): HubEvent => ({ type: 'reverted', messageId, files: [] });
  const ask = (id: string, toolUseId: string): HubEvent => ({
    type: 'approval-asked',
    approval: { id, title: 'May I?', options: [], toolUseId },
  });
  const ids = ({ messages }: SessionView) => messages.map(({ id }) => id);

  test('takes messages, calls, approvals, turns and plans out from the prompt on; what waits in the queue stays', () => {
    const first = turn('p1', plan('plan_1'));
    const before = fold(...first);
    const view = fold(
      ...first,
      ...turn('p2', plan('plan_2'), call('call_1'), ask('a1', 'call_1')),
      ...turn('p3', plan('plan_3')),
      prompt('p4'),
      reverted('p2'),
    );
    expect(view).toMatchObject({
      messages: before.messages,
      turns: before.turns,
      turn: before.turn,
      plan: { entries: [{ content: 'plan_1' }] },
      approvals: [],
      queue: [{ id: 'p4' }],
    });
    expect(view.tools).toEqual(new Map());
  });

  test('of what is not there, or was taken out before, changes nothing', () => {
    const events = [...turn('p1'), ...turn('p2'), reverted('p2')];
    const view = fold(...events);
    for (const messageId of ['p2', 'p9', 'msg_1'])
      expect(fold(...events, reverted(messageId))).toEqual({
        ...view,
        seq: view.seq + 1,
        updatedAt: view.updatedAt + 10,
      });
  });

  test('can go further back than the one before, and the session goes on in between', () => {
    const view = fold(...turn('p1'), ...turn('p2'), reverted('p2'), ...turn('p3'), reverted('p1'), ...turn('p4'));
    expect(ids(view)).toEqual(['p4']);
    expect(view.takenOut.spans).toEqual([
      { since: 6, until: 8 },
      { since: 3, until: 12 },
    ]);
  });

  test('of a prompt that went into a running turn leaves what the turn said before', () => {
    const view = fold(
      prompt('p1'),
      { type: 'turn-started', turnId: 't1', promptId: 'p1' },
      plan('plan_1'),
      prompt('p2'),
      { type: 'prompt-taken', promptId: 'p2', turnId: 't1' },
      plan('plan_2'),
      { type: 'turn-finished', turnId: 't1', reason: 'done' },
      reverted('p2'),
    );
    expect(ids(view)).toEqual(['p1', 'msg_plan_1']);
    expect(view.turn).toMatchObject({ id: 't1', reason: 'done' });
  });

  test('keeps what was paid, also what is told of it later, but not what it had in its context', () => {
    const used = (blockId: string, cost_usd: number, context_used: number): HubEvent => ({
      type: 'block-stop',
      messageId: `msg_${blockId}`,
      role: 'agent',
      blockId,
      block: { type: 'usage', cost_usd, context_used },
    });
    const events = [...turn('p1', used('u1', 1, 10)), ...turn('p2', used('u2', 2, 20)), reverted('p2')];
    expect(fold(...events).usage).toEqual({ cost_usd: 3, context_used: 10 });
    expect(fold(...events, used('u2', 4, 40)).usage).toEqual({ cost_usd: 5, context_used: 10 });
    expect(fold(...events, ...turn('p3', used('u3', 8, 15))).usage).toEqual({ cost_usd: 11, context_used: 15 });
  });

  test('that failed changes nothing', () => {
    const view = fold(...turn('p1'));
    const error = { code: 'unavailable', message: 'No.' };
    expect(fold(...turn('p1'), { type: 'revert-failed', messageId: 'p1', error }).messages).toEqual(view.messages);
  });
});
