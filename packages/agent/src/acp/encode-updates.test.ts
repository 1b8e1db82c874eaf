import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { type AgentEvent, foldEvent, type LoggedEvent, type SessionState, type ToolState } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { encodeUpdates, type UpdateOptions } from './encode-updates.ts';
import { replaySession } from './replay-session.ts';

const NO_TALENTS = { notices: false, compaction: false };
const ALL_TALENTS = { notices: true, compaction: true };
const model = { providerID: 'test', modelID: 'm' };
const tokens = { input: 900, output: 60, reasoning: 40, cache: { read: 0, write: 0 } };

const created: AgentEvent = {
  type: 'session-created',
  session: {
    id: 'ses_1',
    title: 'New session',
    cwd: '/p/web',
    root: '/p',
    agent: 'build',
    model,
    time: { created: 1 },
  },
};

function user(id: string, text: string, more: object = {}): AgentEvent {
  const base = { sessionID: 'ses_1', messageID: id };
  return {
    type: 'message-added',
    message: {
      info: { id, sessionID: 'ses_1', role: 'user', time: { created: 1 }, agent: 'build', model },
      parts: [{ id: `prt_${id}`, ...base, type: 'text', text, ...more }],
    },
  };
}

function step(id: string, more: object = {}): AgentEvent {
  return {
    type: 'start-step',
    partID: `prt_start_${id}`,
    info: {
      id,
      sessionID: 'ses_1',
      role: 'assistant',
      time: { created: 2 },
      parentID: 'msg_u',
      agent: 'build',
      model,
      path: { cwd: '/p/web', root: '/p' },
      cost: 0,
      costSource: 'computed',
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      ...more,
    },
  };
}

function finish(messageID: string, more: object = {}): AgentEvent {
  return {
    type: 'finish-step',
    partID: `prt_end_${messageID}`,
    messageID,
    reason: 'stop',
    cost: 0.25,
    costSource: 'computed',
    tokens,
    ...more,
  };
}

/** A call from its first letter to its end. */
function call(
  messageID: string,
  id: string,
  tool: string,
  input: Record<string, unknown>,
  ...states: ToolState[]
): AgentEvent[] {
  const of = { messageID, partID: id };
  return [
    { type: 'tool-input-start', ...of, callID: 'call_0', tool },
    { type: 'tool-input-delta', ...of, delta: JSON.stringify(input) },
    { type: 'tool-input-end', ...of },
    { type: 'tool-call', ...of, input },
    ...states.map((state): AgentEvent =>
      state.status === 'completed' || state.status === 'error'
        ? { type: 'tool-result', ...of, state }
        : { type: 'tool-state', ...of, state },
    ),
  ];
}

const running = (input: Record<string, unknown>): ToolState => ({ status: 'running', input, time: { start: 3 } });
const completed = (
  input: Record<string, unknown>,
  output: string,
  metadata: Record<string, unknown> = {},
): ToolState => ({
  status: 'completed',
  input,
  output,
  title: '',
  metadata,
  time: { start: 3, end: 4 },
});

function encode(events: readonly AgentEvent[], options: Partial<UpdateOptions> = {}) {
  const updates: SessionUpdate[] = [];
  const encoder = encodeUpdates(
    { client: NO_TALENTS, contextTokens: () => 128_000, isOwnPrompt: (id) => id === 'msg_u', ...options },
    (update) => updates.push(update),
  );
  let state: SessionState | undefined;
  for (const [index, event] of [created, ...events].entries()) {
    const logged: LoggedEvent = { seq: index + 1, at: index + 1, event };
    state = foldEvent(state, logged);
    encoder.push(event, state);
  }
  return { updates, state: state! };
}

const DIFF = '--- web/a.ts\n+++ web/a.ts\n@@ -7,3 +7,3 @@\n one\n-two\n+2\n three\n';
const edit = { filePath: 'a.ts', oldString: 'two', newString: '2' };
const bash = { command: 'npm test\nnpm run lint' };

const TURN: AgentEvent[] = [
  user('msg_u', 'Fix it'),
  { type: 'turn-started', turnID: 'trn_1', messageID: 'msg_u' },
  { type: 'session-updated', title: 'Fix it' },
  step('msg_a'),
  { type: 'reasoning-start', messageID: 'msg_a', partID: 'prt_r' },
  { type: 'reasoning-delta', messageID: 'msg_a', partID: 'prt_r', delta: 'Hm, ' },
  { type: 'reasoning-delta', messageID: 'msg_a', partID: 'prt_r', delta: 'well.' },
  { type: 'reasoning-end', messageID: 'msg_a', partID: 'prt_r' },
  { type: 'text-start', messageID: 'msg_a', partID: 'prt_t' },
  { type: 'text-delta', messageID: 'msg_a', partID: 'prt_t', delta: 'I will.' },
  { type: 'text-end', messageID: 'msg_a', partID: 'prt_t' },
  ...call(
    'msg_a',
    'prt_edit',
    'edit',
    edit,
    { status: 'awaiting-approval', input: edit, approvalID: 'apr_1', title: 'edit a.ts', time: { asked: 3 } },
    running(edit),
    completed(edit, 'Edited a.ts.', { diff: DIFF }),
  ),
  ...call('msg_a', 'prt_bash', 'bash', bash, running(bash)),
  { type: 'tool-metadata', messageID: 'msg_a', partID: 'prt_bash', metadata: { output: 'ok 1\n' } },
  {
    type: 'tool-result',
    messageID: 'msg_a',
    partID: 'prt_bash',
    state: completed(bash, 'ok 1\n\n[Exit code 1.]', { exitCode: 1, end: 'exited' }),
  },
  ...call(
    'msg_a',
    'prt_gone',
    'read',
    { filePath: '/p/none', offset: 5 },
    {
      status: 'error',
      input: { filePath: '/p/none', offset: 5 },
      error: '/p/none does not exist.',
      time: { start: 3, end: 4 },
    },
  ),
  {
    type: 'todos-updated',
    todos: [
      { content: 'fix', status: 'completed', priority: 'high' },
      { content: 'test', status: 'in_progress' },
      { content: 'dance', status: 'cancelled' },
    ],
  },
  finish('msg_a'),
  { type: 'turn-finished', turnID: 'trn_1', counters: { modelCalls: 1, toolCalls: 3 } },
];

const path = '/p/web/a.ts';
const ofText = (text: string) => ({ type: 'content' as const, content: { type: 'text' as const, text } });

test('the events of a turn become the updates of an editor', () => {
  expect(encode(TURN).updates).toEqual([
    { sessionUpdate: 'session_info_update', title: 'Fix it' },
    { sessionUpdate: 'agent_thought_chunk', messageId: 'prt_r', content: { type: 'text', text: 'Hm, ' } },
    { sessionUpdate: 'agent_thought_chunk', messageId: 'prt_r', content: { type: 'text', text: 'well.' } },
    { sessionUpdate: 'agent_message_chunk', messageId: 'prt_t', content: { type: 'text', text: 'I will.' } },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'prt_edit',
      title: 'edit',
      name: 'edit',
      kind: 'edit',
      status: 'pending',
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'prt_edit',
      title: 'edit a.ts',
      rawInput: edit,
      locations: [{ path }],
    },
    { sessionUpdate: 'tool_call_update', toolCallId: 'prt_edit', status: 'in_progress' },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'prt_edit',
      title: 'edit a.ts',
      status: 'completed',
      locations: [{ path, line: 7 }],
      content: [{ type: 'diff', path, oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\n' }],
    },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'prt_bash',
      title: 'bash',
      name: 'bash',
      kind: 'execute',
      status: 'pending',
    },
    { sessionUpdate: 'tool_call_update', toolCallId: 'prt_bash', title: 'bash npm test …', rawInput: bash },
    { sessionUpdate: 'tool_call_update', toolCallId: 'prt_bash', status: 'in_progress' },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'prt_bash',
      title: 'bash npm test …',
      content: [ofText('```\nok 1\n```')],
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'prt_bash',
      title: 'bash npm test …',
      status: 'failed',
      content: [ofText('```\nok 1\n\n[Exit code 1.]\n```')],
    },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'prt_gone',
      title: 'read',
      name: 'read',
      kind: 'read',
      status: 'pending',
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'prt_gone',
      title: 'read /p/none:5-',
      rawInput: { filePath: '/p/none', offset: 5 },
      locations: [{ path: '/p/none', line: 5 }],
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'prt_gone',
      title: 'read /p/none:5-',
      status: 'failed',
      locations: [{ path: '/p/none', line: 5 }],
      content: [ofText('```\n/p/none does not exist.\n```')],
    },
    {
      sessionUpdate: 'plan',
      entries: [
        { content: 'fix', status: 'completed', priority: 'high' },
        { content: 'test', status: 'in_progress', priority: 'medium' },
      ],
    },
    { sessionUpdate: 'usage_update', used: 1000, size: 128_000, cost: { amount: 0.25, currency: 'USD' } },
  ]);
});

test('a session that is told again says the same, each thing once', () => {
  expect(replaySession(encode(TURN).state, NO_TALENTS)).toEqual([
    { sessionUpdate: 'user_message_chunk', messageId: 'msg_u', content: { type: 'text', text: 'Fix it' } },
    { sessionUpdate: 'agent_thought_chunk', messageId: 'prt_r', content: { type: 'text', text: 'Hm, well.' } },
    { sessionUpdate: 'agent_message_chunk', messageId: 'prt_t', content: { type: 'text', text: 'I will.' } },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'prt_edit',
      title: 'edit a.ts',
      name: 'edit',
      kind: 'edit',
      status: 'completed',
      rawInput: edit,
      locations: [{ path, line: 7 }],
      content: [{ type: 'diff', path, oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\n' }],
    },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'prt_bash',
      title: 'bash npm test …',
      name: 'bash',
      kind: 'execute',
      status: 'failed',
      rawInput: bash,
      content: [ofText('```\nok 1\n\n[Exit code 1.]\n```')],
    },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'prt_gone',
      title: 'read /p/none:5-',
      name: 'read',
      kind: 'read',
      status: 'failed',
      rawInput: { filePath: '/p/none', offset: 5 },
      locations: [{ path: '/p/none', line: 5 }],
      content: [ofText('```\n/p/none does not exist.\n```')],
    },
    {
      sessionUpdate: 'plan',
      entries: [
        { content: 'fix', status: 'completed', priority: 'high' },
        { content: 'test', status: 'in_progress', priority: 'medium' },
      ],
    },
  ]);
});

test('messages that were taken back are not told again', () => {
  const { state } = encode([...TURN, user('msg_2', 'No.'), { type: 'reverted', messageID: 'msg_u', files: [] }]);

  expect(replaySession({ ...state, todos: [] }, NO_TALENTS)).toEqual([]);
});

test('a call that was half written when the answer broke off has failed, and a client that takes notices is told why', () => {
  const events: AgentEvent[] = [
    step('msg_a'),
    { type: 'text-start', messageID: 'msg_a', partID: 'prt_t' },
    { type: 'text-delta', messageID: 'msg_a', partID: 'prt_t', delta: 'I w' },
    { type: 'tool-input-start', messageID: 'msg_a', partID: 'prt_c', callID: 'call_0', tool: 'github_search' },
    { type: 'part-removed', messageID: 'msg_a', partID: 'prt_t' },
    { type: 'part-removed', messageID: 'msg_a', partID: 'prt_c' },
    {
      type: 'part-added',
      part: {
        id: 'prt_retry',
        sessionID: 'ses_1',
        messageID: 'msg_a',
        type: 'retry',
        attempt: 1,
        error: { code: 'model', message: 'The provider is busy.' },
        time: { created: 5 },
      },
    },
  ];
  const updates: SessionUpdate[] = [
    { sessionUpdate: 'agent_message_chunk', messageId: 'prt_t', content: { type: 'text', text: 'I w' } },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'prt_c',
      title: 'github_search',
      name: 'github_search',
      kind: 'other',
      status: 'pending',
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'prt_c',
      status: 'failed',
      content: [ofText('The answer was cut off. Retrying…')],
    },
  ];

  expect(encode(events).updates).toEqual(updates);
  expect(encode(events, { client: ALL_TALENTS }).updates).toEqual([
    ...updates,
    {
      sessionUpdate: 'notice',
      severity: 'warning',
      title: 'Retrying (attempt 2).',
      description: 'The provider is busy.',
    },
  ]);
});

test('a summary is no part of the conversation; a client that knows compaction sees it as such', () => {
  const marker: AgentEvent = {
    type: 'message-added',
    message: {
      info: { id: 'msg_m', sessionID: 'ses_1', role: 'user', time: { created: 1 }, agent: 'build', model },
      parts: [{ id: 'prt_m', sessionID: 'ses_1', messageID: 'msg_m', type: 'compaction', auto: true }],
    },
  };
  const summed: AgentEvent[] = [
    marker,
    step('msg_s', { summary: true, parentID: 'msg_m' }),
    { type: 'text-start', messageID: 'msg_s', partID: 'prt_s' },
    { type: 'text-delta', messageID: 'msg_s', partID: 'prt_s', delta: 'In short.' },
    finish('msg_s'),
    {
      type: 'compacted',
      messageIDs: ['msg_s'],
      partIDs: [],
      summary: { messageID: 'msg_m', title: 't', body: 'In short.', diffs: [] },
    },
  ];
  const done: SessionUpdate = {
    sessionUpdate: 'compaction_update',
    compactionId: 'msg_m',
    status: 'completed',
    summary: [{ type: 'text', text: 'In short.' }],
  };
  const begun: SessionUpdate = { sessionUpdate: 'compaction_update', compactionId: 'msg_m', status: 'in_progress' };
  const { updates, state } = encode(summed, { client: ALL_TALENTS });

  expect(updates).toEqual([begun, done]);
  expect(replaySession(state, ALL_TALENTS)).toEqual([done]);
  expect(replaySession(state, NO_TALENTS)).toEqual([]);
  expect(encode(summed).updates).toEqual([]);
  expect(encode(summed, { client: { notices: true, compaction: false } }).updates).toEqual([
    { sessionUpdate: 'notice', severity: 'info', title: 'The conversation is getting long. Summarizing it…' },
  ]);
  const failing = (code: 'aborted' | 'model') =>
    encode([...summed.slice(0, 2), finish('msg_s', { error: { code, message: 'No.' } })], { client: ALL_TALENTS });
  expect(failing('model').updates.at(-1)).toEqual({ ...begun, status: 'failed', error: 'No.' });
  expect(failing('aborted').updates.at(-1)).toEqual({ ...begun, status: 'cancelled', error: 'No.' });
});

test('prompts of others are told, and what only the model is told is not', () => {
  const base = { sessionID: 'ses_1', messageID: 'msg_x' };
  const files = [
    { id: 'prt_1', ...base, type: 'file' as const, mime: 'image/png', url: 'data:image/png;base64,AAAA' },
    {
      id: 'prt_2',
      ...base,
      type: 'file' as const,
      mime: 'text/plain',
      url: 'data:text/plain;base64,AAAA',
      source: { type: 'resource' as const, clientName: 'editor', uri: 'untitled:One' },
    },
    { id: 'prt_3', ...base, type: 'file' as const, mime: 'text/plain', url: 'https://example.com/b.txt' },
    { id: 'prt_4', ...base, type: 'file' as const, mime: 'text/plain', filename: 'c.txt', url: 'data:,c' },
    {
      id: 'prt_5',
      ...base,
      type: 'file' as const,
      mime: 'text/plain',
      url: 'data:,d',
      source: { type: 'file' as const, path: 'd', text: { value: '@d', start: 0, end: 2 } },
    },
  ];
  const message = {
    info: { id: 'msg_x', sessionID: 'ses_1', role: 'user' as const, time: { created: 1 }, agent: 'build', model },
    parts: files,
  };
  const told = (content: object) => ({ sessionUpdate: 'user_message_chunk', messageId: 'msg_x', content });

  expect(
    encode([
      user('msg_x', 'And @d?'),
      user('msg_y', 'A job ended.', { synthetic: true }),
      { type: 'message-added', message },
    ]).updates,
  ).toEqual([
    told({ type: 'text', text: 'And @d?' }),
    told({ type: 'image', mimeType: 'image/png', data: 'AAAA' }),
    told({ type: 'resource_link', uri: 'untitled:One', name: 'untitled:One', mimeType: 'text/plain' }),
    told({ type: 'resource_link', uri: 'https://example.com/b.txt', name: 'b.txt', mimeType: 'text/plain' }),
    told({ type: 'text', text: '[c.txt]' }),
  ]);
});

test('what a running subagent is at is shown on its call, and its answer as it wrote it', () => {
  const task = { description: 'look around', prompt: '…', agent: 'explore' };
  const of = { messageID: 'msg_a', partID: 'prt_task' };
  const { updates } = encode([
    step('msg_a'),
    ...call('msg_a', 'prt_task', 'task', task, running(task)),
    { type: 'tool-metadata', ...of, metadata: { taskID: 'ses_2', agent: 'explore', at: 'grep', calls: 1 } },
    { type: 'tool-metadata', ...of, metadata: { taskID: 'ses_2', agent: 'explore', at: 'read', calls: 2 } },
    { type: 'tool-result', ...of, state: completed(task, '**Found** it.') },
  ]);

  expect(updates.slice(3)).toEqual([
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'prt_task',
      title: 'task explore: look around',
      content: [ofText('1 call, now grep')],
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'prt_task',
      title: 'task explore: look around',
      content: [ofText('2 calls, now read')],
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'prt_task',
      title: 'task explore: look around',
      status: 'completed',
      content: [ofText('**Found** it.')],
    },
  ]);
});

test('a picture that a call returned is shown, and a tool of elsewhere says itself what it did', () => {
  const image = {
    id: 'prt_i',
    sessionID: 'ses_1',
    messageID: 'msg_a',
    type: 'file' as const,
    mime: 'image/png',
    url: 'data:image/png;base64,AAAA',
  };
  const { updates } = encode([
    step('msg_a'),
    ...call('msg_a', 'prt_c', 'demo_chart', {}, running({}), {
      ...(completed({}, '') as Extract<ToolState, { status: 'completed' }>),
      title: 'Sales of May',
      attachments: [image, { ...image, mime: 'application/pdf' }],
    }),
  ]);

  expect(updates.at(-1)).toEqual({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'prt_c',
    title: 'demo_chart Sales of May',
    status: 'completed',
    content: [{ type: 'content', content: { type: 'image', mimeType: 'image/png', data: 'AAAA' } }],
  });
});

test('a tool that no screen knows is titled with what it was given, and what it says of itself is added', () => {
  const input = { path: './src' };
  const of = { messageID: 'msg_a', partID: 'prt_d' };
  const { updates } = encode([
    step('msg_a'),
    ...call('msg_a', 'prt_d', 'docs_find', input, running(input)),
    { type: 'tool-metadata', ...of, title: 'Reading 3 of 10', metadata: {} },
    {
      type: 'tool-result',
      ...of,
      state: { ...(completed(input, 'found') as Extract<ToolState, { status: 'completed' }>), title: 'docs: find' },
    },
  ]);

  expect(updates.flatMap((update) => ('title' in update ? [update.title] : []))).toEqual([
    'docs_find',
    'docs_find ./src',
    'docs_find ./src · Reading 3 of 10',
    'docs_find ./src',
  ]);
});
