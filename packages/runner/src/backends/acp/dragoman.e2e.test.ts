import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ScriptedAnswer, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { testBackend } from '../../backend/tested-backend.fixture.ts';
import { SILENT_LOG } from '../../runner-log.ts';
import { AcpBackend } from './acp-backend.ts';

const PROGRAM = fileURLToPath(new URL('../../../../cli/bin/dragoman.js', import.meta.url));

test('our own agent answers through ACP with the offline model: a call, its result and live text [UAP-17, UAP-18]', async () => {
  const tested = dragoman({});
  mkdirSync(join(tested.session.cwd, 'src'));
  writeFileSync(
    join(tested.session.cwd, 'src/retry.ts'),
    '/** How often a failed call is retried. */\nexport const RETRIES = 3;\n',
  );

  await tested.backend.start(tested.session);
  expect(await tested.prompt('How often is a failed call retried?')).toEqual({ reason: 'done' });

  const blocks = tested.messages().flatMap(({ content }) => content);
  const use = blocks.find((block) => block.type === 'tool_use');
  expect(use).toMatchObject({ name: 'code-search', kind: 'search' });
  expect(blocks).toContainEqual(expect.objectContaining({ type: 'tool_result', tool_use_id: use!.id }));
  expect(blocks.findLast((block) => block.type === 'text')?.text).toContain('src/retry.ts');
  expect(tested.events.filter(({ type }) => type === 'block-delta').length).toBeGreaterThan(1);
  await expect(tested.backend.setModel('nothing/such')).rejects.toThrow(
    /has no model "nothing\/such"; it has: .*offline/,
  );
  await tested.backend.setMode('plan');
  expect(await tested.until('agent-updated', ({ mode }) => mode === 'plan')).toBeDefined();
});

test('an edit of our own agent is asked about with its diff, and made when it is allowed', async () => {
  const provider = await startFakeProvider();
  const tested = dragoman({
    providers: { scripted: { type: 'openai-chat', baseUrl: provider.url, apiKey: 'key', models: ['m'] } },
    routes: { default: ['scripted/m'] },
  });
  provider.answer(
    answer({ tool_calls: [call('write', { filePath: 'a.txt', content: 'one\n' })] }, 'tool_calls'),
    answer({ content: 'Written.' }, 'stop'),
  );

  await tested.backend.start(tested.session);
  const turn = tested.prompt('Write a.txt');
  const approval = await tested.asked();
  expect(approval).toMatchObject({
    question: { tool: 'edit', subjects: [{ kind: 'path', value: 'a.txt' }] },
    diffs: [{ path: 'a.txt', unified: '--- /dev/null\n+++ a.txt\n@@ -0,0 +1,1 @@\n+one\n' }],
  });
  const allow = approval.options.find(({ kind }) => kind === 'allow_once')!;
  await tested.backend.answer(approval.id, { type: 'selected', optionId: allow.id });

  expect(await turn).toEqual({ reason: 'done' });
  expect(readFileSync(join(tested.session.cwd, 'a.txt'), 'utf8')).toBe('one\n');
  expect(tested.messages().flatMap(({ content }) => content)).toMatchObject([
    { type: 'tool_use', name: 'write', kind: 'edit' },
    { type: 'tool_result', diffs: [{ path: 'a.txt', unified: expect.stringContaining('+one') as string }] },
    { type: 'text', text: 'Written.' },
    ...tested
      .messages()
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'usage'),
  ]);
});

function dragoman(config: object) {
  const [home, cwd] = [tempFolder(), tempFolder()];
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
  const setup: AgentSetup = {
    name: 'dragoman',
    kind: 'acp',
    command: [process.execPath, '--conditions=@dragoman/source', PROGRAM, 'acp'],
    env: { DRAGOMAN_HOME: home, NO_COLOR: '1' },
    options: {},
    folder: home,
    log: SILENT_LOG,
  };
  return testBackend(new AcpBackend(setup), cwd);
}

function call(name: string, input: object): object {
  return { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function answer(delta: object, reason: string): ScriptedAnswer {
  const line = (choice: object) => `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`;
  return {
    body: [
      line({ delta: { role: 'assistant', ...delta } }),
      line({ delta: {}, finish_reason: reason }),
      'data: [DONE]\n\n',
    ],
  };
}
