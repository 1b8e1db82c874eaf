import type { Approval } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { approvalNotice, askedLine } from './notice-text.ts';

const OPTIONS: Approval['options'] = [
  { id: 'y', name: 'Allow once', kind: 'allow_once' },
  { id: 'a', name: 'Always allow', kind: 'allow_always' },
  { id: 'n', name: 'Reject', kind: 'reject_once' },
];

function notice(approval: Partial<Approval>) {
  const asked = { id: 'apr', title: 'bash …', toolUseId: 'c', options: OPTIONS, ...approval };
  const { text, buttons = [] } = approvalNotice('en', {
    sessionId: 's',
    sessionTitle: 'Door',
    approval: asked,
    decided: undefined,
  });
  return { text, labels: buttons.flat().map(({ label }) => label) };
}

const bash = (command: string, more: object = {}): Partial<Approval> => ({
  title: `bash ${command.split('\n')[0]} …`,
  call: { name: 'bash', input: { command, ...more } },
});

test('a question elsewhere is told with every line of its command, and with what is hidden in it', () => {
  const { text, labels } = notice({ ...bash('npm test\nsh `x`\u200b', { workdir: '/etc' }), reason: 'It *asks*.' });
  expect(text).toBe('**Door** asks:\n\n```\nnpm test\nsh `x`⟨U+200B⟩\nworkdir: /etc\n```\n\nIt \\*asks\\*\\.');
  expect(labels).toEqual(['Allow once', 'Always allow', 'Reject', 'Show this session']);
});

test('where a note has no room for all of it there is a no, and no yes', () => {
  const cut = ['Reject', 'Show this session'];
  expect(notice(bash(`ls ${'x'.repeat(3000)}`)).labels).toEqual(cut);
  expect(notice({ ...bash('ls'), diffs: [{ path: 'a', unified: '+x\n'.repeat(1000) }] }).labels).toEqual(cut);
  expect(notice({ title: 'bash ls' }).labels).toEqual(cut);
  expect(notice(bash('cat אבג > דהו')).labels).toEqual(cut);
  expect(notice(bash(`ls ${'x'.repeat(3000)}`)).text).toContain('Too long to show here in full.');
});

test('a name that has no room on its button stands in the text', () => {
  const name = 'Always allow in this project: bash npm *, bash git push *';
  expect(notice({ ...bash('ls'), options: [{ id: 'a', name, kind: 'allow_always' }] }).text).toContain(
    String.raw`Always allow in this project\: bash npm \*\, bash git push \*`,
  );
});

test('what "always" would save stands beside the button for it, and neither where it does not fit', () => {
  const question = { tool: 'bash', subjects: [{ kind: 'command' as const, value: 'npm test' }] };
  const asks = (pattern: string) => notice({ ...bash('npm test'), question, always: [{ tool: 'bash', pattern }] });
  expect(asks('npm *').text).toContain(String.raw`“Always” saves the rule: bash npm \*`);
  expect(asks('npm *').labels).toEqual([
    'Allow once',
    'Always allow',
    'Reject',
    'Always allow in this project',
    'Show this session',
  ]);
  expect(asks('x'.repeat(3000)).labels).toEqual(['Reject', 'Show this session']);
});

test('a line of a list says all of a question, or nothing', () => {
  const approval = (command: string) => ({ id: 'a', title: 'bash', options: OPTIONS, ...bash(command) });
  expect(askedLine(approval('npm test'), 100)).toBe('npm test');
  expect(askedLine(approval('npm test\nrm x'), 100)).toBeUndefined();
  expect(askedLine(approval(`npm test${' '.repeat(20)}; rm x`), 100)).toBeUndefined();
  expect(askedLine(approval('x'.repeat(101)), 100)).toBeUndefined();
});
