import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  bindLark,
  bindTelegram,
  larkMessage,
  letBuild,
  model,
  openLark,
  openTelegram,
  PATIENCE_MS,
  serveChats,
  sessionIn,
} from './channels.fixture.ts';
import { openConsole } from './console.fixture.ts';
import { clientOf, turnsOver } from './hub.fixture.ts';
import { seenInLark, seenInPage, seenInTelegram, tellView } from './channel-seen.fixture.ts';

test('one session followed on Telegram, on Lark and in the browser is the same everywhere: blocks, statuses, who decided what, and the final text [UAP-37]', async () => {
  const [telegram, lark] = [await openTelegram(), await openLark()];
  const server = await serveChats({ telegram, lark });
  const { owner, provider, folder } = server;
  const mia = await clientOf(server, 'mia', 'member');
  const ann = await bindTelegram(owner, telegram, 'Ann');
  const bob = await bindLark(mia, lark, 'Bob');
  const edit = { filePath: 'src/colours.ts', oldString: "'blue'", newString: "'red'" };
  provider.answer(
    model({ thinks: 'They want red.' }, { says: 'I **change** it.' }, { calls: 'edit', with: edit, id: 'call_1' }),
    model({ says: 'It is red.' }),
    model({ thinks: 'Now the build.' }, { calls: 'bash', with: { command: 'sh build.sh' }, id: 'call_2' }),
    model({ says: 'It is built:\n\n- red\n- `built`' }),
  );

  // The session begins on Telegram; the others look at it from the beginning.
  telegram.say(ann, ann, `/new native ${folder}`);
  const sessionId = await sessionIn(owner, 'telegram', String(ann.id));
  await lark.say(bob.chatId, bob, `/switch ${sessionId}`);
  expect(await sessionIn(owner, 'lark', bob.chatId)).toBe(sessionId);
  const page = await openConsole(server, { path: `/sessions/${sessionId}` });
  telegram.say(ann, ann, 'make it red');

  // It is asked everywhere, and decided on Lark.
  const onTelegram = await telegram.until(() => telegram.botMessagesIn(ann).find(({ buttons }) => buttons.length > 0));
  const onLark = await larkMessage(lark, bob.chatId, ({ card }) => card?.title === '✋ Needs your approval');
  await page.getByRole('log').getByRole('button', { name: 'Allow once' }).waitFor();
  await lark.press(bob.chatId, bob, onLark.messageId, 'Allow once');
  const decided = await telegram.until(() =>
    telegram
      .botMessagesIn(ann)
      .find(({ messageId, buttons }) => messageId === onTelegram.messageId && buttons.length === 0),
  );
  expect(decided.text).toContain('Allow once · mia (lark)');
  await turnsOver(owner, sessionId);

  // The next prompt comes from the browser, and is decided on Telegram.
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true });
  await prompt.fill('build it');
  await prompt.press('Enter');
  const next = await telegram.until(() => telegram.botMessagesIn(ann).find(({ buttons }) => buttons.length > 0));
  await telegram.press(ann, ann, next.messageId, 'Allow once');
  await page.getByRole('log').getByText('Running', { exact: true }).first().waitFor();
  await telegram.until(() => telegram.botMessagesIn(ann).some(({ text }) => text.includes('⏳ Run sh build.sh')));
  await larkMessage(lark, bob.chatId, ({ text }) => text.includes('⏳ Run sh build.sh · Running'));
  letBuild(folder);
  const view = await turnsOver(owner, sessionId, 2);

  const told = tellView(view);
  expect(told).toEqual([
    { kind: 'prompt', status: 'owner (telegram)', text: 'make it red' },
    { kind: 'thinking', status: 'folded', text: 'They want red.' },
    { kind: 'text', status: '', text: 'I change it.' },
    { kind: 'call', status: 'Success', text: 'Edit src/colours.ts' },
    { kind: 'diff', status: '', text: "-export const BLUE = 'blue';\n+export const BLUE = 'red';" },
    { kind: 'decision', status: 'mia (lark)', text: 'Allow once' },
    { kind: 'text', status: '', text: 'It is red.' },
    { kind: 'prompt', status: 'owner (web)', text: 'build it' },
    { kind: 'thinking', status: 'folded', text: 'Now the build.' },
    { kind: 'call', status: 'Success', text: 'Run sh build.sh' },
    { kind: 'output', status: '', text: 'built' },
    { kind: 'decision', status: 'owner (telegram)', text: 'Allow once' },
    { kind: 'text', status: '', text: 'It is built:\nred\nbuilt' },
  ]);
  const patience = { timeout: PATIENCE_MS };
  await expect.poll(() => seenInTelegram(telegram, ann, 'owner'), patience).toEqual(told);
  await expect.poll(() => seenInLark(lark, bob.chatId), patience).toEqual(told);
  await expect.poll(() => seenInPage(page), patience).toEqual(told);
  expect(readFileSync(join(folder, 'src/colours.ts'), 'utf8')).toBe("export const BLUE = 'red';\n");
});
