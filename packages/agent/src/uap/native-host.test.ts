import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BackendEvent, DragomanError, type ModelEvent, type SessionInfo } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { fixture, isRunning } from '../mcp/mcp.fixture.ts';
import { calls, fails, says, scriptedModel } from '../scripted-model.fixture.ts';
import { newAssistantInfo } from '../session/assistant-info.ts';
import { SessionStore } from '../session/session-store.ts';
import { addPrompt, sessionInfo, testStore } from '../session/session.fixture.ts';
import { Session } from '../session/session.ts';
import { conversation, testHost } from './native-host.fixture.ts';

const ASK = { permissions: { edit: 'ask', bash: 'ask' } } as const;

/** A step that goes on when the test says so, or when it is called off. */
function held(events: ModelEvent[]) {
  const go = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  return {
    begun: begun.promise,
    release: go.resolve,
    step: async (_call: unknown, signal: AbortSignal) => {
      begun.resolve();
      await Promise.race([go.promise, new Promise((ended) => signal.addEventListener('abort', ended))]);
      return events;
    },
  };
}

/** A session as a process leaves it that is killed while a call runs. */
async function leaveKilled(store: SessionStore, root: string): Promise<SessionInfo> {
  const info = sessionInfo({ cwd: root, root });
  const session = await Session.create(store, info);
  const messageID = addPrompt(session, 'go');
  const of = { messageID: 'msg_answer', partID: 'prt_call' };
  session.append({ type: 'turn-started', turnID: 'trn_1', messageID });
  const answer = newAssistantInfo(session, { model: scriptedModel([]), agent: 'build', parentID: messageID, at: 1 });
  session.append({ type: 'start-step', partID: 'prt_start', info: { ...answer, id: 'msg_answer' } });
  session.append({ type: 'tool-input-start', ...of, callID: 'call_1', tool: 'bash' });
  session.append({ type: 'tool-call', ...of, input: { command: 'make' } });
  await session.stored();
  await store.release(info.id);
  return info;
}

function of<Type extends BackendEvent['type']>(events: readonly BackendEvent[], type: Type) {
  return events.filter((event): event is Extract<BackendEvent, { type: Type }> => event.type === type);
}

test('the agent is opened with the first session and shared by all [UAP-17]', async () => {
  let opened = 0;
  const { session } = await testHost({ models: { default: scriptedModel([says('Hi.')]) }, onOpened: () => opened++ });
  const [one, other] = [session(), session()];
  expect(opened).toBe(0);

  await Promise.all([one.start(), other.start()]);

  expect(opened).toBe(1);
  expect(await Promise.all([one.prompt('hello'), other.prompt('hello')])).toEqual([
    { reason: 'done' },
    { reason: 'done' },
  ]);
  expect(one.id()).not.toBe(other.id());
  expect(conversation(one.reader)).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }]);
  expect(conversation(other.reader)).toEqual(conversation(one.reader));
});

test('a session that a person named keeps its title, and the model is not asked for one', async () => {
  const model = scriptedModel([says('Hi.')]);
  const { session } = await testHost({ models: { default: model }, config: { agent: { titles: { auto: true } } } });
  const one = session();
  await one.start({ title: 'The lamp' });

  await one.prompt('hello');
  await one.backend.dispose();

  expect(of(one.events, 'agent-updated').flatMap(({ title }) => title ?? [])).toEqual([]);
  expect(model.calls).toHaveLength(1);
});

test('a session says what it is and what can be chosen in it', async () => {
  const { session } = await testHost({
    models: { default: scriptedModel([says('Hi.')]), fast: scriptedModel([], { modelID: 'small' }) },
  });
  const one = session();
  await one.start({ model: 'fast', mode: 'plan' });
  await one.prompt('Look around');

  expect(one.events[0]).toMatchObject({
    type: 'agent-updated',
    agentSessionId: expect.stringMatching(/^ses_/) as string,
    model: 'fast',
    mode: 'plan',
    models: [{ id: 'fast' }, { id: 'default' }],
    capabilities: { resume: true, fork: true, steer: true, approvals: true, images: true, files: true },
  });
  expect((one.events[0] as { modes: { id: string }[] }).modes.map(({ id }) => id)).toEqual(['build', 'plan']);
  expect(one.events).toContainEqual({ type: 'agent-updated', title: 'Look around' });
});

test('a session begins with what is configured for its agent, unless it names something else', async () => {
  const models = { default: scriptedModel([]), fast: scriptedModel([], { modelID: 'small' }) };
  const { session } = await testHost({ models });
  const chosen = { model: 'fast', mode: 'plan' };
  const [one, other] = [session(chosen), session(chosen)];

  await one.start();
  await other.start({ model: 'default' });

  expect(one.events[0]).toMatchObject({ model: 'fast', mode: 'plan' });
  expect(other.events[0]).toMatchObject({ model: 'default', mode: 'plan' });
});

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test('a turn with a call that is asked about goes from prompt to answer in blocks [UAP-01, UAP-18]', async () => {
    const model = scriptedModel([
      [
        ...says('I change it.').slice(0, 3),
        ...calls(['edit', { filePath: 'a.txt', oldString: 'one', newString: 'two' }]),
      ],
      says('Done.'),
    ]);
    const store = await testStore(engine);
    const { session, root } = await testHost({
      models: { default: model },
      config: ASK,
      files: { 'a.txt': 'one\n' },
      store,
    });
    const one = session();
    await one.start();

    const turn = one.prompt('change it');
    const approval = await one.question();
    const use = await one.until('block-stop', ({ block }) => block.type === 'tool_use');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
    expect(approval).toEqual({
      id: expect.stringMatching(/^apr_/) as string,
      title: 'edit a.txt',
      toolUseId: use.blockId,
      call: { name: 'edit', input: { filePath: 'a.txt', oldString: 'one', newString: 'two' } },
      asked: [{ kind: 'path', value: 'a.txt', reason: approval.reason }],
      reason: expect.any(String) as string,
      options: [
        { id: 'once', name: 'Allow once', kind: 'allow_once' },
        {
          id: 'always',
          name: expect.stringMatching(/^Always allow in this project: edit /) as string,
          kind: 'allow_always',
        },
        { id: 'reject', name: 'Deny', kind: 'reject_once' },
      ],
      diffs: [{ path: 'a.txt', unified: '--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n' }],
      allowsText: true,
    });
    await one.backend.answer!(approval.id, { type: 'selected', optionId: 'once' });

    expect(await turn).toEqual({ reason: 'done' });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n');
    expect(conversation(one.reader)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I change it.' },
          {
            type: 'tool_use',
            id: 'call 1',
            name: 'edit',
            input: { filePath: 'a.txt', oldString: 'one', newString: 'two' },
            title: 'edit a.txt',
            kind: 'edit',
            locations: [{ path: 'a.txt' }],
          },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call 1',
            content: expect.any(String) as string,
            diffs: [{ path: 'a.txt', unified: '--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n' }],
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    ]);
  });

  test('a session is resumed after its backend is gone, and knows what was said', async () => {
    const store = await testStore(engine);
    const model = scriptedModel([says('My name is Ada.'), says('Ada.')]);
    const folder = tempFolder();
    const first = await testHost({ models: { default: model }, store, folder });
    const one = first.session();
    await one.start();
    await one.prompt('Who are you?');
    await first.host.close();

    const { session } = await testHost({ models: { default: model }, store, folder, root: first.root });
    const two = session();
    await two.resume(one.id(), { model: 'default', mode: 'build' });

    expect(of(two.events, 'block-stop')).toEqual([]);
    expect(await two.prompt('What was it?')).toEqual({ reason: 'done' });
    expect(JSON.stringify(model.calls[1]!.prompt)).toContain('My name is Ada.');
    await expect(session().resume(one.id())).rejects.toThrow('is already open');
  });
});

test('text can be read before the answer is complete [UAP-18]', async () => {
  const rest = Promise.withResolvers<void>();
  const model = scriptedModel([]);
  model.model.stream = async (_call, sink) => {
    sink.push({ type: 'text-start', id: 't' });
    sink.push({ type: 'text-delta', id: 't', delta: 'Once ' });
    await rest.promise;
    for (const event of says('upon a time').slice(1)) sink.push(event);
  };
  const { session } = await testHost({ models: { default: model } });
  const one = session();
  await one.start();

  const turn = one.prompt('tell');
  expect(await one.until('block-delta')).toMatchObject({ delta: 'Once ' });
  rest.resolve();

  expect(await turn).toEqual({ reason: 'done' });
  expect(of(one.events, 'block-delta').map(({ delta }) => delta)).toEqual(['Once ', 'upon a time']);
});

test('"always" is asked once and saved for the project', async () => {
  const model = scriptedModel([
    calls(['write', { filePath: 'a.txt', content: 'x' }]),
    calls(['write', { filePath: 'a.txt', content: 'y' }]),
    says('Done.'),
  ]);
  const { session, root } = await testHost({ models: { default: model }, config: ASK });
  const one = session();
  await one.start();

  const turn = one.prompt('write it');
  await one.backend.answer!((await one.question()).id, { type: 'selected', optionId: 'always' });

  expect(await turn).toEqual({ reason: 'done' });
  expect(of(one.events, 'approval-asked')).toHaveLength(1);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('y');
});

test.each([
  ['a no with words', { type: 'rejected', feedback: 'use b.txt' } as const, ' They say: use b.txt'],
  [
    'the option with words',
    { type: 'selected', optionId: 'reject', text: 'use b.txt' } as const,
    ' They say: use b.txt',
  ],
  ['a question that was closed', { type: 'cancelled' } as const, ''],
])('%s becomes the result of the call, and the model goes on', async (_name, reply, said) => {
  const model = scriptedModel([calls(['write', { filePath: 'a.txt', content: 'x' }]), says('Then not.')]);
  const { session, root } = await testHost({ models: { default: model }, config: ASK });
  const one = session();
  await one.start();

  const turn = one.prompt('write it');
  await one.backend.answer!((await one.question()).id, reply);

  expect(await turn).toEqual({ reason: 'done' });
  expect(existsSync(join(root, 'a.txt'))).toBe(false);
  expect(conversation(one.reader)[1]!.content).toEqual([
    {
      type: 'tool_result',
      tool_use_id: 'call 1',
      content: `The user does not want this call to run.${said}`,
      is_error: true,
    },
  ]);
});

test('how long people may take is the matter of the hub, not of the agent', async () => {
  const model = scriptedModel([
    (call) =>
      JSON.stringify(call.prompt).includes('wait')
        ? JSON.stringify(call.prompt).includes('tool-result')
          ? says('Done.')
          : calls(['write', { filePath: 'a.txt', content: 'x' }])
        : says('Hi.'),
  ]);
  const config = { ...ASK, agent: { snapshots: false, timeouts: { approvalMs: 1 } } };
  const { session } = await testHost({ models: { default: model }, config });
  const [one, other] = [session(), session()];
  await one.start();
  const turn = one.prompt('wait for it');
  const { id } = await one.question();

  // Far longer than the agent would have waited.
  await other.start();
  await other.prompt('hello');
  await one.backend.answer!(id, { type: 'selected', optionId: 'once' });

  expect(await turn).toEqual({ reason: 'done' });
  expect(of(one.events, 'approval-withdrawn')).toEqual([]);
  expect(conversation(one.reader)[1]!.content[0]).not.toHaveProperty('is_error');
});

test('a question that the agent itself gives up is withdrawn, and the call says why it did not run', async () => {
  const model = scriptedModel([calls(['write', { filePath: 'a.txt', content: 'x' }]), says('Nobody there.')]);
  const { session } = await testHost({ models: { default: model }, config: ASK, approvalMs: 1 });
  const one = session();
  await one.start();

  expect(await one.prompt('go')).toEqual({ reason: 'done' });

  const { id } = await one.question();
  expect(one.events).toContainEqual({ type: 'approval-withdrawn', approvalId: id });
  expect(conversation(one.reader)[1]!.content).toEqual([
    {
      type: 'tool_result',
      tool_use_id: 'call 1',
      content: 'Nobody answered within 0 s whether this may run, so it was not run.',
      is_error: true,
    },
  ]);
});

test('a turn that is cancelled ends its command, and a question that waits is withdrawn', async () => {
  const model = scriptedModel([
    calls(['bash', { command: 'echo $$; exec sleep 600' }]),
    calls(['bash', { command: 'true' }]),
  ]);
  const { session } = await testHost({
    models: { default: model },
    config: { permissions: { bash: { '*': 'allow', true: 'ask' } } },
  });
  const one = session();
  await one.start();

  const running = one.prompt('sleep');
  const { delta } = await one.until('block-delta', ({ blockId }) => blockId.endsWith('.result'));
  await one.backend.cancel();
  expect(await running).toEqual({ reason: 'cancelled' });
  expect(isRunning(Number(delta.trim()))).toBe(false);

  const asking = one.prompt('ask');
  const { id } = await one.question();
  await one.backend.cancel();
  expect(await asking).toEqual({ reason: 'cancelled' });
  expect(one.events).toContainEqual({ type: 'approval-withdrawn', approvalId: id });
  await one.backend.answer!(id, { type: 'selected', optionId: 'once' });
  expect(model.calls).toHaveLength(2);
});

test('a prompt that is cancelled at once ends as cancelled, and the next one is answered', async () => {
  const model = scriptedModel([(call) => says(JSON.stringify(call.prompt).includes('again') ? 'second' : 'first')]);
  const { session } = await testHost({ models: { default: model } });
  const one = session();
  await one.start();

  const turn = one.prompt('go');
  await one.backend.cancel();

  expect(await turn).toEqual({ reason: 'cancelled' });
  expect(await one.prompt('again')).toEqual({ reason: 'done' });
  expect(conversation(one.reader).at(-1)!.content).toEqual([{ type: 'text', text: 'second' }]);
});

test('a prompt sent to steer is part of the turn that runs, and too late when none does', async () => {
  const first = held(says('First.'));
  const model = scriptedModel([first.step, says('And second.')]);
  const { session } = await testHost({ models: { default: model } });
  const one = session();
  await one.start();
  const steer = (id: string) => one.backend.steer!({ id, content: [{ type: 'text', text: 'and more' }] });
  expect(await steer('msg_early')).toBe(false);

  const turn = one.prompt('go');
  await first.begun;
  expect(await steer('msg_steer')).toBe(true);
  first.release();

  expect(await turn).toEqual({ reason: 'done' });
  expect(JSON.stringify(model.calls[1]!.prompt)).toContain('and more');
  expect(conversation(one.reader).map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'First.' }],
    [{ type: 'text', text: 'And second.' }],
  ]);
  expect(await steer('msg_late')).toBe(false);
});

test('what was sent to steer a turn that is cancelled is not done later', async () => {
  const first = held(says('First.'));
  const model = scriptedModel([first.step, says('Next.')]);
  const { session } = await testHost({ models: { default: model } });
  const one = session();
  await one.start();

  const turn = one.prompt('go');
  await first.begun;
  await one.backend.steer!({ id: 'msg_steer', content: [{ type: 'text', text: 'and more' }] });
  await one.backend.cancel();

  expect(await turn).toEqual({ reason: 'cancelled' });
  await one.prompt('next');
  expect(JSON.stringify(model.calls[1]!.prompt)).not.toContain('and more');
});

test('the calls of a subagent stand below the task, and its question is asked in the session of the task', async () => {
  const model = scriptedModel([
    (call) => {
      const text = JSON.stringify(call.prompt);
      const hasResult = text.includes('tool-result');
      // The model of the task does not see what the other one was told.
      if (text.includes('give it away'))
        return hasResult
          ? says('All done.')
          : calls(['task', { description: 'a note', prompt: 'write the note', agent: 'general' }]);
      return hasResult ? says('It is written.') : calls(['write', { filePath: 'note.txt', content: 'x' }]);
    },
  ]);
  const { session, root } = await testHost({ models: { default: model }, config: ASK });
  const one = session();
  await one.start();

  const turn = one.prompt('give it away');
  const approval = await one.question();
  expect(approval.title).toBe('general: write note.txt');
  await one.backend.answer!(approval.id, { type: 'selected', optionId: 'once' });

  expect(await turn).toEqual({ reason: 'done' });
  expect(readFileSync(join(root, 'note.txt'), 'utf8')).toBe('x');
  const uses = one.reader
    .messages()
    .flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block] : [])));
  expect(uses.map(({ name, kind }) => [name, kind])).toEqual([
    ['task', 'task'],
    ['write', 'edit'],
  ]);
  expect(uses[1]!.parent_tool_use_id).toBe(uses[0]!.id);
  expect(approval.toolUseId).toBe(uses[1]!.id);
  expect(conversation(one.reader).at(-1)!.content).toEqual([{ type: 'text', text: 'All done.' }]);
});

test('of tasks that run at the same time each has its own calls below it', async () => {
  const task = (name: string): [string, Record<string, string>] => [
    'task',
    { description: name, prompt: `look ${name}`, agent: 'explore' },
  ];
  const model = scriptedModel([
    (call) => {
      const text = JSON.stringify(call.prompt);
      const hasResult = text.includes('tool-result');
      if (text.includes('give both away')) return hasResult ? says('Both.') : calls(task('left'), task('right'));
      return hasResult
        ? says('Seen.')
        : calls(['glob', { pattern: text.includes('look left') ? 'left/*' : 'right/*' }]);
    },
  ]);
  const { session } = await testHost({ models: { default: model } });
  const one = session();
  await one.start();

  expect(await one.prompt('give both away')).toEqual({ reason: 'done' });

  const uses = one.reader
    .messages()
    .flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block] : [])));
  const nested = uses.filter(({ name }) => name === 'glob');
  expect(nested).toHaveLength(2);
  for (const { input, parent_tool_use_id: parent } of nested) {
    const above = uses.find(({ id }) => id === parent);
    expect(input['pattern']).toBe(`${String(above!.input['description'])}/*`);
  }
});

test('prompts of MCP servers are commands, and what they stand for is told to the model', async () => {
  const model = scriptedModel([says('Reviewed.')]);
  const { session } = await testHost({
    models: { default: model },
    config: { mcp: { demo: { command: fixture('stdio-server') } } },
  });
  const one = session();
  await one.start();

  expect(await one.until('agent-updated', ({ commands }) => commands !== undefined)).toEqual({
    type: 'agent-updated',
    commands: [{ name: 'demo:review', description: 'Reviews a file.' }],
  });
  await one.prompt('/demo:review src/a.ts');
  expect(JSON.stringify(model.calls[0]!.prompt)).toContain('Review src/a.ts for everything.');
});

describe('what an MCP server asks while it works', () => {
  const COLOUR = { type: 'object', properties: { colour: { type: 'string', enum: ['red', 'green'] } } };
  const asks = async (more: Partial<Parameters<typeof testHost>[0]> = {}) => {
    const params = { message: 'Which colour?', requestedSchema: COLOUR };
    const model = scriptedModel([calls(['srv_ask', { params }]), says('Done.')]);
    const { session } = await testHost({
      models: { default: model },
      config: { mcp: { srv: { command: fixture('asking-server') } }, permissions: { 'srv_*': 'allow' } },
      ...more,
    });
    const one = session();
    await one.start();
    return { one, turn: one.prompt('go'), approval: await one.question() };
  };
  const results = (one: { reader: Parameters<typeof conversation>[0] }) =>
    conversation(one.reader).flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [block.content] : [])),
    );

  test('is asked of people like any other question, and the server gets the answer', async () => {
    const { one, turn, approval } = await asks();
    expect(approval).toEqual({
      id: expect.stringMatching(/^apr_/) as string,
      title: 'Which colour?',
      reason: 'colour\nAsked by the MCP server "srv".',
      options: [
        { id: 'choice-0', name: 'red', kind: 'answer' },
        { id: 'choice-1', name: 'green', kind: 'answer' },
        { id: 'skip', name: 'Leave it out', kind: 'answer' },
        { id: 'decline', name: 'Decline', kind: 'answer' },
      ],
      allowsText: false,
    });
    await one.backend.answer!(approval.id, { type: 'selected', optionId: 'choice-1' });

    expect(await turn).toEqual({ reason: 'done' });
    expect(results(one)).toEqual(['{"action":"accept","content":{"colour":"green"}}']);
  });

  test.each([
    ['a no', { type: 'rejected' } as const, 'decline'],
    ['no answer in time', { type: 'rejected', isLate: true } as const, 'cancel'],
    ['a question that was closed', { type: 'cancelled' } as const, 'cancel'],
  ])('%s is told as the protocol has it', async (_what, reply, action) => {
    const { one, turn, approval } = await asks();
    await one.backend.answer!(approval.id, reply);

    expect(await turn).toEqual({ reason: 'done' });
    expect(results(one)).toEqual([`{"action":"${action}"}`]);
  });

  test('is cancelled when nobody answers the agent itself in time', async () => {
    const { one, turn } = await asks({ approvalMs: 50 });

    expect(await turn).toEqual({ reason: 'done' });
    expect(results(one)).toEqual(['{"action":"cancel"}']);
    expect(of(one.events, 'approval-withdrawn')).toHaveLength(1);
  });

  test('is withdrawn when the turn is stopped', async () => {
    const { one, turn, approval } = await asks();
    await one.backend.cancel();

    expect(await turn).toEqual({ reason: 'cancelled' });
    expect(of(one.events, 'approval-withdrawn')).toEqual([{ type: 'approval-withdrawn', approvalId: approval.id }]);
  });
});

test('a session whose process was killed in a turn goes on, and nothing of that turn is told again', async () => {
  const store = await testStore();
  const model = scriptedModel([says('I go on.')]);
  const { session, root } = await testHost({ models: { default: model }, store });
  const { id } = await leaveKilled(new SessionStore(store), root);
  const one = session();
  await one.resume(id);

  expect(of(one.events, 'block-start')).toEqual([]);
  expect(await one.prompt('go on')).toEqual({ reason: 'done' });
  expect(conversation(one.reader)).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'I go on.' }] }]);
  expect(JSON.stringify(model.calls[0]!.prompt)).toContain('Interrupted: the process that ran this ended.');
});

test('a fork knows what was said before a prompt, works where it is told, and leaves the other one alone', async () => {
  const model = scriptedModel([(call) => says(`${call.prompt.filter(({ role }) => role === 'user').length} prompts`)]);
  const { session, root } = await testHost({ models: { default: model } });
  const one = session();
  await one.start();
  await one.prompt('first', 'msg_first');
  await one.prompt('second', 'msg_second');
  const elsewhere = join(root, 'elsewhere');
  mkdirSync(join(elsewhere, '.dragoman'), { recursive: true });

  const [fork, whole] = [session(), session()];
  await fork.fork(one.id(), 'msg_second', elsewhere);
  await whole.fork(one.id());
  await fork.prompt('other');
  await whole.prompt('third');

  expect(fork.id()).not.toBe(one.id());
  expect(conversation(fork.reader)).toEqual([{ role: 'assistant', content: [{ type: 'text', text: '2 prompts' }] }]);
  expect(conversation(whole.reader)).toEqual([{ role: 'assistant', content: [{ type: 'text', text: '3 prompts' }] }]);
  expect(JSON.stringify(model.calls[2]!.prompt)).toContain(elsewhere);
  expect(JSON.stringify(model.calls[2]!.prompt)).not.toContain('second');
});

test('images and files of a prompt reach the model', async () => {
  const model = scriptedModel([says('Seen.')]);
  const { session } = await testHost({ models: { default: model } });
  const one = session();
  await one.start();

  await one.backend.prompt({
    id: 'msg_1',
    content: [
      { type: 'text', text: 'Compare' },
      { type: 'image', media_type: 'image/png', data: 'AAAA' },
      { type: 'file', name: 'n.txt', media_type: 'text/plain', data: Buffer.from('a note').toString('base64') },
    ],
  });

  expect(model.calls[0]!.prompt.at(-1)!.content).toEqual([
    { type: 'text', text: 'Compare [n.txt](n.txt)' },
    { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AAAA' } },
    { type: 'text', text: '<file name="n.txt">\na note\n</file>' },
  ]);
});

test('the model and the mode can be changed, and what is not there is refused by name', async () => {
  const [usual, small] = [scriptedModel([says('usual')]), scriptedModel([says('small')], { modelID: 'small' })];
  const { session } = await testHost({ models: { default: usual, fast: small } });
  const one = session();
  await one.start();

  await one.backend.setModel!('fast');
  await one.backend.setMode!('plan');
  await one.prompt('go');

  expect(small.calls).toHaveLength(1);
  expect(of(one.events, 'agent-updated').slice(1, 3)).toEqual([
    { type: 'agent-updated', model: 'fast' },
    { type: 'agent-updated', mode: 'plan' },
  ]);
  await expect(one.backend.setModel!('none')).rejects.toThrow('There is no model "none".');
  await expect(one.backend.setMode!('explore')).rejects.toThrow(
    'There is no mode "explore" here. The modes are: build, plan.',
  );
});

test('a turn that fails says why and what to do, and the session goes on', async () => {
  const model = scriptedModel([fails(new DragomanError('unauthenticated', 'The key is wrong.')), says('Now.')]);
  const { session } = await testHost({ models: { default: model } });
  const one = session();
  await one.start();

  expect(await one.prompt('go')).toEqual({
    reason: 'failed',
    error: {
      code: 'unauthenticated',
      message: 'The key is wrong.',
      fix: 'The provider rejected the API key. Replace it under Gateway.',
    },
  });
  expect(await one.prompt('again')).toEqual({ reason: 'done' });
});

test.each([
  [401, 'unauthenticated', 'The provider rejected the API key. Replace it under Gateway.'],
  [403, 'forbidden', 'Check what the API key has access to, or choose another model.'],
])('a provider that answers %i has its own way out', async (status, code, fix) => {
  const refusal = Object.assign(new DragomanError('forbidden', `The provider "p" answered ${status}`), { status });
  const { session } = await testHost({ models: { default: scriptedModel([fails(refusal)]) } });
  const one = session();
  await one.start();

  expect(await one.prompt('go')).toEqual({
    reason: 'failed',
    error: { code, message: `The provider "p" answered ${status}`, fix },
  });
});

test('what a command changed is shown with its result', async () => {
  const model = scriptedModel([calls(['bash', { command: 'echo two > a.txt' }]), says('Done.')]);
  const { session } = await testHost({
    models: { default: model },
    config: { agent: { snapshots: true }, permissions: { bash: 'allow' } },
    files: { 'a.txt': 'one\n' },
  });
  const one = session();
  await one.start();
  await one.prompt('go');

  const results = one.reader
    .messages()
    .flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])));
  expect(results).toHaveLength(1);
  expect(results[0]!.diffs).toEqual([
    { path: 'a.txt', unified: expect.stringContaining('@@ -1 +1 @@\n-one\n+two\n') as string },
  ]);
});

test('a session that was left with prompts in its queue does not take them up by itself', async () => {
  const folder = tempFolder();
  const store = await testStore();
  const waiting = held(says('First.'));
  const model = scriptedModel([waiting.step, says('Third.')]);
  const first = await testHost({ models: { default: model }, store, folder });
  const one = first.session();
  await one.start();
  const turn = one.prompt('first');
  await waiting.begun;
  await one.backend.steer!({ id: 'msg_2', content: [{ type: 'text', text: 'second' }] });
  await one.backend.dispose();
  await one.backend.dispose();
  expect(await turn).toEqual({ reason: 'cancelled' });

  const two = first.session();
  await two.resume(one.id());
  await two.prompt('third');
  expect(JSON.stringify(model.calls[1]!.prompt)).not.toContain('second');
});

test('a session is resumed only where it works, and one that is closed takes no prompt', async () => {
  const { session } = await testHost({ models: { default: scriptedModel([says('Hi.')]) } });
  const [one, two] = [session(), session()];
  await one.start();
  const id = one.id();
  await one.backend.dispose();
  await expect(one.prompt('hello')).rejects.toThrow('The session is not open');

  const elsewhere = tempFolder();
  await expect(two.backend.resume!({ sessionId: 'ses_hub', cwd: elsewhere, emit: () => {} }, id)).rejects.toThrow(
    `not in ${elsewhere}`,
  );
  await two.resume(id);
  expect(await two.prompt('hello')).toEqual({ reason: 'done' });
});

test('a session that is forgotten cannot be resumed, and one that is gone already is no failure', async () => {
  const { session } = await testHost({ models: { default: scriptedModel([says('Hi.')]) } });
  const one = session();
  await one.start();
  const id = one.id();
  await one.backend.dispose();

  await session().backend.forget!(id);
  await session().backend.forget!(id);

  await expect(session().resume(id)).rejects.toThrow(`Session ${id} not found.`);
});

test('a backend that is disposed of while it opens leaves the session to others', async () => {
  const { session } = await testHost({ models: { default: scriptedModel([says('Hi.')]) } });
  const one = session();

  await Promise.all([expect(one.start()).rejects.toThrow('was closed while it opened'), one.backend.dispose()]);
});

test('an agent that cannot be opened is tried again with the next session', async () => {
  let tries = 0;
  const { session } = await testHost({
    models: { default: scriptedModel([says('Hi.')]) },
    onOpened: () => {
      if (++tries === 1) throw new DragomanError('config-invalid', 'There is no provider.');
    },
  });

  await expect(session().start()).rejects.toThrow('There is no provider.');
  await session().start();
  expect(tries).toBe(2);
});
