import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolPart } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { testAgent } from '../open-agent.fixture.ts';
import { calls, says, scriptedModel } from '../scripted-model.fixture.ts';
import type { ApprovalAnswer, ApprovalRequest } from './approval.ts';
import type { AskMode } from './decide-call.ts';

interface Call {
  tool: string;
  input: Record<string, unknown>;
  mode?: AskMode;
  answer?: ApprovalAnswer;
  files?: Record<string, string>;
  /** What happens in the folder while the person thinks. */
  meanwhile?: (root: string) => void;
}

/** One call of a tool in a folder with a README, and what a person was asked. */
async function called({ tool, input, mode = 'interactive', answer = { decision: 'reject' }, ...given }: Call) {
  const requests: ApprovalRequest[] = [];
  const { agent, root } = await testAgent(scriptedModel([calls([tool, input]), says('done')]), {
    mode,
    files: { 'README.md': 'read me\n', '.env': 'KEY=mine\n', ...given.files },
    approver: async (request) => {
      requests.push(request);
      given.meanwhile?.(root);
      return answer;
    },
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });
  await runner.idle();
  const part = runner.state.messages
    .flatMap(({ parts }) => parts)
    .find((each): each is ToolPart => each.type === 'tool')!;
  return { requests, root, state: part.state, readme: readFileSync(join(root, 'README.md'), 'utf8') };
}

const patchText = '*** Begin Patch\n*** Delete File: README.md\n*** End Patch';

test('who is asked about a change sees it before it is made [ACC-23]', async () => {
  const { requests, readme } = await called({ tool: 'apply-patch', input: { patchText } });

  expect(requests).toMatchObject([{ diff: '--- README.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-read me\n' }]);
  expect(readme).toBe('read me\n');
});

test('what stands in a file outside, or in one with secrets, is not shown with the question [ACC-23]', async () => {
  const outside = join(tempFolder(), 'notes.txt');
  writeFileSync(outside, 'mine\n');
  for (const path of [outside, '.env']) {
    const deleted = `*** Begin Patch\n*** Delete File: README.md\n*** Delete File: ${path}\n*** End Patch`;
    const { requests } = await called({ tool: 'apply-patch', input: { patchText: deleted } });
    expect(requests).toHaveLength(1);
    expect(JSON.stringify(requests)).not.toContain('mine');
  }
});

test('a change that would fail is asked about without a diff', async () => {
  const input = { filePath: 'README.md', oldString: 'not there', newString: 'x' };
  const { requests } = await called({ tool: 'edit', input });

  expect(requests).toHaveLength(1);
  expect(requests[0]).not.toHaveProperty('diff');
});

test('what is not allowed already is told apart from what is [ACC-23]', async () => {
  const { requests } = await called({
    tool: 'bash',
    input: { command: 'ls && touch asked.txt && rm -rf nonexist', description: 'x' },
  });

  expect(requests[0]!.subjects.map(({ value }) => value)).toEqual(['ls', 'touch asked.txt', 'rm -rf nonexist']);
  expect(requests[0]!.asked!.map(({ value }) => value)).toEqual(['touch asked.txt', 'rm -rf nonexist']);
});

test('a call that is refused because nobody can be asked says so in its metadata', async () => {
  const { requests, state } = await called({ tool: 'apply-patch', input: { patchText }, mode: 'headless' });

  expect(requests).toEqual([]);
  expect(state).toMatchObject({ status: 'error', metadata: { denied: true, nobodyToAsk: true } });
});

test('without anybody to ask, an interactive session denies what it would ask about, and says so [ACC-24]', async () => {
  const model = scriptedModel([calls(['apply-patch', { patchText }]), says('done')]);
  const { agent, root } = await testAgent(model, { mode: 'interactive', files: { 'README.md': 'read me\n' } });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });
  await runner.idle();

  const part = runner.state.messages.flatMap(({ parts }) => parts).find((each) => each.type === 'tool');
  expect(part?.state).toMatchObject({
    status: 'error',
    error: expect.stringContaining('Nobody can be asked here, so it was not run.') as string,
    metadata: { denied: true, nobodyToAsk: true },
  });
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe('read me\n');
});

const BUILD = '#!/bin/sh\n# NOTE keep\n# @@\necho build\n';
const patched = (...lines: string[]) => ({ patchText: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

test.each<[string, string, Record<string, unknown>]>([
  ['an edit', 'edit', { filePath: 'build.sh', oldString: '@@', newString: 'touch OWNED' }],
  ['an edit of every place', 'edit', { filePath: 'build.sh', oldString: '@@', newString: 'x', replaceAll: true }],
  ['a patch', 'apply-patch', patched('*** Update File: build.sh', '-echo build', '+echo built')],
  ['a patch that moves', 'apply-patch', patched('*** Update File: build.sh', '*** Move to: run.sh', ' echo build')],
  ['a patch that deletes', 'apply-patch', patched('*** Delete File: build.sh')],
])('%s is made as it was shown, or not at all [ACC-23]', async (_, tool, input) => {
  const files = { 'build.sh': BUILD };
  const answer = { decision: 'once' as const };
  const moved = await called({
    tool,
    input,
    files,
    answer,
    meanwhile: (root) => writeFileSync(join(root, 'build.sh'), BUILD.replace('# @@', '@@')),
  });
  expect(moved.requests).toMatchObject([{ diff: expect.stringContaining('--- build.sh\n') as string }]);
  expect(moved.state).toMatchObject({
    status: 'error',
    error:
      'build.sh changed after a person allowed this change, so nothing was written. Read it again, then make the change.',
  });
  expect(readFileSync(join(moved.root, 'build.sh'), 'utf8')).toBe('#!/bin/sh\n# NOTE keep\n@@\necho build\n');

  expect(await called({ tool, input, files, answer })).toMatchObject({ state: { status: 'completed' } });
});

test.each<[string, string, string, string]>([
  ['an escape too many', '# note\n# two\n', String.raw`# note\n# two`, String.raw`# prints a line\ntouch OWNED #\n`],
  ['another indentation', '  a:\n    b\n', 'a:\n  b\n', 'a:\n  c\n'],
  ['spaces at line ends', 'a  \nb\n', 'a\nb\n', 'a\nc\n'],
  ['other quotes', 'say “hi”\n', 'say "hi"', 'say "ho"'],
])('where no change is shown, an edit by %s is not made [ACC-23]', async (_, before, oldString, newString) => {
  const outside = join(tempFolder(), 'notes.txt');
  writeFileSync(outside, before);
  const edit = (filePath: string) =>
    called({
      tool: 'edit',
      input: { filePath, oldString, newString },
      answer: { decision: 'once' },
      files: { in: before },
    });

  const { requests, state } = await edit(outside);
  expect(requests).toHaveLength(1);
  expect(requests[0]).not.toHaveProperty('diff');
  expect(state).toMatchObject({ status: 'error', error: expect.stringContaining('was not found') as string });
  expect(readFileSync(outside, 'utf8')).toBe(before);

  const shown = await edit('in');
  expect(shown.requests).toMatchObject([{ diff: expect.stringContaining('+++ in\n') as string }]);
  expect(shown.state).toMatchObject({ status: 'completed', metadata: { diff: shown.requests[0]!.diff } });
});

test('where no change is shown, a patch whose lines differ from the file in spaces is not made [ACC-23]', async () => {
  const outside = join(tempFolder(), 'notes.txt');
  writeFileSync(outside, 'a  \nb\n');
  const patch = (...lines: string[]) =>
    called({
      tool: 'apply-patch',
      input: patched(`*** Update File: ${outside}`, ...lines),
      answer: { decision: 'once' },
    });

  expect((await patch(' a', '-b', '+c')).state).toMatchObject({ status: 'error' });
  expect(readFileSync(outside, 'utf8')).toBe('a  \nb\n');
  expect((await patch(' a  ', '-b', '+c')).state).toMatchObject({ status: 'completed' });
  expect(readFileSync(outside, 'utf8')).toBe('a  \nc\n');
});

test('a change that could not be made when somebody was asked is not made later [ACC-23]', async () => {
  const { requests, state, root } = await called({
    tool: 'edit',
    input: { filePath: 'build.sh', oldString: '@@', newString: 'touch OWNED' },
    answer: { decision: 'once' },
    files: { 'build.sh': 'echo build\n' },
    meanwhile: (folder) => writeFileSync(join(folder, 'build.sh'), BUILD),
  });

  expect(requests[0]).not.toHaveProperty('diff');
  expect(state).toMatchObject({ status: 'error', error: expect.stringMatching(/^build\.sh changed/) as string });
  expect(readFileSync(join(root, 'build.sh'), 'utf8')).toBe(BUILD);
});

test('a text that is only written in another encoding is allowed like any other change', async () => {
  const root = tempFolder();
  const filePath = join(root, 'a.txt');
  writeFileSync(filePath, Buffer.from('gr\u00f6\u00dfer\n', 'latin1'));
  const model = scriptedModel([
    calls(['read', { filePath: 'a.txt' }]),
    calls(['write', { filePath: 'a.txt', content: 'gr\u00f6\u00dfer\n' }]),
    says('done'),
  ]);
  const { agent } = await testAgent(model, {
    mode: 'interactive',
    root,
    approver: async () => ({ decision: 'once' }),
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });
  await runner.idle();

  expect(readFileSync(filePath, 'utf8')).toBe('gr\u00f6\u00dfer\n');
});

test('a question that is too long to be shown whole has no diff, and is answered for its arguments [ACC-23]', async () => {
  const long = 'x'.repeat(120_000);
  const edit = (oldString: string, newString: string) =>
    called({
      tool: 'edit',
      input: { filePath: 'long.txt', oldString, newString },
      answer: { decision: 'once' },
      files: { 'long.txt': `${long}\n# note\n# two\n` },
    });

  const escaped = await edit(String.raw`${long}\n# note`, String.raw`${long}\ntouch OWNED`);
  expect(escaped.requests[0]).not.toHaveProperty('diff');
  expect(escaped.state).toMatchObject({ status: 'error' });

  const exact = await edit(`${long}\n# note`, `${long}\n# Note`);
  expect(exact.requests[0]).not.toHaveProperty('diff');
  expect(exact.state).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(exact.root, 'long.txt'), 'utf8')).toBe(`${long}\n# Note\n# two\n`);
});
