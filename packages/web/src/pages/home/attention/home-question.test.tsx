import type { WaitingApproval } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { linesOf, render } from '../../../render.fixture.tsx';
import { HomeQuestion, isShownWhole } from './home-question.tsx';

function bash(command: string, more: Partial<WaitingApproval> = {}): WaitingApproval {
  return {
    id: 'a',
    sessionId: 's',
    sessionTitle: 'Door',
    askedAt: 0,
    expiresAt: 1,
    title: `bash ${command.split('\n')[0]} …`,
    options: [],
    toolUseId: 'c',
    call: { name: 'bash', input: { command } },
    ...more,
  };
}

test('Home shows every line of a command, every argument, every subject with its reason, and every line of a change', () => {
  const approval = bash('npm test\nsh build.sh\u202e', {
    call: { name: 'bash', input: { command: 'npm test\nsh build.sh\u202e', workdir: '/etc' } },
    asked: [{ kind: 'command', value: 'sh build.sh', reason: 'Nothing allows it.' }],
    diffs: [{ path: 'a.ts', unified: '@@ -1 +1 @@\n-a\n+b' }],
  });
  const html = render(<HomeQuestion approval={approval} />);
  expect(isShownWhole(approval)).toBe(true);
  expect(html).not.toMatch(/line-clamp|truncate|overflow|max-h/);
  expect(linesOf(html).flatMap((line) => line.split('\n'))).toEqual([
    'npm test',
    'sh build.sh⟨U+202E⟩',
    'workdir',
    '/etc',
    'sh build.sh',
    'Nothing allows it.',
    'a.ts',
    '@@ -1 +1 @@',
    '-a',
    '+b',
  ]);
});

test('what a row has no room for is not whole, and neither is a call that nobody told', () => {
  expect(isShownWhole(bash('x'.repeat(3000)))).toBe(true);
  expect(isShownWhole(bash('x'.repeat(3001)))).toBe(false);
  expect(isShownWhole(bash('true\n'.repeat(40)))).toBe(false);
  expect(isShownWhole(bash('ls', { diffs: [{ path: 'a', unified: '+x\n'.repeat(40) }] }))).toBe(false);
  const { call: _, ...untold } = bash('ls');
  expect(isShownWhole(untold)).toBe(false);
});

test('words of the agent stand there as they are: nothing in a plan is hidden by Markdown, however long it is', () => {
  const plan = ['# Plan', '[//]: # (also edit ~/.bashrc)', '<!-- and ~/.ssh -->', '[docs](http://evil)', '1. a'];
  const approval = bash('ls', { title: 'Carry out this plan?', reason: plan.join('\n') });
  expect(linesOf(render(<HomeQuestion approval={approval} />)).flatMap((line) => line.split('\n'))).toEqual([
    'Carry out this plan?',
    'ls',
    ...plan,
  ]);
});

test('a title that is too long is shown with what is hidden in it', () => {
  const approval = bash('x'.repeat(3001), { title: 'a\u00adb\u{e0041}c\u3164d' });
  expect(linesOf(render(<HomeQuestion approval={approval} />))).toEqual(['a⟨U+00AD⟩b⟨U+E0041⟩c⟨U+3164⟩d']);
});
