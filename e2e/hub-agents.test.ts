import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { approvalOf, calls, projectWith, says, serveHub, toldBy, turnsOver, viewUntil } from './hub.fixture.ts';
import { serveOpenCode } from './open-code.fixture.ts';

test('OpenCode works under the hub with our gateway as its provider: a whole turn with a command that a person allows [UAP-01, UAP-02, UAP-17]', async () => {
  const provider = await startFakeProvider();
  const { owner } = await serveOpenCode(provider);
  const folder = tempFolder();

  provider.answer(
    calls('bash', { command: 'echo hello > said.txt; cat said.txt', description: 'Says hello' }),
    says('It printed ', 'hello.'),
  );
  const { id: sessionId } = await owner.createSession({
    agent: 'opencode',
    folder,
    prompt: { text: 'Say hello with a command' },
  });
  const approval = await approvalOf(owner, sessionId);
  expect(approval).toMatchObject({
    title: 'echo hello > said.txt; cat said.txt',
    options: [{ id: 'once' }, { id: 'always' }, { id: 'reject' }],
  });
  expect((await owner.listApprovals()).approvals).toMatchObject([{ id: approval.id, sessionId }]);
  expect(existsSync(join(folder, 'said.txt'))).toBe(false);
  await owner.decideApproval({ sessionId, approvalId: approval.id, optionId: 'once' });

  const view = await turnsOver(owner, sessionId);
  expect(toldBy(view)).toEqual([
    'text Say hello with a command',
    'tool_use bash Success',
    'approval',
    'tool_result hello\n',
    'text It printed hello.',
  ]);
  expect(view.turn).toMatchObject({ reason: 'done' });
  expect(view.capabilities).toMatchObject({ resume: true, approvals: true });
  expect(provider.requests.every(({ path }) => path === '/v1/chat/completions')).toBe(true);
});

test('a shell script of ten lines is an agent by one entry in the configuration [UAP-01, UAP-23, UAP-25, UAP-26]', async () => {
  const home = projectWith({
    'agent.sh': `#!/bin/sh
read -r question
echo "思考: 用户想要查看文件..."
echo "执行: ls ./src"
echo "结果:"
ls ./src
echo "回答: 目录中包含 index.ts 和 utils.ts。($question)"
`,
  });
  const { owner } = await serveHub({ agents: { mine: { backend: 'text', command: ['./agent.sh'] } } }, { home });
  const folder = projectWith({ 'src/index.ts': '', 'src/utils.ts': '' });

  const { id: sessionId } = await owner.createSession({ agent: 'mine', folder, prompt: { text: '有什么？' } });
  const view = await turnsOver(owner, sessionId);

  expect(toldBy(view)).toEqual([
    'text 有什么？',
    'thinking 用户想要查看文件...',
    'tool_use ls Success',
    'tool_result index.ts\nutils.ts',
    'text 目录中包含 index.ts 和 utils.ts。(有什么？)',
  ]);

  // The configuration is read again while it runs; an agent that is named wrongly is refused with those that there are.
  writeFileSync(
    join(home, 'dragoman.json'),
    JSON.stringify({ agents: { other: { backend: 'text', command: ['./agent.sh'], title: 'The other one' } } }),
  );
  const names = async () => (await owner.listRunners()).runners[0]!.agents.map(({ name }) => name);
  await expect.poll(names, { timeout: 60_000 }).toContain('other');
  await expect(owner.createSession({ agent: 'mine', folder })).rejects.toMatchObject({
    code: 'bad-request',
    message: expect.stringMatching(/has no agent "mine"; it offers: native, other, chat/) as string,
  });
});

test('Gemini is an agent as soon as its command is there: no entry, one prompt [UAP-01, UAP-21]', async () => {
  const program = fileURLToPath(new URL('../packages/cli/bin/dragoman.js', import.meta.url));
  // Another agent that speaks the same protocol, under its name, with a data folder of its own.
  const bin = projectWith({
    gemini: `#!/bin/sh\n[ "$1" = --acp ] && DRAGOMAN_HOME=${tempFolder()} exec ${process.execPath} --conditions=@dragoman/source ${program} acp\n`,
  });
  const { owner } = await serveHub({}, { env: { PATH: `${bin}:${process.env['PATH']}` } });
  const { runners } = await owner.listRunners();
  expect(runners[0]!.agents.find(({ name }) => name === 'gemini')).toEqual({
    name: 'gemini',
    backend: 'acp',
    title: 'Gemini CLI',
    isPreset: true,
    capabilities: expect.objectContaining({ approvals: true }) as object,
  });

  const folder = projectWith({ 'notes.txt': 'nothing' });
  const { id: sessionId } = await owner.createSession({ agent: 'gemini', folder, prompt: { text: 'Hello?' } });
  const view = await turnsOver(owner, sessionId);

  expect(view.turn).toMatchObject({ reason: 'done' });
  expect(toldBy(view).at(-1)).toMatch(/^text /);
  expect(view.modes.map(({ id }) => id)).toEqual(['build', 'plan']);
});

test('a model of an Ollama is an agent without any setup of its own, and its words are read as they are written [UAP-18, UAP-19]', async () => {
  const ollama = await startFakeProvider();
  const { owner } = await serveHub({ providers: { ollama: { type: 'ollama', baseUrl: ollama.url } } });
  const folder = tempFolder();
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  const line = (message: object, more: object = { done: false }) =>
    `${JSON.stringify({ model: 'qwen3', message: { role: 'assistant', ...message }, ...more })}\n`;
  const list = { body: JSON.stringify({ models: [{ name: 'qwen3' }, { name: 'gemma4' }] }) };
  ollama.answer(list);
  const { runners } = await owner.listRunners();
  expect(runners[0]!.agents.find(({ name }) => name === 'ollama')).not.toHaveProperty('problem');

  const { id: sessionId } = await owner.createSession({ agent: 'ollama', folder });
  await viewUntil(owner, sessionId, ({ agentState }) => agentState === 'ready');
  ollama.answer({
    headers: { 'content-type': 'application/x-ndjson' },
    body: [
      line({ thinking: 'They greet me.' }),
      line({ content: 'Hello,' }),
      goOn,
      line({ content: ' you.' }),
      line({ content: '' }, { done: true, done_reason: 'stop', prompt_eval_count: 7, eval_count: 3 }),
    ],
  });
  await owner.sendPrompt({ sessionId, text: 'Hi' });
  const half = await viewUntil(owner, sessionId, (view) => toldBy(view).includes('text Hello,'));
  expect(half.messages.at(-1)!.blocks.at(-1)).toMatchObject({ isOpen: true });
  resolve();

  const view = await turnsOver(owner, sessionId);
  expect(toldBy(view)).toEqual(['text Hi', 'thinking They greet me.', 'text Hello, you.']);
  expect(view.usage).toMatchObject({ input_tokens: 7, output_tokens: 3 });
  expect([view.models.map(({ id }) => id), view.model]).toEqual([['qwen3', 'gemma4'], 'qwen3']);
  expect(ollama.requests.at(-1)).toMatchObject({ path: '/api/chat', body: { model: 'qwen3', stream: true } });
});
