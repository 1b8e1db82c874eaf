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
}

/** One call of a tool in a folder with a README, and what a person was asked. */
async function called({ tool, input, mode = 'interactive', answer = { decision: 'reject' } }: Call) {
  const requests: ApprovalRequest[] = [];
  const { agent, root } = await testAgent(scriptedModel([calls([tool, input]), says('done')]), {
    mode,
    files: { 'README.md': 'read me\n', '.env': 'KEY=mine\n' },
    approver: async (request) => {
      requests.push(request);
      return answer;
    },
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });
  await runner.idle();
  const part = runner.state.messages
    .flatMap(({ parts }) => parts)
    .find((each): each is ToolPart => each.type === 'tool')!;
  return { requests, state: part.state, readme: readFileSync(join(root, 'README.md'), 'utf8') };
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
