import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_PUSH_BYTES } from './encrypt-push.ts';
import { pushText, testText } from './push-text.ts';

test('whatever an agent asks and a session is called, it fits into a notification', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.constantFrom('字'.repeat(5_000), '\u0001'.repeat(100)),
  );
  const note = fc.record({ kind: fc.constant('approval' as const), approvalId: text, title: text, allow: text });
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
  const asked = { kind: 'approval', approvalId: 'a', title: 'ls', reject: 'no' } as const;
  expect(JSON.parse(pushText(asked, session, 'en'))).toMatchObject({
    title: 'The door',
    body: 'Wants to run: ls',
    approval: { id: 'a', reject: 'no' },
  });
  const long = JSON.parse(pushText({ ...asked, reject: 'n'.repeat(101) }, session, 'en')) as object;
  expect(long).toMatchObject({ body: 'Wants to run: ls' });
  expect(long).not.toHaveProperty('approval');
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
