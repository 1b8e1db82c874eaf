import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeSearch, Message, ModelCall, ToolPart } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { agentConfig, testAgent } from './open-agent.fixture.ts';
import type { ApprovalRequest } from './permissions/approval.ts';
import { calls, says, scriptedModel } from './scripted-model.fixture.ts';
import type { SessionRunner } from './session/session-runner.ts';

const toolParts = (runner: SessionRunner) =>
  runner.state.messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === 'tool'));
const lastPrompt = (call: ModelCall | undefined) => JSON.stringify(call?.prompt.at(-1));

test('all twelve tools of the specification are registered, in one list with skills and tools of one’s own [FR-27, FR-31, FR-32, FR-33, FR-40, ACC-03]', async () => {
  const { agent, root } = await testAgent(scriptedModel([]), {
    codeSearch: async () => ({}) as CodeSearch,
    config: () => agentConfig({ agent: { tools: { trustedProjects: ['*'] } } }),
    files: {
      '.dragoman/tools/dice.mjs':
        'export default { description: "Rolls a die.", parameters: { type: "object", properties: {} }, execute: async () => ({ title: "die", output: "4" }) };',
      '.dragoman/skills/tea/SKILL.md': '---\nname: tea\ndescription: Makes tea.\n---\nBoil water.',
    },
  });

  const { registry, problems } = await agent.workplace(root);

  const ids = registry.list().map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(
      'bash read glob grep edit write task web-fetch todo-write todo-read web-search code-search apply-patch dice'.split(
        ' ',
      ),
    ),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(problems).toEqual([]);
  for (const tool of registry.list())
    expect(tool).toMatchObject({
      id: expect.any(String) as string,
      description: expect.any(String) as string,
      parameters: expect.any(Object) as object,
      execute: expect.any(Function) as () => void,
    });
});

test('a second tool of the same name is reported, and the first stays [FR-31]', async () => {
  const { agent, root } = await testAgent(scriptedModel([]), {
    config: () => agentConfig({ agent: { tools: { trustedProjects: ['*'] } } }),
    files: {
      '.dragoman/tools/read.mjs':
        'export default { description: "Mine.", parameters: { type: "object" }, execute: async () => ({ title: "", output: "mine" }) };',
    },
  });

  const { registry, problems } = await agent.workplace(root);

  expect(registry.get('read')!.description).not.toBe('Mine.');
  expect(problems).toEqual(['There are two tools named "read"; the first one is used.']);
});

test('a tool of one’s own is offered and runs like a built-in one [FR-33]', async () => {
  const model = scriptedModel([calls(['dice', {}]), says('It is a four.')]);
  const { agent, root } = await testAgent(model, {
    config: () => agentConfig({ agent: { tools: { trustedProjects: ['*'] } } }),
    files: {
      '.dragoman/tools/dice.mjs':
        'export default { description: "Rolls a die.", parameters: { type: "object", properties: {} }, execute: async (input, { callID }) => ({ title: "die", output: `4 for ${callID}` }) };',
    },
  });
  const runner = await agent.create({ cwd: root });

  await runner.prompt({ text: 'roll' });
  const result = await runner.idle();

  expect(result).toMatchObject({ text: 'It is a four.', counters: { modelCalls: 2, toolCalls: 1 } });
  expect(model.calls[0]!.tools.map(({ name }) => name)).toContain('dice');
  expect(toolParts(runner)[0]!.state).toMatchObject({
    status: 'completed',
    output: expect.stringMatching(/^4 for call_/) as string,
  });
});

test('a step that changes files leaves a snapshot and a patch, and can be taken back and brought back [FR-18]', async () => {
  const model = scriptedModel([
    calls(['read', { filePath: 'a.txt' }]),
    calls(
      ['edit', { filePath: 'a.txt', oldString: 'one', newString: 'two' }],
      ['write', { filePath: 'b.txt', content: 'new' }],
    ),
    says('done'),
  ]);
  const { agent, root } = await testAgent(model, { files: { 'a.txt': 'one\n' } });
  const runner = await agent.create({ cwd: root });
  const messageID = await runner.prompt({ text: 'change it' });
  await runner.idle();

  const changed = runner.state.messages.filter(({ parts }) => parts.some(({ type }) => type === 'patch'));
  expect(changed).toHaveLength(1);
  expect(changed[0]!.parts.map(({ type }) => type)).toEqual([
    'step-start',
    'tool',
    'tool',
    'snapshot',
    'patch',
    'step-finish',
  ]);
  expect(changed[0]!.parts.find(({ type }) => type === 'patch')).toMatchObject({ files: ['a.txt', 'b.txt'] });

  expect((await agent.revert(runner, messageID)).files.toSorted()).toEqual(['a.txt', 'b.txt']);
  expect([readFileSync(join(root, 'a.txt'), 'utf8'), existsSync(join(root, 'b.txt'))]).toEqual(['one\n', false]);
  await agent.unrevert(runner);
  expect([readFileSync(join(root, 'a.txt'), 'utf8'), readFileSync(join(root, 'b.txt'), 'utf8')]).toEqual([
    'two\n',
    'new',
  ]);
  await expect(agent.unrevert(runner)).rejects.toThrow(/There is no revert to undo/);
});

test('a file that no snapshot has is told when it cannot be put back', async () => {
  const model = scriptedModel([
    calls(['write', { filePath: 'ignored.txt', content: 'x' }], ['write', { filePath: 'kept.txt', content: 'x' }]),
    says('done'),
  ]);
  const { agent, root } = await testAgent(model, { files: { '.gitignore': 'ignored.txt\n' } });
  const runner = await agent.create({ cwd: root });
  const messageID = await runner.prompt({ text: 'write' });
  await runner.idle();

  const { files, skipped } = await agent.revert(runner, messageID);

  expect(files).toEqual(['kept.txt']);
  expect(skipped).toEqual([expect.stringMatching(/^ignored\.txt: not in a snapshot/)]);
});

test('after a revert the next prompt goes on from there, and what was taken back is gone', async () => {
  const model = scriptedModel([says('first'), says('second'), says('third')]);
  const { agent, root } = await testAgent(model);
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'one' });
  await runner.idle();
  const second = await runner.prompt({ text: 'two' });
  await runner.idle();

  await agent.revert(runner, second);
  await runner.prompt({ text: 'another two' });
  await runner.idle();

  const texts = (messages: readonly Message[]) =>
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
  expect(texts(runner.state.messages)).toEqual(['one', 'first', 'another two', 'third']);
  expect(JSON.stringify(model.calls[2]!.prompt)).not.toContain('"two"');
});

test('a call that needs a person waits in a state of its own, and runs when the person says yes [ACC-23]', async () => {
  const states: string[] = [];
  const requests: ApprovalRequest[] = [];
  const model = scriptedModel([calls(['write', { filePath: 'a.txt', content: 'x' }]), says('done')]);
  const { agent, root } = await testAgent(model, {
    mode: 'interactive',
    approver: async (request) => {
      requests.push(request);
      return { decision: 'once' };
    },
  });
  const runner = await agent.create({ cwd: root });
  runner.subscribe({
    event: ({ event }) => {
      if (event.type === 'tool-state' || event.type === 'tool-result') states.push(event.state.status);
    },
  });
  await runner.prompt({ text: 'write it' });
  await runner.idle();

  expect(states).toEqual(['awaiting-approval', 'running', 'completed']);
  expect(requests).toMatchObject([{ tool: 'write', subjects: [{ kind: 'path', value: 'a.txt' }] }]);
  expect(existsSync(join(root, 'a.txt'))).toBe(true);
});

test('a no of the person ends the call as an error that the model sees, with what they said [ACC-23]', async () => {
  const model = scriptedModel([calls(['write', { filePath: 'a.txt', content: 'x' }]), says('all right')]);
  const { agent, root } = await testAgent(model, {
    mode: 'interactive',
    approver: async () => ({ decision: 'reject', feedback: 'use b.txt' }),
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'write it' });
  const result = await runner.idle();

  expect(result).toMatchObject({ text: 'all right', error: undefined });
  expect(toolParts(runner)[0]!.state).toMatchObject({
    status: 'error',
    error: 'The user does not want this call to run. They say: use b.txt',
  });
  expect(existsSync(join(root, 'a.txt'))).toBe(false);
});

test('what is allowed for good is saved for the project, and not asked again, also by a later process', async () => {
  let asked = 0;
  const approver = async () => {
    asked++;
    return { decision: 'always' as const };
  };
  const write = (name: string) => calls(['write', { filePath: `src/${name}`, content: 'x' }]);
  const first = await testAgent(scriptedModel([write('a'), write('b'), says('done')]), {
    mode: 'interactive',
    approver,
  });
  const runner = await first.agent.create({ cwd: first.root });
  await runner.prompt({ text: 'write' });
  await runner.idle();
  await first.agent.close();
  expect(asked).toBe(1);

  const { agent } = await testAgent(scriptedModel([write('c'), says('done')]), {
    store: first.store,
    root: first.root,
    mode: 'interactive',
    approver,
  });
  const later = await agent.create({ cwd: first.root });
  await later.prompt({ text: 'write' });
  await later.idle();

  expect(asked).toBe(1);
  const [saved] = await agent.approvals.list(first.root);
  expect(saved).toMatchObject({ tool: 'edit', pattern: 'src/**' });
  expect(await agent.approvals.remove(saved!.id)).toBe(true);
});

test('where nobody can be asked, what would be asked about is denied and says how to allow it [ACC-24]', async () => {
  const model = scriptedModel([calls(['bash', { command: 'make install' }]), says('cannot')]);
  const { agent, root } = await testAgent(model, { mode: 'headless' });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'install' });
  await runner.idle();

  expect(toolParts(runner)[0]!.state).toMatchObject({
    status: 'error',
    error: expect.stringMatching(/Nobody can be asked here.*--yes/s) as string,
  });
});

test('rules of the user take effect over the defaults, and a deny holds even where everything is allowed [NFR-09]', async () => {
  const model = scriptedModel([
    calls(['read', { filePath: 'secret.txt' }]),
    calls(['bash', { command: 'echo hi' }]),
    says('done'),
  ]);
  const { agent, root } = await testAgent(model, {
    files: { 'secret.txt': 'x' },
    mode: 'headless',
    config: () => agentConfig({ permissions: { read: { 'secret.txt': 'deny' }, bash: { 'echo *': 'allow' } } }),
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });
  await runner.idle();

  expect(toolParts(runner).map(({ state }) => state.status)).toEqual(['error', 'completed']);
});

test('a task is done by a subagent with a context of its own, and can be gone on with [FR-13, FR-32]', async () => {
  const model = scriptedModel([
    (call) => {
      const text = JSON.stringify(call.prompt);
      const isChild = !text.includes('where is the door');
      if (isChild) return says(text.includes('and the window') ? 'south' : 'north');
      if (!text.includes('tool-result'))
        return calls(['task', { description: 'find it', prompt: 'find the door', agent: 'explore' }]);
      return says('It is in the north.');
    },
  ]);
  const { agent, root } = await testAgent(model);
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'where is the door?' });
  const result = await runner.idle();

  expect(result?.text).toBe('It is in the north.');
  const child = model.calls.find(
    ({ prompt }) => JSON.stringify(prompt).includes('find the door') && prompt.length === 2,
  )!;
  expect(JSON.stringify(child.prompt)).not.toContain('where is the door');
  expect(child.tools.map(({ name }) => name).toSorted()).toEqual(['glob', 'grep', 'read']);
  const [part] = toolParts(runner);
  expect(part!.state).toMatchObject({
    status: 'completed',
    output: expect.stringMatching(/^north\n\n\[task ses_/) as string,
  });
  const subtask = runner.state.messages.flatMap(({ parts }) => parts).find(({ type }) => type === 'subtask');
  expect(subtask).toMatchObject({ prompt: 'find the door', description: 'find it', agent: 'explore' });
  expect(await agent.list()).toHaveLength(1);

  const { taskID } = part!.state.status === 'completed' ? (part!.state.metadata as { taskID: string }) : { taskID: '' };
  const again = await agent.open(taskID);
  await again.prompt({ text: 'and the window' });
  expect((await again.idle())?.text).toBe('south');
});

test('a subtask that a prompt asks for is run before the model is asked [FR-13]', async () => {
  const model = scriptedModel([(call) => (lastPrompt(call).includes('look') ? says('seen') : says('done'))]);
  const { agent, root } = await testAgent(model);
  const runner = await agent.create({ cwd: root });

  await runner.prompt({
    text: 'first this',
    parts: [{ type: 'subtask', prompt: 'look', description: 'look around', agent: 'explore' }],
  });
  const result = await runner.idle();

  expect(result?.text).toBe('done');
  expect(toolParts(runner)).toMatchObject([
    { tool: 'task', state: { status: 'completed', output: expect.stringContaining('seen') as string } },
  ]);
});

test('an agent and a file that a prompt mentions become parts of it [ACC-13, FR-17]', async () => {
  const model = scriptedModel([says('done')]);
  const { agent, root } = await testAgent(model, { files: { 'src/a.ts': 'export const a = 1;\n' } });
  const runner = await agent.create({ cwd: root });

  await runner.prompt({ text: 'Let @explore look at @src/a.ts, not at me@example.com.' });
  await runner.idle();

  expect(runner.state.messages[0]!.parts).toMatchObject([
    { type: 'text' },
    { type: 'file', filename: 'src/a.ts', mime: 'text/plain', source: { type: 'file', path: 'src/a.ts' } },
    { type: 'agent', name: 'explore', source: { value: '@explore', start: 4, end: 12 } },
  ]);
  expect(lastPrompt(model.calls[0])).toContain('export const a = 1;');
});

test('a prompt names agent, model, variant, system text and hidden tools; a variant inside the model is taken too [FR-20]', async () => {
  const model = scriptedModel([says('done')]);
  const { agent, root } = await testAgent(model);
  const runner = await agent.create({ cwd: root });

  await runner.prompt({
    text: 'hi',
    agent: 'plan',
    model: { providerID: 'test', modelID: 'scripted', variant: 'high' },
    system: 'Speak like a sailor.',
    tools: { bash: false },
  });
  await runner.idle();

  expect(runner.state.messages[0]!.info).toMatchObject({
    agent: 'plan',
    model: { providerID: 'test', modelID: 'scripted' },
    variant: 'high',
    system: 'Speak like a sailor.',
    tools: { bash: false },
  });
  expect(runner.state.messages[0]!.info).not.toHaveProperty('summary');
  const [call] = model.calls;
  expect(call!.prompt[0]!.content).toMatch(/Speak like a sailor\.$/);
  expect(call!.tools.map(({ name }) => name)).not.toContain('bash');
  expect(call!.reasoningEffort).toBe('high');
});

test('prompts sent while it works wait for the turn, or steer it at its next step, as the sender chooses', async () => {
  let runner = undefined as unknown as SessionRunner;
  const model = scriptedModel([
    async () => {
      await runner.prompt({ text: 'later', delivery: 'queue' });
      await runner.prompt({ text: 'now', delivery: 'steer' });
      return calls(['glob', { pattern: '*' }]);
    },
    says('first done'),
    says('second done'),
  ]);
  const { agent, root } = await testAgent(model);
  runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'begin' });
  await runner.idle();

  const texts = runner.state.messages.flatMap(({ info, parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? [`${info.role}: ${part.text}`] : [])),
  );
  expect(texts).toEqual(['user: begin', 'user: now', 'assistant: first done', 'user: later', 'assistant: second done']);
});

test('what is called off settles every call, and prompts that wait stay until somebody resumes', async () => {
  let runner = undefined as unknown as SessionRunner;
  const model = scriptedModel([
    async () => {
      await runner.prompt({ text: 'waits' });
      return calls(['bash', { command: 'sleep 60' }]);
    },
    says('done'),
  ]);
  const { agent, root } = await testAgent(model);
  runner = await agent.create({ cwd: root });
  const isRunning = new Promise<void>((resolve) =>
    runner.subscribe({
      event: ({ event }) => {
        if (event.type === 'tool-state' && event.state.status === 'running') resolve();
      },
    }),
  );
  await runner.prompt({ text: 'begin' });
  await isRunning;
  await runner.abort();

  expect(runner.isRunning).toBe(false);
  expect(toolParts(runner).map(({ state }) => state.status)).not.toContain('running');
  expect(runner.state.turn?.error?.code).toBe('aborted');
  expect(runner.state.queue).toHaveLength(1);
  runner.resume();
  await runner.idle();
  expect(runner.state.queue).toHaveLength(0);
});

test('the end of a background job is told to the model at the next step', async () => {
  let step = 0;
  const model = scriptedModel([
    calls(['bash', { command: 'echo from the job', background: true }]),
    () => {
      step++;
      return step < 200 && !JSON.stringify(model.calls.at(-1)!.prompt).includes('The background job')
        ? calls(['bash', { command: `echo ${step}` }])
        : says('seen');
    },
  ]);
  const { agent, root } = await testAgent(model);
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });
  await runner.idle();

  expect(JSON.stringify(model.calls.at(-1)!.prompt)).toMatch(
    /The background job job_\w+ .*ended with exit code 0.*from the job/s,
  );
});

test('a broken agent or skill is reported with its path while the others load', async () => {
  const { agent, root } = await testAgent(scriptedModel([]), {
    files: {
      '.dragoman/agents/bad.md': 'no front matter',
      '.dragoman/agents/good.md': '---\ndescription: Does good.\n---\nBe good.\n',
      '.dragoman/skills/bad/SKILL.md': '---\nname: [\n---\n',
    },
  });
  const workplace = await agent.workplace(root);

  expect(workplace.agent('good').prompt).toContain('Be good.');
  expect(workplace.problems.map((problem) => problem.slice(root.length + 1).split(':')[0])).toEqual([
    '.dragoman/agents/bad.md',
    '.dragoman/skills/bad/SKILL.md',
  ]);
  expect(() => workplace.agent('none')).toThrow(
    /There is no agent "none" here. The agents are: build, plan, explore, general, good\./,
  );
});

test('the system prompt holds the instructions of the project, and stays the same while they do', async () => {
  const model = scriptedModel([says('one'), says('two'), says('three')]);
  const { agent, root } = await testAgent(model, { files: { 'AGENTS.md': 'Use tabs.' } });
  const runner = await agent.create({ cwd: root });
  for (const text of ['a', 'b']) {
    await runner.prompt({ text });
    await runner.idle();
  }
  writeFileSync(join(root, 'AGENTS.md'), 'Use two spaces.');
  await runner.prompt({ text: 'c' });
  await runner.idle();

  const systems = model.calls.map(({ prompt }) => prompt[0]!.content as string);
  expect(systems[0]).toContain('Use tabs.');
  expect(systems[1]).toBe(systems[0]);
  expect(systems[2]).toContain('Use two spaces.');
});

test('a folder’s own instructions are told when the first file below it is read', async () => {
  const model = scriptedModel([
    calls(['read', { filePath: 'sub/a.txt' }]),
    calls(['read', { filePath: 'sub/b.txt' }]),
    says('done'),
  ]);
  const { agent, root } = await testAgent(model, {
    files: { 'sub/AGENTS.md': 'Only here.', 'sub/a.txt': 'a', 'sub/b.txt': 'b' },
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'read' });
  await runner.idle();

  const outputs = toolParts(runner).map(
    ({ state }) => state.status === 'completed' && state.output.includes('Only here.'),
  );
  expect(outputs).toEqual([true, false]);
});

test('a session of an earlier process goes on where it was', async () => {
  const first = await testAgent(scriptedModel([says('I am one')]));
  const runner = await first.agent.create({ cwd: first.root });
  await runner.prompt({ text: 'who are you?' });
  await runner.idle();
  await first.agent.close();

  const model = scriptedModel([says('still one')]);
  const { agent } = await testAgent(model, { store: first.store, root: first.root });
  const [listed] = await agent.list({ root: first.root });
  expect(listed).toMatchObject({ id: runner.id, title: 'who are you?' });
  const again = await agent.open(listed!.id);
  await again.prompt({ text: 'and now?' });
  await again.idle();

  expect(model.calls[0]!.prompt.slice(1)).toMatchObject([
    { role: 'user', content: [{ text: 'who are you?' }] },
    { role: 'assistant', content: [{ text: 'I am one' }] },
    { role: 'user', content: [{ text: 'and now?' }] },
  ]);
});

test('an empty prompt is refused, and a session that is not there is named', async () => {
  const { agent, root } = await testAgent(scriptedModel([]));
  const runner = await agent.create({ cwd: root });
  await expect(runner.prompt({})).rejects.toThrow('A prompt needs text, a file or a task.');
  await expect(agent.open('ses_none')).rejects.toThrow(/Session ses_none not found/);
});

test('an agent that is not there is refused, and the session stays as it was and open to others', async () => {
  const { agent, root, store } = await testAgent(scriptedModel([says('hello')]));
  const runner = await agent.create({ cwd: root });
  await runner.close();

  await expect(agent.open(runner.id, { agent: 'nope' })).rejects.toThrow(/There is no agent "nope" here/);

  expect((await agent.read(runner.id)).info.agent).toBe('build');
  const other = await testAgent(scriptedModel([]), { store, root });
  expect((await other.agent.open(runner.id, { agent: 'plan' })).state.info.agent).toBe('plan');
});

test('a session can be read while it is open, and is removed with its outputs once it is not', async () => {
  const { agent, root, folder } = await testAgent(scriptedModel([says('hello')]));
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'say hello' });
  await runner.idle();
  const outputs = join(folder, 'outputs', runner.id);
  mkdirSync(outputs, { recursive: true });
  writeFileSync(join(outputs, 'call_1.txt'), 'much');

  expect((await agent.read(runner.id)).messages).toEqual(runner.state.messages);
  await expect(agent.remove(runner.id)).rejects.toThrow(`The session ${runner.id} is open here`);

  await runner.close();
  await agent.remove(runner.id);
  expect(existsSync(outputs)).toBe(false);
  expect(await agent.list()).toEqual([]);
  await expect(agent.read(runner.id)).rejects.toThrow(`Session ${runner.id} not found.`);
});

test('whoever watches is told of every session as it is opened, also of a task', async () => {
  const seen: (string | undefined)[] = [];
  const model = scriptedModel([
    calls(['task', { description: 'Look', prompt: 'look around', agent: 'explore' }]),
    says('looked'),
    says('done'),
  ]);
  const { agent, root } = await testAgent(model, { onSession: ({ state }) => seen.push(state.info.parentID) });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });
  await runner.idle();

  expect(seen).toEqual([undefined, runner.id]);
});
