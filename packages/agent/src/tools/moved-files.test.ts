import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolPart } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { agentConfig, testAgent } from '../open-agent.fixture.ts';
import type { ApprovalRequest } from '../permissions/approval.ts';
import { calls, says, scriptedModel } from '../scripted-model.fixture.ts';

interface Move {
  tool: string;
  input: Record<string, unknown>;
  /** The answers, one after the other. What moves does so before the first. */
  answers?: ('once' | 'reject')[];
  /** What becomes a link to a folder outside. */
  moves?: string;
}

/** A call that waits for approval while a folder of the project becomes a link to one outside. */
async function whileMoved({ tool, input, answers = ['once', 'reject'], moves = 'src' }: Move) {
  const root = realpathSync(tempFolder());
  const outside = realpathSync(tempFolder());
  for (const folder of [join(root, 'src'), outside]) {
    mkdirSync(join(folder, 'deep'), { recursive: true });
    writeFileSync(join(folder, 'a.txt'), 'old\n');
    writeFileSync(join(folder, 'deep/b.txt'), 'old\n');
  }
  const requests: ApprovalRequest[] = [];
  const steps = [
    calls(['read', { filePath: 'src/a.txt' }], ['read', { filePath: 'src/deep/b.txt' }]),
    calls([tool, input]),
    says('done'),
  ];
  const { agent } = await testAgent(scriptedModel(steps), {
    root,
    mode: 'interactive',
    config: () => agentConfig({ permissions: { read: { '*.md': 'ask' }, grep: 'ask', glob: 'ask' } }),
    approver: async (request) => {
      if (requests.push(request) === 1) {
        renameSync(join(root, moves), join(root, 'moved'));
        symlinkSync(outside, join(root, moves));
      }
      return { decision: answers[requests.length - 1] ?? 'reject' };
    },
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });
  await runner.idle();
  const part = runner.state.messages
    .flatMap(({ parts }) => parts)
    .findLast((each): each is ToolPart => each.type === 'tool')!;
  const untouched =
    readFileSync(join(outside, 'a.txt'), 'utf8') === 'old\n' &&
    readFileSync(join(outside, 'deep/b.txt'), 'utf8') === 'old\n' &&
    !existsSync(join(outside, 'new.txt')) &&
    !existsSync(join(outside, 'x'));
  return { requests, outside, untouched, state: part.state };
}

const patch = (...lines: string[]) => ({ patchText: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

describe('what was approved is what is done: a folder that became a link out of the project', () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    ['write a new file', 'write', { filePath: 'src/new.txt', content: 'x' }, 'new.txt'],
    ['write a file in new folders', 'write', { filePath: 'src/x/y/new.txt', content: 'x' }, 'x/y/new.txt'],
    ['write over a file', 'write', { filePath: 'src/a.txt', content: 'x' }, 'a.txt'],
    ['edit', 'edit', { filePath: 'src/a.txt', oldString: 'old', newString: 'new' }, 'a.txt'],
    ['add by a patch', 'apply-patch', patch('*** Add File: src/new.txt', '+x'), 'new.txt'],
    ['delete by a patch', 'apply-patch', patch('*** Delete File: src/deep/b.txt'), 'deep/b.txt'],
    [
      'move by a patch',
      'apply-patch',
      patch('*** Update File: src/a.txt', '*** Move to: src/new.txt', '@@', '-old', '+new'),
      'new.txt',
    ],
  ])('is not where the call does its work: %s', async (_, tool, input, file) => {
    const { requests, outside, untouched, state } = await whileMoved({ tool, input });

    expect(untouched).toBe(true);
    expect(requests).toHaveLength(2);
    expect(requests[1]!.asked!.map(({ value }) => value)).toContain(join(outside, file));
    expect(requests[1]!.reason).toContain(join(outside, file));
    expect(state).toMatchObject({ status: 'error', error: 'The user does not want this call to run.' });
  });

  test('is where it works when a person said so, knowing the real place', async () => {
    const input = { filePath: 'src/new.txt', content: 'x' };
    const { outside, state } = await whileMoved({ tool: 'write', input, answers: ['once', 'once'] });

    expect(state.status).toBe('completed');
    expect(readFileSync(join(outside, 'new.txt'), 'utf8')).toBe('x');
  });

  test.each<[string, Record<string, unknown>]>([
    ['grep', { pattern: 'old', path: 'src' }],
    ['glob', { pattern: '**/*.txt', path: 'src' }],
    ['read', { filePath: 'src/notes.md' }],
    ['bash', { command: 'cp a.txt new.txt', workdir: 'src' }],
    ['bash', { command: 'cp src/a.txt src/new.txt' }],
    ['bash', { command: 'echo x > src/new.txt' }],
  ])('is not looked into or worked in by %s %j', async (tool, input) => {
    const { requests, outside, untouched, state } = await whileMoved({ tool, input });

    expect(untouched).toBe(true);
    expect(requests).toHaveLength(2);
    expect(requests[1]!.subjects.some(({ value }) => value.startsWith(outside))).toBe(true);
    expect(state).toMatchObject({ status: 'error', error: 'The user does not want this call to run.' });
  });
});

test('a call does not run in another folder that came in place of the project', async () => {
  const base = realpathSync(tempFolder());
  const [root, outside] = [join(base, 'app'), join(base, 'other')];
  for (const folder of [root, outside]) mkdirSync(folder);
  const { agent } = await testAgent(
    scriptedModel([calls(['write', { filePath: 'new.txt', content: 'x' }]), says('done')]),
    {
      root,
      mode: 'interactive',
      approver: async () => {
        renameSync(root, join(base, 'moved'));
        symlinkSync(outside, root);
        return { decision: 'once' };
      },
    },
  );
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });
  await runner.idle();

  expect(existsSync(join(outside, 'new.txt'))).toBe(false);
  const part = runner.state.messages.flatMap(({ parts }) => parts).find((each) => each.type === 'tool');
  expect(part?.state).toMatchObject({
    error: 'The folder of the project was replaced while this call waited, so it was not run.',
  });
});
