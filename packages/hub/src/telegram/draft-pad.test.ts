import { expect, test } from 'vitest';
import { DraftPad, draftIdOf } from './draft-pad.ts';
import { openBot } from './open-bot.fixture.ts';
import { telegramApi } from './telegram-api.ts';

test('a draft is written again while nothing new is said, until it is left [UAP-35]', async () => {
  const { telegram, ann } = await openBot();
  const pad = new DraftPad(telegramApi(telegram.token, telegram.url), 5);
  const draft = { chat_id: ann.id, draft_id: 7, text: 'One' };
  expect(await pad.write(String(ann.id), draft, AbortSignal.timeout(60_000))).toBe(true);
  await telegram.until(() => telegram.calls.count('sendMessageDraft') >= 4);
  expect(telegram.draftsIn(ann)).toMatchObject([{ draftId: 7, text: 'One' }]);
  pad.close();
});

test('a post has the same draft however often it is written, and never number zero [UAP-35]', () => {
  expect(draftIdOf('0189c2f4-5a6b-7c8d-9e0f-112233445566')).toBe(0x01_89_c2_f4);
  expect(draftIdOf('80000000-0000-0000-0000-000000000000')).toBe(1);
});
