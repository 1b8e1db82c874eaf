import { expect, test } from 'vitest';
import { askedInText } from './asked-in-text.ts';
import { askedAbout } from './asked-question.ts';

const bash = (input: Record<string, unknown>) => ({ title: 'bash', toolUseId: 'c', call: { name: 'bash', input } });

test.each([
  ['a command', bash({ command: 'cat אבג > דהו' })],
  ['a command that a script of Arabic is in', bash({ command: 'cp ملف نسخة' })],
  ['an argument', bash({ command: 'ls', workdir: '/אבג/דהו' })],
  ['the name of a file', { title: 'Edit', diffs: [{ path: 'אבג/דהו', unified: '@@ -1 +1 @@\n-a\n+b\n' }] }],
  ['a line of a change', { title: 'Edit', diffs: [{ path: 'a', unified: '@@ -1 +1 @@\n-a\n+if (א < ב)\n' }] }],
  [
    'a file that is touched',
    { title: 'x', question: { tool: 'read', subjects: [{ kind: 'path' as const, value: 'א/ב' }] } },
  ],
])('%s that letters from right to left turn around is not whole as a text', (_what, asked) => {
  expect(askedAbout(asked).isWhole).toBe(true);
  expect(askedInText(asked).isWhole).toBe(false);
});

test('prose from right to left is whole as a text, and so is everything from left to right', () => {
  expect(askedInText(bash({ command: 'npm test', description: 'תריץ את הבדיקות' })).isWhole).toBe(true);
  expect(askedInText(bash({ command: 'cat 文件 > другой' })).isWhole).toBe(true);
});
