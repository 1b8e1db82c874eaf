import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeLark, freePort, type LarkUser } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import {
  bindLark,
  type ChatServer,
  hold,
  larkMessage,
  letBuild,
  model,
  openLark,
  PATIENCE_MS,
  serveChats,
  sessionIn,
  timeless,
} from './channels.fixture.ts';
import { turnsOver } from './hub.fixture.ts';

const TEXT_CALL = 'PUT cardkit/v1/cards/:card_id/elements/:element_id/content';
/** The ways that events come, each with a server that takes them so. */
const WAYS: Record<string, (lark: FakeLark) => Promise<ChatServer>> = {
  'the long connection': (lark) => serveChats({ lark }),
  async 'the encrypted webhook'(lark) {
    const port = String(await freePort());
    const publicUrl = `http://127.0.0.1:${port}`;
    const { appId, appSecret, url: domain, encryptKey, verificationToken } = lark;
    const settings = { appId, appSecret, domain, receive: 'webhook', encryptKey, verificationToken };
    const server = await serveChats({}, { server: { publicUrl }, channels: { lark: settings } }, ['--port', port]);
    lark.useWebhook(`${publicUrl}/channels/lark`);
    await expect.poll(() => lark.verifyWebhook(), { timeout: PATIENCE_MS }).toBe(true);
    return server;
  },
};

for (const [way, serve] of Object.entries(WAYS))
  test(`over ${way}, a prompt is answered in a card that streams: thinking is folded, a change is shown as a diff and allowed by its button, a call goes from Running to Success in place [UAP-30, UAP-31, UAP-32, UAP-33, UAP-34]`, async () => {
    const lark = await openLark();
    const { owner, provider, folder } = await serve(lark);
    const ann = await bindLark(owner, lark, 'Ann');
    const [first, middle, last] = [hold(), hold(), hold()];
    const edit = { filePath: 'src/colours.ts', oldString: "'blue'", newString: "'red'" };
    provider.answer(
      model({ thinks: 'They want red.' }, { says: 'I **change** it.' }, first.promise, {
        calls: 'edit',
        with: edit,
        id: 'call_1',
      }),
      model({ calls: 'bash', with: { command: 'sh build.sh' }, id: 'call_2' }),
      model({ says: 'It is red' }, middle.promise, { says: ' and' }, last.promise, { says: ' *built*.' }),
    );
    expect(await lark.say(ann.chatId, ann, `/new native ${folder}`)).toMatchObject({ isAcknowledged: true });
    const sessionId = await sessionIn(owner, 'lark', ann.chatId);
    const prompt = await lark.say(ann.chatId, ann, 'make it red and build it');

    // It streams, with what was thought folded.
    const begun = await larkMessage(lark, ann.chatId, ({ text }) => text.includes('I change it.'));
    expect(begun.lines.map(timeless)).toEqual(['▸ 💭 Thinking', 'I change it.', '⏳ Working…']);
    expect(begun.card).toMatchObject({ isStreaming: true, isGenerating: true });
    expect(begun.card!.panels).toMatchObject([{ isExpanded: false, lines: ['They want red.'] }]);
    expect(begun.replyTo).toBe(prompt.messageId);
    first.goOn();

    // What is asked shows the change, and has the agent's own answers as buttons.
    const asked = await larkMessage(lark, ann.chatId, ({ card }) => card?.title === '✋ Needs your approval');
    expect(asked.card).toMatchObject({ color: 'orange', subtitle: 'Session: make it red and build it' });
    expect(asked.lines).toEqual(
      expect.arrayContaining(["-export const BLUE = 'blue';", "+export const BLUE = 'red';"]),
    );
    expect(buttonsOf(asked)).toEqual([
      'Allow once',
      'Always allow in this project: edit src/**',
      'Deny',
      'Send answer',
    ]);
    expect(await lark.press(ann.chatId, ann, asked.messageId, 'Allow once')).toMatchObject({
      toast: { content: 'Allow once, by owner (lark)' },
      errorCode: undefined,
    });
    const decided = await larkMessage(lark, ann.chatId, ({ card }) => card?.title === '✅ Allowed');
    expect(decided).toMatchObject({ messageId: asked.messageId, card: { color: 'green' } });
    expect(buttonsOf(decided)).toEqual([]);
    expect(decided.lines).toContain('👤 Allow once · owner (lark)');

    // A call changes where it stands.
    const second = await larkMessage(lark, ann.chatId, ({ card }) => card?.title === '✋ Needs your approval');
    await lark.press(ann.chatId, ann, second.messageId, 'Allow once');
    const running = await callPanel(lark, ann, begun.messageId, '⏳ Run sh build.sh · Running');
    expect(running.color).toBe('blue');
    letBuild(folder);
    const success = await callPanel(lark, ann, begun.messageId, '✅ Run sh build.sh · Success');
    expect(success).toMatchObject({ color: 'green', isExpanded: false, elementId: running.elementId });
    expect(success.lines).toEqual(['sh build.sh', '👤 Allow once · owner (lark)', 'built']);

    // Text that only grows is typed, not drawn anew.
    const answer = () => lark.messagesIn(ann.chatId).find(({ messageId }) => messageId === begun.messageId)!;
    await lark.until(() => answer().lines.includes('It is red'), PATIENCE_MS);
    const typed = lark.calls.count(TEXT_CALL);
    middle.goOn();
    await lark.until(() => answer().lines.includes('It is red and'), PATIENCE_MS);
    expect(lark.calls.count(TEXT_CALL)).toBe(typed + 1);
    last.goOn();

    // It is closed with what it says.
    await lark.until(() => answer().card?.isStreaming === false, PATIENCE_MS);
    expect(
      answer()
        .lines.filter((line) => line !== '[Open in the console]')
        .map(timeless),
    ).toEqual([
      '▸ 💭 Thinking',
      'I change it.',
      '▸ ✅ Edit src/colours.ts · Success',
      '▸ ✅ Run sh build.sh · Success',
      'It is red and built.',
      '✅ Done · 30 in · 15 out',
    ]);
    expect(answer().card).toMatchObject({ isGenerating: false, summary: 'It is red and built.' });
    expect(answer().card!.panels[1]!.lines).toEqual([
      '👤 Allow once · owner (lark)',
      'src/colours.ts +1 −1',
      '@@ -1,1 +1,1 @@',
      "-export const BLUE = 'blue';",
      "+export const BLUE = 'red';",
      'Edited src/colours.ts at line 1.',
    ]);
    expect(readFileSync(join(folder, 'src/colours.ts'), 'utf8')).toBe("export const BLUE = 'red';\n");
    await turnsOver(owner, sessionId);
    const said = lark.messagesIn(ann.chatId).filter(({ from }) => from === 'bot');
    expect(said.map(({ messageId }) => messageId).slice(2)).toEqual([
      begun.messageId,
      asked.messageId,
      second.messageId,
    ]);
    expect(said.flatMap(({ card }) => [...card!.unknownTags, ...card!.mentions])).toEqual([]);
    expect(lark.calls.all.filter(({ outcome }) => outcome !== 0)).toEqual([]);
  });

test('an answer that is too long for a card goes on in another one, and each of them is closed with a summary [UAP-34]', async () => {
  const lark = await openLark();
  const { owner, provider, folder } = await serveChats({ lark });
  const ann = await bindLark(owner, lark, 'Ann');
  const half = hold();
  const paragraphs = Array.from(
    { length: 120 },
    (_, number) => `Paragraph ${number + 1} says ${'so '.repeat(150)}much.`,
  );
  provider.answer(
    model({ says: paragraphs.slice(0, 80).join('\n\n') }, half.promise, {
      says: `\n\n${paragraphs.slice(80).join('\n\n')}`,
    }),
  );
  await lark.say(ann.chatId, ann, `/new native ${folder}\nsay a lot`);
  const sessionId = await sessionIn(owner, 'lark', ann.chatId);
  // After what was said about the account and the session.
  const cards = () =>
    lark
      .messagesIn(ann.chatId)
      .filter(({ from }) => from === 'bot')
      .slice(2);
  const said = () => cards().flatMap(({ lines }) => lines.filter((line) => line.startsWith('Paragraph ')));
  const streaming = () => cards().map(({ card }) => card!.isStreaming);

  // What is full is closed; the last one goes on.
  await lark.until(() => said().length === 80 && streaming().filter(Boolean).length === 1, PATIENCE_MS);
  const before = cards();
  expect(streaming()).toEqual([false, true]);
  expect(said()).toEqual(paragraphs.slice(0, 80));
  half.goOn();

  await turnsOver(owner, sessionId);
  await lark.until(() => cards().at(-1)!.text.includes('✅ Done') && !streaming().includes(true), PATIENCE_MS);
  expect(said()).toEqual(paragraphs);
  expect(
    cards()
      .map(({ messageId }) => messageId)
      .slice(0, 2),
  ).toEqual(before.map(({ messageId }) => messageId));
  expect(cards().length).toBeGreaterThan(2);
  for (const { card } of cards()) {
    expect(Buffer.byteLength(JSON.stringify(card!.json))).toBeLessThan(30_000);
    expect(card!.summary).toMatch(/^Paragraph \d+ says so|^Done$/);
  }
});

function buttonsOf({ card }: { card: { buttons: readonly { text: string; url: string | undefined }[] } | undefined }) {
  return card!.buttons.filter(({ url }) => url === undefined).map(({ text }) => text);
}

/** The panel of a call, as soon as its line is this one. */
function callPanel(lark: FakeLark, { chatId }: LarkUser, messageId: string, line: string) {
  return lark.until(
    () =>
      lark
        .messagesIn(chatId)
        .find((message) => message.messageId === messageId)
        ?.card?.panels.find(({ title }) => timeless(title) === line),
    PATIENCE_MS,
  );
}
