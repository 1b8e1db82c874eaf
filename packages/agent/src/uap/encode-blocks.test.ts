import { readdirSync, readFileSync } from 'node:fs';
import { type AgentEvent, type BackendEvent, foldSession, type LoggedEvent, type ToolState } from '@dragoman/protocol';
import { rounds, tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutDeltas, frozen, joinDeltas } from '../faults/chunking.fixture.ts';
import { scriptedSession, scriptModel, scriptSettings, scriptTools } from '../faults/scripted-turns.fixture.ts';
import { createWorking } from '../faults/working-session.fixture.ts';
import { SessionStore } from '../session/session-store.ts';
import { testStore } from '../session/session.fixture.ts';
import { asLog, type BlockReader, encodeLog } from './blocks.fixture.ts';

const model = { providerID: 'test', modelID: 'm' };
const tokens = { input: 900, output: 60, reasoning: 40, cache: { read: 10, write: 0 } };

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

function step(id: string, more: object = {}): AgentEvent {
  return {
    type: 'start-step',
    partID: `prt_${id}_start`,
    info: {
      id,
      sessionID: 'ses_1',
      role: 'assistant',
      time: { created: 1 },
      parentID: 'msg_0',
      agent: 'build',
      model,
      path: { cwd: '/p/web', root: '/p' },
      cost: 0,
      costSource: 'computed',
      tokens,
      ...more,
    },
  };
}

function finishStep(messageID: string, more: object = {}): AgentEvent {
  return {
    type: 'finish-step',
    partID: `prt_${messageID}_end`,
    messageID,
    reason: 'stop',
    cost: 0.25,
    costSource: 'computed',
    tokens,
    ...more,
  };
}

const of = (partID: string, messageID = 'msg_1') => ({ messageID, partID });
const began: AgentEvent = { type: 'turn-started', turnID: 'trn_1', messageID: 'msg_0' };
const ended = (error?: object): AgentEvent =>
  ({
    type: 'turn-finished',
    turnID: 'trn_1',
    counters: { modelCalls: 1, toolCalls: 1 },
    ...(error && { error }),
  }) as AgentEvent;

function call(partID: string, tool: string, input: Record<string, unknown>): AgentEvent[] {
  return [
    { type: 'tool-input-start', ...of(partID), callID: `call_${partID}`, tool },
    { type: 'tool-input-delta', ...of(partID), delta: JSON.stringify(input) },
    { type: 'tool-input-end', ...of(partID) },
    { type: 'tool-call', ...of(partID), input },
    { type: 'tool-state', ...of(partID), state: { status: 'running', input, time: { start: 1 } } },
  ];
}

function result(partID: string, input: Record<string, unknown>, more: object): AgentEvent {
  const state = { status: 'completed', input, output: '', title: '', time: { start: 1, end: 2 }, ...more } as ToolState;
  return { type: 'tool-result', ...of(partID), state };
}

test('text is a block that is open from its first piece to its end, and thinking likewise [UAP-18]', () => {
  const { events } = encodeLog(
    asLog([
      created,
      began,
      step('msg_1'),
      { type: 'reasoning-start', ...of('prt_r') },
      { type: 'reasoning-delta', ...of('prt_r'), delta: 'Hm.' },
      { type: 'text-start', ...of('prt_t') },
      { type: 'text-delta', ...of('prt_t'), delta: 'Hel' },
      { type: 'reasoning-end', ...of('prt_r') },
      { type: 'text-delta', ...of('prt_t'), delta: 'lo' },
      { type: 'text-end', ...of('prt_t') },
      { type: 'text-start', ...of('prt_empty') },
      { type: 'text-end', ...of('prt_empty') },
      finishStep('msg_1'),
      ended(),
    ]),
  );

  const thinking = { messageId: 'msg_1', role: 'assistant', blockId: 'prt_r' };
  const text = { messageId: 'msg_1', role: 'assistant', blockId: 'prt_t' };
  expect(events).toEqual([
    { type: 'block-start', ...thinking, block: { type: 'thinking', thinking: '' } },
    { type: 'block-delta', blockId: 'prt_r', delta: 'Hm.' },
    { type: 'block-start', ...text, block: { type: 'text', text: '' } },
    { type: 'block-delta', blockId: 'prt_t', delta: 'Hel' },
    { type: 'block-stop', ...thinking, block: { type: 'thinking', thinking: 'Hm.' } },
    { type: 'block-delta', blockId: 'prt_t', delta: 'lo' },
    { type: 'block-stop', ...text, block: { type: 'text', text: 'Hello' } },
    {
      type: 'block-stop',
      messageId: 'prt_msg_1_end.agent',
      role: 'agent',
      blockId: 'prt_msg_1_end',
      block: {
        type: 'usage',
        input_tokens: 910,
        output_tokens: 100,
        reasoning_tokens: 40,
        cache_read_tokens: 10,
        cost_usd: 0.25,
        context_used: 1_010,
        context_size: 200_000,
      },
    },
  ]);
});

test('a call is a block that closes when its input is whole, and its output is shown while it runs [UAP-18]', () => {
  const input = { command: 'make', description: 'build' };
  const { events } = encodeLog(
    asLog([
      created,
      began,
      step('msg_1'),
      ...call('prt_c', 'bash', input),
      { type: 'tool-metadata', ...of('prt_c'), title: 'build', metadata: { output: 'one\n' } },
      { type: 'tool-metadata', ...of('prt_c'), title: 'build', metadata: { output: 'one\ntwo\n' } },
      result('prt_c', input, { output: 'one\ntwo\n\n[Exit code 2.]', metadata: { exitCode: 2, end: 'exited' } }),
      ended(),
    ]),
  );

  const use = { messageId: 'msg_1', role: 'assistant', blockId: 'prt_c' };
  const shown = { messageId: 'msg_1.results', role: 'user', blockId: 'prt_c.result' };
  expect(events).toEqual([
    {
      type: 'block-start',
      ...use,
      block: { type: 'tool_use', id: 'prt_c', name: 'bash', input: {}, title: 'bash', kind: 'execute' },
    },
    { type: 'block-delta', blockId: 'prt_c', delta: '{"command":"make","description":"build"}' },
    {
      type: 'block-stop',
      ...use,
      block: { type: 'tool_use', id: 'prt_c', name: 'bash', input, title: 'bash make', kind: 'execute' },
    },
    { type: 'block-start', ...shown, block: { type: 'tool_result', tool_use_id: 'prt_c', content: '' } },
    { type: 'block-delta', blockId: 'prt_c.result', delta: 'one\n' },
    { type: 'block-delta', blockId: 'prt_c.result', delta: 'two\n' },
    {
      type: 'block-stop',
      ...shown,
      block: { type: 'tool_result', tool_use_id: 'prt_c', content: 'one\ntwo\n\n[Exit code 2.]', is_error: true },
    },
  ]);
});

test('a result carries the change to each file, and what is attached to it', () => {
  const diff = '--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-one\n+two\n--- /dev/null\n+++ b.ts\n@@ -0,0 +1,1 @@\n+new\n';
  const attachments = [
    {
      id: 'f1',
      sessionID: 'ses_1',
      messageID: 'msg_1',
      type: 'file',
      mime: 'image/png',
      url: 'data:image/png;base64,AAAA',
    },
    {
      id: 'f2',
      sessionID: 'ses_1',
      messageID: 'msg_1',
      type: 'file',
      mime: 'text/plain',
      filename: 'n.txt',
      url: 'data:text/plain,hi%20you',
    },
    {
      id: 'f3',
      sessionID: 'ses_1',
      messageID: 'msg_1',
      type: 'file',
      mime: 'application/pdf',
      url: 'https://host/a.pdf',
    },
  ];
  const { reader } = encodeLog(
    asLog([
      created,
      began,
      step('msg_1'),
      ...call('prt_c', 'edit', { filePath: 'a.ts' }),
      result('prt_c', { filePath: 'a.ts' }, { output: 'Done.', metadata: { diff }, attachments }),
      ended(),
    ]),
  );

  expect(reader.messages().map(({ role, content }) => ({ role, content }))).toEqual([
    {
      role: 'assistant',
      content: [
        {
          type: 'tool_use',
          id: 'prt_c',
          name: 'edit',
          input: { filePath: 'a.ts' },
          title: 'edit a.ts',
          kind: 'edit',
          locations: [{ path: 'a.ts' }],
        },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'prt_c',
          content: 'Done.',
          diffs: [
            { path: '/p/a.ts', unified: '--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-one\n+two\n' },
            { path: '/p/b.ts', unified: '--- /dev/null\n+++ b.ts\n@@ -0,0 +1,1 @@\n+new\n' },
          ],
          attachments: [
            { type: 'image', media_type: 'image/png', data: 'AAAA' },
            { type: 'file', name: 'n.txt', media_type: 'text/plain', data: 'aGkgeW91' },
            { type: 'file', name: 'a.pdf', media_type: 'application/pdf', url: 'https://host/a.pdf' },
          ],
        },
      ],
    },
  ]);
});

test('what an answer said that broke off is taken back, its call is ended, and the next try is told', () => {
  const details = { code: 'unavailable', delayMs: 2000, retries: 5 };
  const error = { code: 'model', message: 'Overloaded.', details } as const;
  const { reader } = encodeLog(
    asLog([
      created,
      began,
      step('msg_1'),
      { type: 'text-start', ...of('prt_half') },
      { type: 'text-delta', ...of('prt_half'), delta: 'Half' },
      { type: 'tool-input-start', ...of('prt_c'), callID: 'c', tool: 'read' },
      { type: 'tool-input-delta', ...of('prt_c'), delta: '{"fileP' },
      { type: 'text-end', ...of('prt_half') },
      { type: 'tool-input-end', ...of('prt_c') },
      { type: 'part-removed', ...of('prt_half') },
      { type: 'part-removed', ...of('prt_c') },
      {
        type: 'part-added',
        part: {
          id: 'prt_retry',
          sessionID: 'ses_1',
          messageID: 'msg_1',
          type: 'retry',
          attempt: 1,
          error,
          time: { created: 1 },
        },
      },
      { type: 'text-start', ...of('prt_whole') },
      { type: 'text-delta', ...of('prt_whole'), delta: 'Whole' },
      { type: 'text-end', ...of('prt_whole') },
      ended(),
    ]),
  );

  expect(reader.messages().map(({ content }) => content)).toEqual([
    [
      { type: 'tool_use', id: 'prt_c', name: 'read', input: {}, title: 'read', kind: 'read' },
      { type: 'text', text: 'Whole' },
    ],
    [
      {
        type: 'tool_result',
        tool_use_id: 'prt_c',
        content: 'The answer was cut off. Retrying…',
        is_error: true,
      },
    ],
    [{ type: 'notice', text: 'Retrying in 2 s (attempt 2 of 6): Overloaded.', level: 'warning' }],
  ]);
});

test('todos are one plan that moves on', () => {
  const todo = (status: 'pending' | 'completed'): AgentEvent => ({
    type: 'todos-updated',
    todos: [{ content: 'test it', status, priority: 'high' }],
  });
  const { events, reader } = encodeLog(asLog([created, todo('pending'), todo('completed')]));

  expect(events).toHaveLength(2);
  expect(reader.messages()).toEqual([
    {
      id: 'ses_1.plan.agent',
      role: 'agent',
      blockIds: ['ses_1.plan'],
      content: [{ type: 'plan', entries: [{ content: 'test it', status: 'completed', priority: 'high' }] }],
    },
  ]);
});

test.each([
  [{ code: 'aborted', message: 'Called off.' }, undefined],
  [
    { code: 'model', message: 'The key is wrong.', details: { code: 'unauthenticated' } },
    {
      type: 'error',
      code: 'unauthenticated',
      message: 'The key is wrong.',
      fix: 'The provider rejected the API key. Replace it under Gateway.',
    },
  ],
  [
    { code: 'loop', message: 'The turn was stopped: the same again.' },
    {
      type: 'notice',
      level: 'warning',
      text: 'The turn was stopped: the same again. Tell it what to do differently.',
    },
  ],
])('a turn that ends with %o says what to do', (error, block) => {
  const { reader } = encodeLog(asLog([created, began, ended(error)]));

  expect(reader.messages().flatMap(({ content }) => content)).toEqual(block === undefined ? [] : [block]);
});

test('what a turn leaves open is closed when it ends', () => {
  const { reader } = encodeLog(
    asLog([
      created,
      began,
      step('msg_1'),
      { type: 'text-start', ...of('prt_t') },
      { type: 'text-delta', ...of('prt_t'), delta: 'Half' },
      { type: 'tool-input-start', ...of('prt_c'), callID: 'c', tool: 'bash' },
      ended(),
    ]),
  );

  expect(reader.messages().map(({ content }) => content)).toEqual([
    [
      { type: 'text', text: 'Half' },
      { type: 'tool_use', id: 'prt_c', name: 'bash', input: {}, title: 'bash', kind: 'execute' },
    ],
    [
      {
        type: 'tool_result',
        tool_use_id: 'prt_c',
        content: 'Interrupted: the turn ended before this did.',
        is_error: true,
      },
    ],
  ]);
});

test('files that a command changed are told beside those that tools tell of', () => {
  const base = { sessionID: 'ses_1', messageID: 'msg_1' };
  const log = asLog([
    created,
    began,
    step('msg_1'),
    ...call('prt_e', 'edit', { filePath: 'a.ts' }),
    result('prt_e', {}, { metadata: { diff: '--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-one\n+two\n' } }),
    ...call('prt_b', 'bash', { command: 'make' }),
    result('prt_b', {}, { output: 'made' }),
    { type: 'part-added', part: { id: 'prt_s', ...base, type: 'snapshot', snapshot: 'after' } },
    { type: 'part-added', part: { id: 'prt_p', ...base, type: 'patch', hash: 'before', files: ['a.ts', 'out.js'] } },
    finishStep('msg_1'),
    ended(),
  ]);
  const unseen: unknown[] = [];
  encodeLog(log, { onUnseenChanges: (changes) => unseen.push(changes) });

  expect(
    encodeLog(log)
      .reader.messages()
      .flatMap(({ content }) => content),
  ).toContainEqual({
    type: 'notice',
    level: 'info',
    text: 'This step changed out.js.',
  });
  expect(unseen).toEqual([
    {
      before: 'before',
      after: 'after',
      files: ['out.js'],
      result: {
        type: 'block-stop',
        messageId: 'msg_1.results',
        role: 'user',
        blockId: 'prt_b.result',
        block: { type: 'tool_result', tool_use_id: 'prt_b', content: 'made' },
      },
    },
  ]);
});

test('of the session of a task only the calls are shown, below the call it belongs to', () => {
  const { reader, events } = encodeLog(
    asLog([
      created,
      began,
      { type: 'session-updated', title: 'find it' },
      step('msg_1'),
      { type: 'text-start', ...of('prt_t') },
      { type: 'text-delta', ...of('prt_t'), delta: 'I look.' },
      { type: 'text-end', ...of('prt_t') },
      ...call('prt_c', 'glob', { pattern: '*' }),
      result('prt_c', { pattern: '*' }, { output: 'a.ts' }),
      finishStep('msg_1'),
      { type: 'todos-updated', todos: [] },
      ended({ code: 'model', message: 'Overloaded.' }),
    ]),
    { parentToolUseId: () => 'prt_task' },
  );

  expect(reader.messages().flatMap(({ content }) => content)).toEqual([
    {
      type: 'tool_use',
      id: 'prt_c',
      name: 'glob',
      input: { pattern: '*' },
      title: 'glob *',
      kind: 'search',
      parent_tool_use_id: 'prt_task',
    },
    { type: 'tool_result', tool_use_id: 'prt_c', content: 'a.ts' },
    {
      type: 'usage',
      input_tokens: 910,
      output_tokens: 100,
      reasoning_tokens: 40,
      cache_read_tokens: 10,
      cost_usd: 0.25,
    },
  ]);
  expect(events.some(({ type }) => type === 'agent-updated')).toBe(false);
});

const RECORDINGS = new URL('../faults/recordings/', import.meta.url);
const names = readdirSync(RECORDINGS)
  .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.state.jsonl'))
  .map((name) => name.slice(0, -'.jsonl'.length));

describe.each(names)('the recorded session "%s"', (name) => {
  const lines = readFileSync(new URL(`${name}.jsonl`, RECORDINGS), 'utf8')
    .trimEnd()
    .split('\n');
  const log = frozen(lines.map((line) => JSON.parse(line) as LoggedEvent));

  test('becomes blocks by the rules, the same however its deltas are cut [UAP-01, UAP-18]', () => {
    expect(saidInBlocks(log, [[1], [2, 3], [5, 1, 9]])).toEqual(saidInParts(log));
  });
});

test('a conversation that is summed up is told of, and the summary is not part of it', () => {
  const log = readFileSync(new URL('shortened.jsonl', RECORDINGS), 'utf8').trimEnd().split('\n');
  const { events, reader } = encodeLog(log.map((line) => JSON.parse(line) as LoggedEvent));

  const notices = reader.messages().flatMap(({ content }) => content.filter(({ type }) => type === 'notice'));
  expect(notices[0]).toEqual({
    type: 'notice',
    level: 'info',
    text: 'The conversation was summarized. The agent continues from the summary.',
  });
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'block-start',
      block: { type: 'notice', level: 'info', text: 'The conversation is getting long. Summarizing it…' },
    }),
  );
  expect(JSON.stringify(reader.messages())).not.toContain('## Goal');
});

test('whatever happens in a session, its blocks follow the rules and say what its parts say [UAP-01, UAP-18]', async () => {
  const store = new SessionStore(await testStore());
  const outputFolder = tempFolder();
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(scriptedSession, sizes, async (script, cuts) => {
      const scripted = scriptModel(script, () => void runner.abort());
      let asked = 0;
      const runner = await createWorking({
        store,
        model: scripted,
        tools: scriptTools,
        settings: scriptSettings,
        outputFolder,
        approver: async () => (asked++ % 2 === 0 ? { decision: 'once' } : { decision: 'reject', feedback: 'not now' }),
      });
      const log: LoggedEvent[] = await store.read(runner.id);
      runner.subscribe({ event: (logged) => log.push(logged) });
      for (const prompt of script.prompts) await runner.prompt(prompt);
      await runner.idle();
      runner.resume();
      await runner.idle();
      await runner.close();

      expect(saidInBlocks(frozen(log), [cuts])).toEqual(saidInParts(log));
    }),
    { seed: 18, numRuns: rounds(1_500), endOnFailure: true },
  );
});

/** What the blocks of a log say, by id. Cut in any other way, it gives the same messages. */
function saidInBlocks(log: readonly LoggedEvent[], cuts: readonly number[][]): Record<string, string> {
  const { events, reader } = encodeLog(log);
  for (const cut of [joinDeltas(log), ...cuts.map((sizes) => cutDeltas(log, sizes))]) {
    const other = encodeLog(cut);
    expect(other.reader.messages()).toEqual(reader.messages());
    expect(withoutDeltas(other.events)).toEqual(withoutDeltas(events));
  }
  return saidIn(reader);
}

function withoutDeltas(events: readonly BackendEvent[]): BackendEvent[] {
  return events.filter(({ type }) => type !== 'block-delta');
}

function saidIn(reader: BlockReader): Record<string, string> {
  return Object.fromEntries(
    reader.messages().flatMap(({ content, blockIds }) =>
      content.flatMap((block, at) => {
        if (block.type === 'text') return [[blockIds[at]!, block.text]];
        if (block.type === 'thinking') return [[blockIds[at]!, block.thinking]];
        if (block.type === 'tool_use') return [[blockIds[at]!, JSON.stringify(block.input)]];
        return [];
      }),
    ),
  );
}

/** What was taken back later was said all the same; a summary, a prompt and a call that broke off were not. */
function saidInParts(log: readonly LoggedEvent[]): Record<string, string> {
  const kept = log.filter(({ event }) => event.type !== 'reverted' && event.type !== 'unreverted');
  const gone = log.flatMap(({ event }) => {
    const isCall = event.type === 'tool-input-start' && log.some((other) => isRemoved(other, event.partID));
    return isCall ? [[event.partID, '{}']] : [];
  });
  return Object.fromEntries([
    ...gone,
    ...foldSession(kept)!.messages.flatMap(({ info, parts }) =>
      parts.flatMap((part) => {
        if (info.role !== 'assistant' || info.summary === true) return [];
        if ((part.type === 'text' || part.type === 'reasoning') && part.text !== '') return [[part.id, part.text]];
        return part.type === 'tool' ? [[part.id, JSON.stringify(part.state.input)]] : [];
      }),
    ),
  ]);
}

function isRemoved({ event }: LoggedEvent, partID: string): boolean {
  return event.type === 'part-removed' && event.partID === partID;
}
