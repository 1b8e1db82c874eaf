import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { tempFolder } from '@dragoman/testkit';
import { DragomanError, type ModelEvent } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { calls, fails, says, scriptedModel } from '../scripted-model.fixture.ts';
import { fixture, isRunning } from '../mcp/mcp.fixture.ts';
import { testStore } from '../session/session.fixture.ts';
import { callsShown, statesOf, testAcp, textSaid } from './acp.fixture.ts';

/** A step that goes on when the test says so, or when it is called off. */
function held(events: ModelEvent[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  return {
    begun: begun.promise,
    release: resolve,
    step: async (_call: unknown, signal: AbortSignal) => {
      begun.resolve();
      await Promise.race([promise, new Promise((ended) => signal.addEventListener('abort', ended))]);
      return events;
    },
  };
}

test('a client learns what the agent can do, and need not log in', async () => {
  const { agent } = await testAcp({ models: { default: scriptedModel([]) }, isInitialized: false });

  await expect(agent.request('session/new', { cwd: tempFolder(), mcpServers: [] })).rejects.toThrow('initialized');
  expect(await agent.request('initialize', { protocolVersion: 99 })).toEqual({
    protocolVersion: 1,
    agentInfo: { name: 'dragoman', title: 'Dragoman', version: '1.2.3' },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
    authMethods: [],
  });
  expect(await agent.request('authenticate', { methodId: 'any' })).toEqual({});
});

test('a prompt is answered in the folder of its session, and every state of a call is told', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'notes.txt'), 'the answer is 42\n');
  const model = scriptedModel([calls(['read', { filePath: 'notes.txt' }]), says('It is 42.')]);
  const { open, prompt, updates, errors } = await testAcp({ models: { default: model } });

  const session = await open(cwd);
  expect(await prompt(session, 'What is the answer?')).toBe('end_turn');

  expect(textSaid(updates, session)).toBe('It is 42.');
  const [call] = callsShown(updates, session);
  expect(call).toMatchObject({
    title: 'read notes.txt',
    name: 'read',
    kind: 'read',
    status: 'completed',
    rawInput: { filePath: 'notes.txt' },
    locations: [{ path: join(cwd, 'notes.txt') }],
  });
  expect(JSON.stringify(call!.content)).toContain('the answer is 42');
  expect(statesOf(updates, call!.toolCallId)).toEqual(['pending', 'in_progress', 'completed']);
  expect(updates.map(({ update }) => update).filter(({ sessionUpdate }) => sessionUpdate === 'usage_update')).toEqual([
    { sessionUpdate: 'usage_update', used: 110, size: 200_000 },
    { sessionUpdate: 'usage_update', used: 110, size: 200_000 },
  ]);
  expect(updates.map(({ update }) => update)).toContainEqual({
    sessionUpdate: 'session_info_update',
    title: 'What is the answer?',
  });
  expect(errors).toEqual([]);
});

test('text, links, embedded files and images of a prompt reach the model', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'a b.ts'), 'export const a = 1;\n');
  const model = scriptedModel([says('seen')]);
  const { agent, open } = await testAcp({ models: { default: model } });
  const sessionId = await open(cwd);

  await agent.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'text', text: 'Compare ' },
      { type: 'resource_link', uri: pathToFileURL(join(cwd, 'a b.ts')).href, name: 'a b.ts' },
      { type: 'text', text: ' with this' },
      {
        type: 'resource',
        resource: { uri: 'untitled:Untitled-1', text: 'const b = 2;', mimeType: 'application/x-ts' },
      },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    ],
  });

  const asked = model.calls[0]!.prompt.find(({ role }) => role === 'user');
  expect(asked?.content).toEqual([
    { type: 'text', text: 'Compare [a b.ts](a b.ts) with this [untitled:Untitled-1](untitled:Untitled-1)' },
    { type: 'text', text: '<file name="a b.ts">\nexport const a = 1;\n\n</file>' },
    { type: 'text', text: '<file name="untitled:Untitled-1">\nconst b = 2;\n</file>' },
    { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'iVBORw0KGgo=' } },
  ]);
});

test('a change to a file is asked about with the change itself, and made once it is allowed', async () => {
  const cwd = tempFolder();
  const path = join(cwd, 'a.txt');
  writeFileSync(path, 'one\ntwo\nthree\n');
  const model = scriptedModel([
    calls(['read', { filePath: 'a.txt' }]),
    calls(['edit', { filePath: 'a.txt', oldString: 'two', newString: '2' }]),
    says('Done.'),
  ]);
  const { open, prompt, updates, questions } = await testAcp({ models: { default: model }, permit: () => 'once' });

  const session = await open(cwd);
  expect(await prompt(session, 'Write two as a number.')).toBe('end_turn');

  const [, edit] = callsShown(updates, session);
  expect(questions).toEqual([
    {
      sessionId: session,
      toolCall: {
        toolCallId: edit!.toolCallId,
        title: 'edit a.txt',
        name: 'edit',
        kind: 'edit',
        status: 'pending',
        rawInput: { filePath: 'a.txt', oldString: 'two', newString: '2' },
        locations: [{ path }],
        content: [
          { type: 'diff', path, oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\n' },
          { type: 'content', content: { type: 'text', text: 'Edits need approval by default.' } },
        ],
      },
      options: [
        { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
        { optionId: 'always', name: 'Always allow in this project: edit ./a.txt', kind: 'allow_always' },
        { optionId: 'reject', name: 'Deny', kind: 'reject_once' },
      ],
    },
  ]);
  expect(edit).toMatchObject({
    status: 'completed',
    locations: [{ path, line: 1 }],
    content: [{ type: 'diff', path, oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\n' }],
  });
  expect(readFileSync(path, 'utf8')).toBe('one\n2\nthree\n');
});

test('what is allowed for good is not asked again, also in another session; a no goes back to the model', async () => {
  const cwd = tempFolder();
  const write = (name: string) => calls(['write', { filePath: `out/${name}`, content: name }]);
  const model = scriptedModel([
    write('a'),
    says('a'),
    write('b'),
    says('b'),
    calls(['bash', { command: 'rm -r out' }]),
    says('c'),
  ]);
  const answers = ['always', 'reject'];
  const { open, prompt, questions, updates } = await testAcp({
    models: { default: model },
    permit: () => answers.shift(),
  });

  await prompt(await open(cwd), 'first');
  const second = await open(cwd);
  await prompt(second, 'second');
  await prompt(second, 'third');

  expect(questions.map(({ toolCall }) => toolCall.title)).toEqual(['write out/a', 'bash rm -r out']);
  expect(questions[1]!.toolCall.content![0]).toEqual({
    type: 'content',
    content: { type: 'text', text: '```sh\nrm -r out\n```' },
  });
  expect(existsSync(join(cwd, 'out', 'b'))).toBe(true);
  expect(callsShown(updates, second).map(({ status }) => status)).toEqual(['completed', 'failed']);
  expect(JSON.stringify(model.calls.at(-1)!.prompt)).toContain('The user does not want this call to run.');
});

test('an overwritten file is shown as it is, next to what it would become', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'a.txt'), 'old');
  const model = scriptedModel([
    calls(['read', { filePath: 'a.txt' }]),
    calls(['write', { filePath: 'a.txt', content: 'new' }]),
    says('done'),
  ]);
  const { open, prompt, questions } = await testAcp({ models: { default: model } });

  await prompt(await open(cwd), 'go');

  expect(questions[0]!.toolCall.content![0]).toEqual({
    type: 'diff',
    path: join(cwd, 'a.txt'),
    oldText: 'old',
    newText: 'new',
  });
});

test('an editor is shown what an edit writes, and not what its arguments look like', async () => {
  const cwd = tempFolder();
  const path = join(cwd, 'build.sh');
  writeFileSync(path, '# note\n# two\n');
  const input = {
    filePath: 'build.sh',
    oldString: String.raw`# note\n# two`,
    newString: String.raw`# prints a line\ntouch OWNED #\n`,
  };
  const model = scriptedModel([calls(['edit', input]), says('done')]);
  const { open, prompt, questions, updates } = await testAcp({ models: { default: model }, permit: () => 'once' });

  const session = await open(cwd);
  await prompt(session, 'go');

  const written = '# prints a line\ntouch OWNED #\n\n';
  const diff = { type: 'diff', path, oldText: '# note\n# two\n', newText: written };
  expect(questions[0]!.toolCall.content).toMatchObject([diff, { type: 'content' }]);
  expect(readFileSync(path, 'utf8')).toBe(written);
  const diffs = updates.flatMap(({ update }) =>
    'content' in update && Array.isArray(update.content) ? update.content : [],
  );
  expect(diffs.filter(({ type }) => type === 'diff')).toEqual([diff]);
});

test('where no change can be shown, an editor is told the arguments of the edit as they are', async () => {
  const path = join(tempFolder(), 'notes.txt');
  writeFileSync(path, 'mine\n');
  const input = { filePath: path, oldString: 'mine', newString: String.raw`a\nb` };
  const model = scriptedModel([calls(['edit', input]), says('done')]);
  const { open, prompt, questions } = await testAcp({ models: { default: model }, permit: () => 'once' });

  await prompt(await open(tempFolder()), 'go');

  expect(questions[0]!.toolCall.content).toMatchObject([
    { content: { text: 'oldString:\n```\nmine\n```' } },
    { content: { text: 'newString:\n```\na\\nb\n```' } },
    { type: 'content' },
  ]);
  expect(readFileSync(path, 'utf8')).toBe('a\\nb\n');
});

test('a prompt that is cancelled stops its command and settles every call', async () => {
  const cwd = tempFolder();
  const model = scriptedModel([calls(['bash', { command: 'echo $$; exec sleep 1000' }]), says('never')]);
  const { agent, open, prompt, updates, until } = await testAcp({ models: { default: model }, permit: () => 'once' });
  const session = await open(cwd);

  const answered = prompt(session, 'wait');
  const shown = await until('tool_call_update', (update) =>
    /\d\\n/.test(JSON.stringify('content' in update ? update.content : '')),
  );
  const pid = Number(/\d+/.exec(JSON.stringify('content' in shown ? shown.content : ''))![0]);
  expect(isRunning(pid)).toBe(true);
  await agent.notify('session/cancel', { sessionId: session });

  expect(await answered).toBe('cancelled');
  expect(isRunning(pid)).toBe(false);
  expect(callsShown(updates, session).map(({ status }) => status)).toEqual(['failed']);
  expect(model.calls).toHaveLength(1);
});

test('a question that is open when the prompt is cancelled is taken back', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<AbortSignal>();
  const model = scriptedModel([calls(['bash', { command: 'touch here' }]), says('never')]);
  const { agent, open, prompt, updates } = await testAcp({
    models: { default: model },
    permit: (_request, signal) => {
      resolve(signal);
      return new Promise(() => {});
    },
  });
  const session = await open(tempFolder());

  const answered = prompt(session, 'go');
  const signal = await asked;
  await agent.notify('session/cancel', { sessionId: session });

  expect(await answered).toBe('cancelled');
  expect(callsShown(updates, session).map(({ status }) => status)).toEqual(['failed']);
  expect(signal.aborted).toBe(true);
});

test('a prompt that is cancelled at once ends as cancelled, and the next one is answered', async () => {
  const model = scriptedModel([(call) => says(JSON.stringify(call.prompt).includes('again') ? 'second' : 'first')]);
  const { agent, open, prompt, updates } = await testAcp({ models: { default: model } });
  const session = await open(tempFolder());

  const answered = prompt(session, 'go');
  await agent.notify('session/cancel', { sessionId: session });

  expect(await answered).toBe('cancelled');
  expect(await prompt(session, 'again')).toBe('end_turn');
  expect(textSaid(updates, session)).toMatch(/^(first)?second$/);
});

test('a request for a prompt that is itself cancelled ends the same way', async () => {
  const step = held(says('late'));
  const { agent, open } = await testAcp({ models: { default: scriptedModel([step.step]) } });
  const sessionId = await open(tempFolder());
  const cancelling = new AbortController();

  const answered = agent.request(
    'session/prompt',
    { sessionId, prompt: [{ type: 'text', text: 'go' }] },
    { cancellationSignal: cancelling.signal },
  );
  await step.begun;
  cancelling.abort();

  expect(await answered).toEqual({ stopReason: 'cancelled' });
});

test('two sessions work at once, and neither hears of the other', async () => {
  const [one, two] = [held(says('I am one.')), held(says('I am two.'))];
  const model = scriptedModel([
    (call, signal) => (JSON.stringify(call.prompt).includes('saffron') ? one : two).step(call, signal),
  ]);
  const { open, prompt, updates } = await testAcp({ models: { default: model } });
  const [first, second] = [await open(tempFolder()), await open(tempFolder())];

  const answers = [prompt(first, 'saffron'), prompt(second, 'indigo')];
  await Promise.all([one.begun, two.begun]);
  await expect(prompt(first, 'more')).rejects.toMatchObject({
    code: -32600,
    message: `The session ${first} is still at work on a prompt; wait for its end or cancel it first.`,
  });
  two.release();
  expect(await answers[1]).toBe('end_turn');
  one.release();
  expect(await answers[0]).toBe('end_turn');

  expect(textSaid(updates, first)).toBe('I am one.');
  expect(textSaid(updates, second)).toBe('I am two.');
});

test('modes are the agents that people talk to, models can be chosen, and both are told', async () => {
  const [small, large] = [scriptedModel([says('small')]), scriptedModel([says('large')], { modelID: 'large' })];
  const { agent, updates, prompt } = await testAcp({ models: { small, large } });

  const opened = await agent.request('session/new', { cwd: tempFolder(), mcpServers: [] });
  const { sessionId } = opened;
  expect(opened.modes).toMatchObject({ currentModeId: 'build', availableModes: [{ id: 'build' }, { id: 'plan' }] });
  expect(opened.configOptions).toMatchObject([
    { id: 'mode', category: 'mode', currentValue: 'build', options: [{ value: 'build' }, { value: 'plan' }] },
    {
      id: 'model',
      category: 'model',
      currentValue: 'small',
      options: [{ value: 'small' }, { value: 'large' }],
    },
  ]);

  await agent.request('session/set_mode', { sessionId, modeId: 'plan' });
  const chosen = await agent.request('session/set_config_option', { sessionId, configId: 'model', value: 'large' });
  expect(chosen.configOptions).toMatchObject([{ currentValue: 'plan' }, { currentValue: 'large' }]);
  await prompt(sessionId, 'go');

  expect(textSaid(updates, sessionId)).toBe('large');
  expect(large.calls[0]!.tools.map(({ name }) => name)).not.toContain('edit');
  expect(updates.map(({ update }) => update)).toContainEqual({
    sessionUpdate: 'current_mode_update',
    currentModeId: 'plan',
  });
  expect(updates.map(({ update }) => update.sessionUpdate)).toContain('config_option_update');

  await agent.request('session/set_config_option', { sessionId, configId: 'mode', value: 'build' });
  const refused = (configId: string, value: string) =>
    agent.request('session/set_config_option', { sessionId, configId, value });
  await expect(refused('mode', 'explore')).rejects.toThrow(
    'There is no mode "explore" here. The modes are: build, plan',
  );
  await expect(refused('model', 'huge')).rejects.toThrow('There is no model "huge".');
  await expect(refused('speed', 'high')).rejects.toThrow(
    'There is no option "speed" here. The options are: mode, model.',
  );
});

test('a session of earlier is told again, whole and once, and goes on', async () => {
  const [store, cwd] = [await testStore(), tempFolder()];
  writeFileSync(join(cwd, 'a.txt'), 'hello\n');
  const model = scriptedModel([
    calls(['todo-write', { todos: [{ content: 'look', status: 'in_progress' }] }], ['read', { filePath: 'a.txt' }]),
    says('It says hello.'),
    says('As I said.'),
  ]);
  const before = await testAcp({ models: { default: model }, store });
  const session = await before.open(cwd);
  await before.prompt(session, 'What is in @a.txt?');
  await before.leave();

  const after = await testAcp({ models: { default: model }, store });
  const listed = await after.agent.request('session/list', { cwd });
  expect(listed.sessions).toEqual([
    { sessionId: session, cwd, title: 'What is in @a.txt?', updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string },
  ]);
  const loaded = await after.agent.request('session/load', { sessionId: session, cwd, mcpServers: [] });

  expect(loaded.modes?.currentModeId).toBe('build');
  expect(after.updates.map(({ update }) => update)).toMatchObject([
    { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'What is in @a.txt?' } },
    { sessionUpdate: 'tool_call', title: 'todos 0 of 1 done', status: 'completed' },
    { sessionUpdate: 'tool_call', title: 'read a.txt', status: 'completed', kind: 'read' },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'It says hello.' } },
    { sessionUpdate: 'plan', entries: [{ content: 'look', status: 'in_progress', priority: 'medium' }] },
  ]);
  expect(await after.prompt(session, 'Again?')).toBe('end_turn');
  expect(textSaid(after.updates, session)).toBe('It says hello.As I said.');

  after.updates.length = 0;
  expect((await after.agent.request('session/resume', { sessionId: session, cwd })).modes?.currentModeId).toBe('build');
  expect(after.updates).toEqual([]);
  await expect(
    after.agent.request('session/load', { sessionId: session, cwd: tempFolder(), mcpServers: [] }),
  ).rejects.toThrow(`The session ${session} works in ${cwd}, not in`);
});

test('a session that was closed can be opened again, and takes no prompts until then', async () => {
  const cwd = tempFolder();
  const { agent, open, prompt } = await testAcp({ models: { default: scriptedModel([says('hi')]) } });
  const session = await open(cwd);

  await agent.request('session/close', { sessionId: session });
  await expect(prompt(session, 'hello')).rejects.toMatchObject({
    code: -32002,
    message: `There is no open session ${session} here; open it with session/load.`,
    data: { sessionId: session },
  });
  await agent.request('session/load', { sessionId: session, cwd, mcpServers: [] });
  expect(await prompt(session, 'hello')).toBe('end_turn');
});

test('a session that is deleted is gone from the list', async () => {
  const { agent, open } = await testAcp({ models: { default: scriptedModel([]) } });
  const [kept, deleted] = [await open(tempFolder()), await open(tempFolder())];

  await agent.request('session/delete', { sessionId: deleted });

  expect((await agent.request('session/list', {})).sessions.map(({ sessionId }) => sessionId)).toEqual([kept]);
});

test('what cannot be done is an error that says why', async () => {
  const { agent, open } = await testAcp({ models: { default: scriptedModel([says('hi')]) } });
  const asked = (cwd: string) => agent.request('session/new', { cwd, mcpServers: [] });

  await expect(asked('relative')).rejects.toMatchObject({
    code: -32602,
    message: 'The folder of a session is an absolute path, not "relative".',
  });
  await expect(asked('/no/such/folder')).rejects.toMatchObject({
    code: -32602,
    message: '/no/such/folder is not a folder on this machine.',
  });
  await expect(
    agent.request('session/load', { sessionId: 'ses_none', cwd: tempFolder(), mcpServers: [] }),
  ).rejects.toMatchObject({
    code: -32002,
    message: expect.stringContaining('Session ses_none not found.') as string,
  });
  const sessionId = await open(tempFolder());
  const sent = (prompt: ContentBlock[]) => agent.request('session/prompt', { sessionId, prompt });
  await expect(sent([])).rejects.toMatchObject({ code: -32602, message: 'A prompt needs text, a file or a task.' });
  await expect(sent([{ type: 'audio', data: '', mimeType: 'audio/wav' }])).rejects.toMatchObject({
    code: -32602,
    message: 'Audio cannot be sent: this agent takes text, images and files.',
  });
  await expect(agent.request('session/list', { cursor: 'x' })).rejects.toThrow('"x" is no cursor');
});

test('a turn that fails is an error with its message; one that was ended says so and why', async () => {
  const end = async (model: ReturnType<typeof scriptedModel>, config = {}, capabilities = {}) => {
    const { open, prompt, updates } = await testAcp({ models: { default: model }, config, capabilities });
    const session = await open(tempFolder());
    const reason = await prompt(session, 'go').catch((error: unknown) => error);
    return { reason, said: textSaid(updates, session), updates: updates.map(({ update }) => update) };
  };
  const finishing = (finishReason: 'length' | 'content-filter'): ModelEvent[] =>
    says('Half').map((event) => (event.type === 'finish' ? { ...event, finishReason } : event));
  const config = { agent: { snapshots: false, budget: { steps: 1 } } };
  const looking = () => scriptedModel([calls(['glob', { pattern: '*' }])]);
  const ended = 'The turn was stopped: it used its budget of 1 steps.';

  expect((await end(scriptedModel([fails(new DragomanError('forbidden', 'The key is wrong.'))]))).reason).toMatchObject(
    {
      code: -32603,
      message: 'The key is wrong.',
      data: { code: 'model' },
    },
  );
  expect((await end(looking())).reason).toMatchObject({
    code: -32603,
    message: expect.stringContaining('the tool "glob" was called 3 times in a row') as string,
    data: { code: 'loop' },
  });
  expect(await end(looking(), config)).toMatchObject({ reason: 'max_turn_requests', said: ended });
  expect((await end(looking(), config, { session: { notices: {} } })).updates).toContainEqual({
    sessionUpdate: 'notice',
    severity: 'warning',
    title: ended,
  });
  expect(await end(scriptedModel([finishing('length')]))).toMatchObject({
    reason: 'max_tokens',
    said: expect.stringMatching(/^Half.*The model reached its output limit/s) as string,
  });
  expect((await end(scriptedModel([finishing('content-filter')]))).reason).toBe('refusal');
});

test("a subagent's call is shown under its name when it has to be asked about", async () => {
  const cwd = tempFolder();
  const model = scriptedModel([
    calls(['task', { description: 'make it', prompt: 'make the file', agent: 'general' }]),
    calls(['write', { filePath: 'made.txt', content: 'made' }]),
    says('It is made.'),
    says('All done.'),
  ]);
  const { open, prompt, questions, updates } = await testAcp({ models: { default: model }, permit: () => 'once' });

  const session = await open(cwd);
  expect(await prompt(session, 'go')).toBe('end_turn');

  expect(questions).toMatchObject([{ sessionId: session, toolCall: { title: 'general: write made.txt' } }]);
  expect(callsShown(updates, session)).toMatchObject([
    { name: 'task', status: 'completed', kind: 'think' },
    {
      name: 'write',
      title: 'general: write made.txt',
      status: 'completed',
      content: [{ type: 'diff', oldText: null, newText: 'made' }],
    },
  ]);
  expect(updates.every(({ sessionId }) => sessionId === session)).toBe(true);
  expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('made');
});

test("the client's MCP servers belong to its session: their tools, their commands, and their end", async () => {
  const [command, ...args] = fixture('stdio-server');
  const demo = { name: 'demo', command: command!, args, env: [{ name: 'LOUD', value: 'yes' }] };
  const model = scriptedModel([calls(['demo_pid', {}], ['demo_environment', {}]), says('ran'), says('reviewed')]);
  const { agent, open, prompt, updates, until, leave } = await testAcp({
    models: { default: model },
    permit: () => 'once',
  });
  const cwd = tempFolder();
  const [plain, session] = [await open(cwd), await open(cwd, [demo])];

  expect(await until('available_commands_update')).toEqual({
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ name: 'demo:review', description: 'Reviews a file.', input: { hint: '<path> [focus]' } }],
  });
  await prompt(session, 'go');
  const [pid, environment] = callsShown(updates, session).map(({ content }) => JSON.stringify(content));
  expect(environment).toContain('LOUD');
  const child = Number(/\d+/.exec(pid!.replace(/.*`/, ''))?.[0] ?? /(\d+)/.exec(pid!)![0]);
  expect(isRunning(child)).toBe(true);
  await prompt(session, '/demo:review src/a.ts');
  expect(JSON.stringify(model.calls.at(-1)!.prompt)).toContain('Review src/a.ts for everything.');
  await prompt(plain, 'go');
  expect(model.calls.at(-1)!.tools.map(({ name }) => name)).not.toContain('demo_pid');

  await agent.request('session/close', { sessionId: session });
  expect(isRunning(child)).toBe(false);
  await leave();
});

test('when the client goes away in the middle of a turn, everything ends and the session is free', async () => {
  const [store, cwd] = [await testStore(), tempFolder()];
  const model = scriptedModel([calls(['bash', { command: 'echo $$; exec sleep 1000' }]), says('never')]);
  const { open, prompt, until, leave } = await testAcp({ models: { default: model }, store, permit: () => 'once' });
  const session = await open(cwd);

  const answered = prompt(session, 'wait').catch((error: unknown) => error);
  const shown = await until('tool_call_update', (update) =>
    /\d\\n/.test(JSON.stringify('content' in update ? update.content : '')),
  );
  const pid = Number(/\d+/.exec(JSON.stringify('content' in shown ? shown.content : ''))![0]);
  await leave();

  expect(await answered).toBeInstanceOf(Error);
  expect(isRunning(pid)).toBe(false);
  const after = await testAcp({ models: { default: scriptedModel([says('on')]) }, store });
  await after.agent.request('session/load', { sessionId: session, cwd, mcpServers: [] });
  expect(callsShown(after.updates, session).map(({ status }) => status)).toEqual(['failed']);
  expect(await after.prompt(session, 'Go on.')).toBe('end_turn');
});

test('an editor that cannot ask is a no that the model is told', async () => {
  const model = scriptedModel([calls(['bash', { command: 'touch here' }]), says('Then not.')]);
  const { open, prompt } = await testAcp({
    models: { default: model },
    permit: () => Promise.reject(new Error('no window')),
  });
  const cwd = tempFolder();

  expect(await prompt(await open(cwd), 'go')).toBe('end_turn');
  expect(JSON.stringify(model.calls.at(-1)!.prompt)).toContain('The editor could not ask whether this may run');
  expect(existsSync(join(cwd, 'here'))).toBe(false);
});

test('a session that is at work is not opened again', async () => {
  const step = held(says('done'));
  const { agent, open, prompt } = await testAcp({ models: { default: scriptedModel([step.step]) } });
  const cwd = tempFolder();
  const sessionId = await open(cwd);

  const answered = prompt(sessionId, 'go');
  await step.begun;
  await expect(agent.request('session/load', { sessionId, cwd, mcpServers: [] })).rejects.toMatchObject({
    code: -32600,
    message: `The session ${sessionId} is at work; cancel it before it is opened again.`,
  });
  step.release();
  expect(await answered).toBe('end_turn');
});

test('lines that are no messages are answered as such, and the next one is heard', async () => {
  const { open, prompt, sendRaw, errors } = await testAcp({ models: { default: scriptedModel([says('hi')]) } });

  await sendRaw(
    '{not json\n[]\n"text"\n\n{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"ses_none"}}\n',
  );

  expect(await prompt(await open(tempFolder()), 'hello')).toBe('end_turn');
  expect(errors).toEqual([]);
});
