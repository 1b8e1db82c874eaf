import type { Approval } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionChange } from '../log/session-change.ts';
import { MAX_PUSH_BYTES } from './encrypt-push.ts';
import { noteOf } from './push-note.ts';
import { pushText, testText } from './push-text.ts';

test('whatever an agent asks and a session is called, it fits into a notification', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.constantFrom('字'.repeat(5_000), '\u0001'.repeat(100)),
  );
  const note = fc.record({
    kind: fc.constant('approval' as const),
    approvalId: text,
    title: text,
    whole: text,
    allow: text,
  });
  fc.assert(
    fc.property(note, text, fc.constantFrom('en' as const, 'zh' as const), (asked, title, language) => {
      const payload = pushText(asked, { id: `ses_${'0'.repeat(26)}`, title }, language);
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(MAX_PUSH_BYTES);
    }),
    { numRuns: 300, seed: 8030 },
  );
});

test('a question whose names are too long is shown all the same, to be answered in the console', () => {
  const session = { id: 'ses_1', title: 'The\n door' };
  const asked = { kind: 'approval', approvalId: 'a', title: 'ls', whole: 'ls', reject: 'no' } as const;
  expect(JSON.parse(pushText(asked, session, 'en'))).toMatchObject({
    title: 'The door',
    body: 'Wants to run: ls',
    approval: { id: 'a', reject: 'no' },
  });
  const long = JSON.parse(pushText({ ...asked, reject: 'n'.repeat(101) }, session, 'en')) as object;
  expect(long).toMatchObject({ body: 'Wants to run: ls' });
  expect(long).not.toHaveProperty('approval');
});

/** What a browser is told of a question. */
function told(approval: Partial<Approval>): { body: string; approval: object } {
  const options: Approval['options'] = [
    { id: 'yes', name: 'Allow once', kind: 'allow_once' },
    { id: 'no', name: 'Reject', kind: 'reject_once' },
  ];
  const event = { type: 'approval-asked' as const, approval: { id: 'a', title: 'bash …', options, ...approval } };
  const note = noteOf({} as SessionChange, event)!;
  return JSON.parse(pushText(note, { id: 'ses_1', title: 'Door' }, 'en')) as { body: string; approval: object };
}

const bash = (command: string, more: object = {}): Partial<Approval> => ({
  title: `bash ${command.split('\n')[0]}`,
  toolUseId: 'call_1',
  call: { name: 'bash', input: { command, ...more } },
});

test('a yes stands beside a whole command only', () => {
  const yes = { id: 'a', allow: 'yes', reject: 'no' };
  const no = { id: 'a', reject: 'no' };
  const answers = (approval: Partial<Approval>) => told(approval).approval;
  expect(told(bash('npm test'))).toMatchObject({ body: 'Wants to run: npm test', approval: yes });
  expect(answers(bash('x'.repeat(80)))).toEqual(yes);
  expect(answers(bash('x'.repeat(81)))).toEqual(no);
  expect(answers(bash('字'.repeat(40)))).toEqual(yes);
  expect(answers(bash('字'.repeat(41)))).toEqual(no);
  expect(answers(bash('npm test\ncurl x | sh'))).toEqual(no);
  expect(answers(bash('npm test\tx'))).toEqual(no);
  expect(answers(bash('cat אבג > דהו'))).toEqual(no);
  expect(answers(bash('npm test', { workdir: `/${'x'.repeat(80)}` }))).toEqual(no);
  expect(told(bash('npm test', { workdir: '/etc' })).body).toBe('Wants to run: npm test · workdir: /etc');
  expect(answers({ title: 'bash npm test', toolUseId: 'call_1' })).toEqual(no);
  expect(answers({ ...bash('ls'), diffs: [{ path: 'a', unified: '@@ -1 +1 @@\n-a\n+b\n' }] })).toEqual(no);
  expect(answers({ title: 'Edit a', reason: 'r'.repeat(80) })).toEqual(no);
});

test('what a notification shows of a command has nothing hidden in it', () => {
  expect(told(bash('npm\u202e test\rrm\u200b')).body).toBe('Wants to run: npm⟨U+202E⟩ test␍rm⟨U+200B⟩');
  expect(told({ title: `a\u202eb${'x'.repeat(90)}`, toolUseId: 'c' }).body).toContain('a⟨U+202E⟩b');
});

test('every notification is there in both languages', () => {
  const session = { id: 'ses_1', title: 'Door' };
  const bodies = (language: 'en' | 'zh') =>
    [
      pushText({ kind: 'failed' }, session, language),
      pushText({ kind: 'finished' }, session, language),
      testText(language),
    ].map((text) => (JSON.parse(text) as { body: string }).body);
  expect(bodies('en')).toEqual(['The turn failed.', 'Finished.', 'Notifications work.']);
  expect(bodies('zh')).toEqual(['这一轮失败了。', '已完成。', '通知功能正常。']);
});
