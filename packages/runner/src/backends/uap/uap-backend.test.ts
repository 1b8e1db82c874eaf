import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { heardSession, promptOf } from '../../check/heard-session.fixture.ts';
import { processesIn } from '../../check/processes-in.ts';
import { type StdioAgentScript, stdioAgent } from './stdio-agent.fixture.ts';
import { UapBackend } from './uap-backend.ts';

function open(script: StdioAgentScript = {}, limits?: { cancelMs: number }): UapBackend {
  const backend = new UapBackend(stdioAgent(script), limits);
  onTestFinished(() => backend.dispose());
  return backend;
}

test('whole messages, the seed’s own form, are all an agent has to say [UAP-01]', async () => {
  const messages = [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '用户想要查看文件...' },
        { type: 'tool_use', id: 'call_1', name: 'ls', input: { path: './src' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'index.ts\nutils.ts' }] },
    { role: 'assistant', content: [{ type: 'text', text: '目录中包含 index.ts 和 utils.ts。' }] },
  ];
  const backend = open({
    start: `say({ type: 'ready' });`,
    prompt: `say(...${JSON.stringify(messages)});`,
    finish: `say({ type: 'turn-finished' });`,
  });
  const session = heardSession();
  await backend.start(session);

  await expect(backend.prompt(promptOf('?'))).resolves.toEqual({ reason: 'done' });
  expect(session.messages()).toEqual(messages);
  expect(session.broken()).toEqual([]);
});

test('events are passed on while the turn runs, in order [UAP-18]', async () => {
  const backend = open({
    prompt: `const place = at('assistant');
      say({ type: 'block-start', ...place, block: { type: 'text', text: '' } }, { type: 'block-delta', blockId: place.blockId, delta: 'Hel' });
      await ask();
      say({ type: 'block-delta', blockId: place.blockId, delta: 'lo' }, { type: 'block-stop', ...place, block: { type: 'text', text: 'Hello' } });`,
  });
  const session = heardSession();
  await backend.start(session);
  const turn = backend.prompt(promptOf('?'));

  const asked = await session.until('approval-asked');
  expect(session.messages()).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Hel' }] }]);
  await backend.answer!(asked.approval.id, { type: 'selected', optionId: 'y' });

  await expect(turn).resolves.toEqual({ reason: 'done' });
  expect(session.messages()).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }]);
});

test('a line that cannot be read is a notice that names it, and nothing else breaks [UAP-01]', async () => {
  const backend = open({
    prompt: `say('Loading…', '[1]', { type: 'dance' }, { role: 'robot', content: [] },
      { role: 'assistant', content: [{ type: 'text' }, { type: 'text', text: 'one' }] },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }] }] });`,
    finish: `say({ type: 'turn-finished', error: { message: 'tired', fix: 'Wait.' } });`,
  });
  const session = heardSession();
  await backend.start(session);

  await expect(backend.prompt(promptOf('?'))).resolves.toEqual({
    reason: 'failed',
    error: { code: 'agent-failed', message: 'tired', fix: 'Wait.' },
  });
  const blocks = session.messages().flatMap(({ content }) => content);
  expect(blocks.map((block) => (block.type === 'notice' ? block.text : block))).toEqual([
    expect.stringMatching(/^A line of the agent was passed over: it is no JSON .*: Loading…$/),
    'A line of the agent was passed over: it is JSON, but no object: [1]',
    expect.stringMatching(/passed over: type: .*: \{"type":"dance"\}$/),
    'A line of the agent was passed over: role is "robot", not user, assistant or agent: {"role":"robot","content":[]}',
    { type: 'text', text: 'one' },
    expect.stringMatching(/passed over: content\.0: text: /),
    { type: 'text', text: 'two' },
    { type: 'tool_result', tool_use_id: 'c', content: 'a\nb' },
  ]);
});

test('it is told where it works and what it resumes, is steered, and given models only where it says it can', async () => {
  const backend = open({
    start: `say({ role: 'agent', content: [{ type: 'notice', text: JSON.stringify(message) }] },
      { type: 'ready', capabilities: { steer: true, models: true } });`,
    prompt: 'await new Promise((resolve) => { onCancel = resolve; });',
  });
  const session = { ...heardSession(), model: 'm1' };
  expect(backend.capabilities).toEqual({ resume: true });
  await backend.resume!(session, 'old');

  expect(backend.capabilities).toEqual({ steer: true, models: true });
  expect([backend.resume, backend.fork, backend.answer, backend.setMode]).toEqual(Array(4).fill(undefined));
  expect(session.messages().map(({ content }) => content[0])).toEqual([
    {
      type: 'notice',
      text: JSON.stringify({ type: 'start', sessionId: 'ses_1', cwd: session.cwd, model: 'm1', resume: 'old' }),
    },
    { type: 'notice', level: 'warning', text: 'The agent was started anew and remembers nothing of before.' },
  ]);

  expect(await backend.steer!(promptOf('early'))).toBe(false);
  const turn = backend.prompt(promptOf('?'));
  expect(await backend.steer!(promptOf('more'))).toBe(true);
  await session.until('block-stop', ({ block }) => block.type === 'text' && block.text === 'Also: more');
  await backend.cancel();
  await expect(turn).resolves.toEqual({ reason: 'cancelled' });
});

test('what an agent tells again of a conversation that it goes on with, before it is ready, is not shown', async () => {
  const backend = open({
    start: `say({ role: 'user', content: [{ type: 'text', text: 'old prompt' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'old answer' }] },
      { role: 'agent', content: [{ type: 'notice', text: 'Going on.' }] });
      talk();
      say({ type: 'ready', capabilities: { resume: true } });`,
    prompt: `text('New.');`,
  });
  const session = heardSession();
  await backend.resume!(session, 'old');
  await backend.prompt(promptOf('?'));

  expect(session.messages()).toEqual([
    { role: 'agent', content: [{ type: 'notice', text: 'Going on.' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'New.' }] },
  ]);
});

test('a turn that is called off withdraws its questions', async () => {
  const backend = open({ prompt: `onCancel = () => say({ type: 'turn-finished' }); await ask();` });
  const session = heardSession();
  await backend.start(session);
  const turn = backend.prompt(promptOf('?'));
  const asked = await session.until('approval-asked');
  await backend.cancel();

  await expect(turn).resolves.toEqual({ reason: 'cancelled' });
  expect(session.events.at(-1)).toEqual({
    type: 'approval-withdrawn',
    approvalId: asked.approval.id,
  });
});

test('a call that is told otherwise while people are asked about it is asked about anew, and the old answer reaches nobody', async () => {
  const backend = open({
    prompt: `const tell = (command) => whole('assistant', { type: 'tool_use', id: 'call', name: 'bash', input: { command } });
      const options = [{ id: 'y', name: 'Yes', kind: 'allow_once' }];
      tell('ls');
      const answer = new Promise((resolve) => answers.set('q', resolve));
      say({ type: 'approval-asked', approval: { id: 'q', title: 'May I?', options, toolUseId: 'call' } });
      tell('rm -r x');
      text('answered ' + JSON.stringify(await answer));`,
  });
  const session = heardSession();
  await backend.start(session);
  const turn = backend.prompt(promptOf('?'));
  const again = await session.until('approval-asked', ({ approval }) => approval.id !== 'q');
  const asked = session.events.flatMap((event) =>
    event.type === 'approval-asked' ? [[event.approval.id, event.approval.call?.input, event.approval.question]] : [],
  );
  const subjects = (value: string) => ({ tool: 'bash', subjects: [{ kind: 'command', value }] });
  expect(asked).toEqual([
    ['q', { command: 'ls' }, subjects('ls')],
    ['q~2', { command: 'rm -r x' }, subjects('rm -r x')],
  ]);
  expect(session.events).toContainEqual({ type: 'approval-withdrawn', approvalId: 'q' });
  await backend.answer!('q', { type: 'selected', optionId: 'y' });
  await backend.answer!(again.approval.id, { type: 'rejected' });
  await expect(turn).resolves.toEqual({ reason: 'done' });
  const said = session.messages().flatMap(({ content }) => content.filter(({ type }) => type === 'text'));
  expect(said).toEqual([{ type: 'text', text: expect.stringContaining('rejected') as string }]);
});

test('a call is not told before its end: it is asked about without its arguments, and anew when they are there', async () => {
  const backend = open({
    prompt: `const place = { messageId: 'm', role: 'assistant', blockId: 'b' };
      const block = (input) => ({ type: 'tool_use', id: 'call', name: 'bash', input });
      const options = [{ id: 'y', name: 'Yes', kind: 'allow_once' }];
      say({ type: 'block-start', ...place, block: block({ command: 'ls' }) });
      const answer = new Promise((resolve) => answers.set('q', resolve));
      say({ type: 'approval-asked', approval: { id: 'q', title: 'bash ls', options, toolUseId: 'call' } });
      say({ type: 'block-stop', ...place, block: block({ command: 'rm -r x' }) });
      await answer;`,
  });
  const session = heardSession();
  await backend.start(session);
  const turn = backend.prompt(promptOf('?'));
  const again = await session.until('approval-asked', ({ approval }) => approval.id !== 'q');
  const asked = session.events.flatMap((event) =>
    event.type === 'approval-asked' ? [[event.approval.call, event.approval.question]] : [],
  );
  expect(asked).toEqual([
    [undefined, undefined],
    [
      { name: 'bash', input: { command: 'rm -r x' } },
      { tool: 'bash', subjects: [{ kind: 'command', value: 'rm -r x' }] },
    ],
  ]);
  await backend.answer!(again.approval.id, { type: 'rejected' });
  await expect(turn).resolves.toEqual({ reason: 'done' });
});

test('an id that an agent uses for another question stands for the first one only', async () => {
  const backend = open({
    prompt: `const options = [{ id: 'y', name: 'Yes', kind: 'allow_once' }];
      say({ type: 'approval-asked', approval: { id: 'q', title: 'Read a.ts?', options } });
      const answer = new Promise((resolve) => answers.set('q', resolve));
      say({ type: 'approval-asked', approval: { id: 'q', title: 'Delete a.ts?', options } });
      await answer;`,
  });
  const session = heardSession();
  await backend.start(session);
  const turn = backend.prompt(promptOf('?'));
  const { approval } = await session.until('approval-asked', ({ approval: { title } }) => title === 'Delete a.ts?');
  expect(approval.id).toBe('q~2');
  expect(session.events).toContainEqual({ type: 'approval-withdrawn', approvalId: 'q' });
  await backend.answer!('q~2', { type: 'rejected' });
  await expect(turn).resolves.toEqual({ reason: 'done' });
});

test('an agent that dies fails its turn, and the next prompt resumes it in a new process', async () => {
  const backend = open({
    prompt: `if (message.content[0].text === 'die') { console.error('out of memory'); process.exit(7); } talk();`,
  });
  const session = heardSession();
  await backend.start(session);

  await expect(backend.prompt(promptOf('die', 'p1'))).resolves.toMatchObject({
    reason: 'failed',
    error: { code: 'agent-failed', message: '"tiny" exited with code 7: out of memory' },
  });
  await expect(backend.prompt(promptOf('live', 'p2'))).resolves.toEqual({ reason: 'done' });
  expect(session.broken()).toEqual([]);
});

test('an agent that ends instead of starting says why, and one that does not obey cancel is ended', async () => {
  const broken = open({ start: `console.error('no key'); process.exit(1);` });
  await expect(broken.start(heardSession())).rejects.toMatchObject({
    code: 'unavailable',
    message: '"tiny" exited with code 1: no key',
  });

  const stubborn = open({ prompt: `text('busy'); await new Promise(() => {});` }, { cancelMs: 50 });
  const session = heardSession();
  await stubborn.start(session);
  const turn = stubborn.prompt(promptOf('?'));
  await session.until('block-stop');
  await stubborn.cancel();
  await expect(turn).resolves.toEqual({ reason: 'cancelled' });
  expect(processesIn(session.cwd)).toEqual(new Map());
});

test('dispose ends it in the middle of a turn, and nothing is heard any more', async () => {
  const backend = open({ prompt: `setInterval(() => text('tick'), 1); await new Promise(() => {});` });
  const cwd = tempFolder();
  const session = heardSession(cwd);
  await backend.start(session);
  const turn = backend.prompt(promptOf('?'));
  await session.until('block-stop');
  const disposing = backend.dispose();
  const count = session.events.length;
  await Promise.all([disposing, backend.dispose()]);

  await expect(turn).resolves.toEqual({ reason: 'cancelled' });
  expect(session.events.length).toBe(count);
  expect(processesIn(cwd)).toEqual(new Map());
});

test('an agent that writes nothing but what cannot be read is ended, with five notices and a count [UAP-01]', async () => {
  const backend = open({
    prompt: `setInterval(() => say(...Array(500).fill('yyyyyyyyyy')), 1); await new Promise(() => {});`,
  });
  const session = heardSession();
  await backend.start(session);

  await expect(backend.prompt(promptOf('?'))).resolves.toMatchObject({
    reason: 'failed',
    error: {
      code: 'agent-failed',
      message: '"tiny" wrote 1001 lines in a row that are not understood, the last of them: yyyyyyyyyy',
    },
  });
  const notices = session.messages().flatMap(({ content }) => content.map((block) => 'text' in block && block.text));
  expect(notices).toHaveLength(6);
  expect(notices.at(-1)).toBe('And 996 more lines were passed over.');
});

test('an agent that never says that it is ready, but a lot else, is not waited for', async () => {
  const backend = open({ start: `setInterval(() => say(...Array(500).fill({ type: 'dance' })), 1);` });

  await expect(backend.start(heardSession())).rejects.toMatchObject({
    code: 'unavailable',
    message: '"tiny" wrote 1001 lines in a row that are not understood, the last of them: {"type":"dance"}',
  });
});

test('a turn that ends for a reason that there is not has failed, and the reason is named', async () => {
  const backend = open({ prompt: '', finish: `say({ type: 'turn-finished', reason: 'bored' });` });
  await backend.start(heardSession());

  await expect(backend.prompt(promptOf('?'))).resolves.toEqual({
    reason: 'failed',
    error: {
      code: 'agent-failed',
      message:
        'the turn was finished with the reason "bored", which is none of done, cancelled, refused, limit, failed, interrupted',
    },
  });
});

test('the rules are asked about each command of a text, and about the call where the agent says nothing for them', async () => {
  const options = `options: [{ id: 'y', name: 'Yes', kind: 'allow_once' }]`;
  const backend = open({
    prompt: `
      whole('assistant', { type: 'tool_use', id: 'c1', name: 'write', kind: 'edit', input: { path: 'a.ts' } });
      whole('assistant', { type: 'tool_use', id: 'c2', name: 'bash', input: { command: 'ls; rm a' } });
      say({ role: 'assistant', content: [{ type: 'tool_use', id: 'c3', name: 'ask_oracle', input: {} }] });
      say({ type: 'approval-asked', approval: { id: 'a1', title: '?', ${options},
        question: { tool: 'bash', subjects: [{ kind: 'command', value: 'git status && rm -rf /x' }] } } });
      for (const n of [1, 2, 3, 4]) say({ type: 'approval-asked', approval: { id: 'b' + n, title: '?', toolUseId: 'c' + n, ${options} } });`,
  });
  const session = heardSession();
  await backend.start(session);
  await backend.prompt(promptOf('?'));

  const asked = session.events.filter((event) => event.type === 'approval-asked');
  expect(asked.map(({ approval: { question } }) => question)).toEqual([
    { tool: 'bash', subjects: ['git status', 'rm -rf /x'].map((value) => ({ kind: 'command', value })) },
    { tool: 'edit', subjects: [{ kind: 'path', value: 'a.ts' }] },
    { tool: 'bash', subjects: ['ls', 'rm a'].map((value) => ({ kind: 'command', value })) },
    { tool: 'ask_oracle', subjects: [] },
    undefined,
  ]);
});

test('what the agent was given in its environment is not repeated in what is told of it', async () => {
  const setup = stdioAgent({
    prompt: `say('my key is ' + process.env.MY_KEY); console.error('bad key ' + process.env.MY_KEY); process.exit(1);`,
  });
  const backend = new UapBackend({ ...setup, env: { MY_KEY: 'sk-very-secret', FLAG: '1' } });
  onTestFinished(() => backend.dispose());
  const session = heardSession();
  await backend.start(session);

  await expect(backend.prompt(promptOf('?'))).resolves.toMatchObject({
    error: { message: '"tiny" exited with code 1: bad key [MY_KEY]' },
  });
  expect(JSON.stringify(session.messages())).toContain('my key is [MY_KEY]');
  expect(JSON.stringify(session.messages())).not.toContain('sk-very-secret');
});
