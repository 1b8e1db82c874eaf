import type { RunnerEvent } from '@dragoman/protocol';
import { fakeTelegram, type TelegramChat, type TelegramUser } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock, passUntil, standsWhileTalking } from '../channels/manual-clock.fixture.ts';
import { addNote } from '../channels/post-store.ts';
import { openHubDoor } from '../hub-door.fixture.ts';
import type { HubTables } from '../hub-tables.ts';
import { telegramChannel } from './telegram-channel.ts';
import { telegramConfigSchema } from './telegram-config.ts';

/** A hub with a bot, and Ann, whom it knows. */
async function openScene() {
  const telegram = await fakeTelegram({ limits: false });
  const clock = new ManualClock();
  clock.standsWhile(() => telegram.pendingUpdates() > 0);
  const door = await openHubDoor({
    kinds: [standsWhileTalking(telegramChannel, clock)],
    clock: () => clock,
    channels: { telegram: telegramConfigSchema.parse({ token: telegram.token, apiUrl: telegram.url }) },
  });
  onTestFinished(() => telegram.close());
  const until = (check: () => boolean | Promise<boolean>) => passUntil([clock], check, Infinity);
  const ann = telegram.addUser({ name: 'Ann' });
  const { code } = await door.owner.client.createBindCode({ language: 'en' });
  telegram.say(ann, ann, `/start ${code}`);
  await until(() => telegram.botMessagesIn(ann).length === 1);
  const allow = async (group: TelegramChat) => {
    await until(() => telegram.botMessagesIn(group).length > 0);
    await door.owner.client.setChat({ channel: 'telegram', chatId: String(group.id), isAllowed: true });
    await until(() => telegram.botMessagesIn(group).some(({ text }) => text.includes('has allowed')));
  };
  return { telegram, clock, door, until, ann, allow, tables: door.store.tables<HubTables>() };
}

const words = (blockId: string, text: string): RunnerEvent => ({
  type: 'block-stop',
  messageId: `msg_${blockId}`,
  role: 'assistant',
  blockId,
  block: { type: 'text', text },
});

test('a group that becomes a supergroup stays allowed and goes on with its session there, also after a restart [UAP-35]', async () => {
  const { telegram, door, until, ann, allow, tables } = await openScene();
  const runner = await door.runner({ folders: ['/code'] });
  const small = telegram.addGroup({ title: 'Team', isBasic: true, by: ann });
  await allow(small);
  const ask = (group: TelegramChat, by: TelegramUser, text: string) =>
    telegram.say(group, by, `@${telegram.botUser.username} ${text}`);
  ask(small, ann, '/new scribe /code\nPaint it red.');
  const prompt = await runner.command('prompt');
  const { sessionId } = prompt.session;
  await runner.say(
    sessionId,
    [{ type: 'turn-started', turnId: 't', promptId: prompt.command.prompt.id }, words('b1', 'I begin.')],
    prompt,
  );
  const saysIn = (group: TelegramChat, text: string) =>
    telegram.botMessagesIn(group).filter((message) => message.text.includes(text));
  await until(() => saysIn(small, 'I begin.').length === 1);
  const before = telegram.botMessagesIn(small).map(({ text }) => text);

  const large = telegram.migrate(small);
  await runner.say(sessionId, [words('b2', 'I go on.')]);
  await until(() => saysIn(large, 'I go on.').length === 1);
  await until(async () => {
    const shown = await tables.selectFrom('hub_chat_posts').select('chat_id').where('state', '=', 'shown').execute();
    return shown[0]?.chat_id === String(large.id);
  });

  await door.reopen();
  runner.link = door.hub.link(door.owner.caller);
  await runner.connect();
  await runner.say(sessionId, [words('b3', 'It is red.'), { type: 'turn-finished', turnId: 't', reason: 'done' }]);
  await until(() => saysIn(large, '✓ Done').length === 1);
  ask(large, ann, 'And now blue.');
  expect((await runner.command('prompt')).session.sessionId).toBe(sessionId);

  expect(saysIn(large, 'It is red.')).toHaveLength(1);
  expect(saysIn(large, 'I begin.')).toHaveLength(1);
  expect(saysIn(large, 'I’m not allowed to post')).toEqual([]);
  expect(telegram.botMessagesIn(small).map(({ text }) => text)).toEqual(before);
  const { channels } = await door.owner.client.readChannels({});
  expect(channels[0]!.chats.filter(({ kind }) => kind === 'group').map(({ chatId, state }) => [chatId, state])).toEqual(
    [[String(large.id), 'open']],
  );
});

test('after a crash, a message that may have arrived is not looked for among those of other topics [UAP-35]', async () => {
  const { telegram, clock, door, until, ann, allow, tables } = await openScene();
  const forum = telegram.addGroup({ title: 'Team', forum: true, by: ann });
  await allow(forum);
  const topics = [telegram.addTopic(forum, ann, 'One'), telegram.addTopic(forum, ann, 'Two')];
  const help = async (thread: number) => {
    telegram.say(forum, ann, { text: `/help@${telegram.botUser.username}`, thread });
    const lastIn = () => telegram.botMessagesIn(forum, { thread }).at(-1);
    await until(async () => {
      const waiting = await tables.selectFrom('hub_chat_posts').select('id').where('state', '!=', 'done').execute();
      return lastIn() !== undefined && waiting.length === 0;
    });
    return lastIn()!;
  };
  const { messageId: hint } = await help(topics[0]!);
  const finished = await help(topics[1]!);

  await door.hub.close();
  const place = { channel: 'telegram', chatId: `${forum.id}/${topics[0]}` };
  const lost = await addNote(tables, place, { text: 'Second' }, clock.now());
  const tried = { state: 'sending' as const, hint_json: JSON.stringify(hint) };
  await tables.updateTable('hub_chat_posts').set(tried).where('id', '=', lost).execute();
  await door.reopen();

  await until(() => telegram.botMessagesIn(forum, { thread: topics[0]! }).some(({ text }) => text === 'Second'));
  expect(telegram.botMessagesIn(forum, { thread: topics[1]! }).at(-1)).toMatchObject({ text: finished.text, edits: 0 });
});
