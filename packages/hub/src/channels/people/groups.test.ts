import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { HubTables } from '../../hub-tables.ts';
import { openChatDoor } from './chat-door.fixture.ts';
import { openChat } from './chat-store.ts';

const DAY_MS = 24 * 60 * 60_000;

for (const engine of STORE_ENGINES) {
  test(`${engine}: in a group nobody is heard before an admin allows it, and then only people who are bound`, async () => {
    const door = await openChatDoor({ engine });
    const runner = await door.runner();
    const inGroup = { chatId: 'group-1', kind: 'group' as const };
    await door.bound(door.owner, 'boss');
    const [boss, stranger] = [door.chatter('boss', inGroup), door.chatter('passer-by', inGroup)];

    await stranger.tell({ type: 'joined' });
    expect((await boss.notes()).map(({ text }) => text)).toEqual([
      'I’m not allowed to post in this group yet. An admin can allow it under **Settings → Channels** in the console.',
    ]);
    expect(await boss.ask('/new able /code\ndo it')).toEqual([]);
    const asked = (await door.owner.client.readChannels({})).channels[0]!;
    expect(asked.chats[0]).toMatchObject({ chatId: 'group-1', kind: 'group', title: 'The team', state: 'asked' });

    const allowed = await door.owner.client.setChat({ channel: 'slate', chatId: 'group-1', isAllowed: true });
    expect(allowed).toMatchObject({ chatId: 'group-1', state: 'open' });
    expect((await boss.notes()).at(-1)!.text).toContain('An admin has allowed this group.');
    expect(await stranger.ask('/new able /code')).toEqual([expect.stringContaining('I don’t know you yet.')]);
    expect(await stranger.ask('please')).toEqual([]);
    expect(await boss.ask('not for the bot', { isForUs: false })).toEqual([]);
    const [note] = await boss.say('/new able /code\ndo it', { messageId: 'm-7' });
    expect(note).toEqual({ text: 'Started a new **able** session in **\\/code** on **desk**.', replyTo: 'm-7' });
    expect((await runner.command('prompt')).command.prompt.content).toEqual([{ type: 'text', text: 'do it' }]);

    await door.owner.client.setChat({ channel: 'slate', chatId: 'group-1', isAllowed: false });
    expect(await boss.ask('and again')).toEqual([]);
    await expect(
      door.owner.client.setChat({ channel: 'slate', chatId: 'chat-boss', isAllowed: false }),
    ).rejects.toMatchObject({ code: 'bad-request' });
  });

  test(`${engine}: a stranger in a group is given a hint once a day`, async () => {
    let now = Date.now();
    const door = await openChatDoor({ engine, now: () => now });
    const inGroup = { chatId: 'group-1', kind: 'group' as const, language: 'zh' as const };
    const [one, other] = [door.chatter('one', inGroup), door.chatter('other', inGroup)];
    await one.tell({ type: 'joined' });
    await door.owner.client.setChat({ channel: 'slate', chatId: 'group-1', isAllowed: true });

    expect(await one.ask('你好')).toEqual([expect.stringContaining('我还不认识你。请先连接账号')]);
    expect(await one.ask('你好')).toEqual([]);
    expect(await other.ask('你好')).toHaveLength(1);
    now += DAY_MS;
    expect(await one.ask('你好')).toHaveLength(1);
  });

  test(`${engine}: a code that is written in a group is worth nothing afterwards`, async () => {
    const door = await openChatDoor({ engine });
    const ada = await door.person('ada');
    const inGroup = { chatId: 'group-1', kind: 'group' as const };
    await door.chatter('ada', inGroup).tell({ type: 'joined' });
    const newCode = async () => (await ada.client.createBindCode({ language: 'en' })).code;

    const whileAsked = await newCode();
    expect(await door.chatter('ada', inGroup).ask(`/bind ${whileAsked}`)).toEqual([
      expect.stringContaining('Others can read that code here'),
    ]);
    await door.owner.client.setChat({ channel: 'slate', chatId: 'group-1', isAllowed: true });
    const whileAllowed = await newCode();
    expect(await door.chatter('ada', inGroup).ask(whileAllowed)).toEqual([
      expect.stringContaining('Others can read that code here'),
    ]);
    await door.bound(ada, 'ada');
    const whileBound = await newCode();
    expect(await door.chatter('ada', inGroup).ask(`/bind ${whileBound}`)).toEqual([
      expect.stringContaining('Others can read that code here'),
    ]);

    const thief = door.chatter('thief');
    for (const code of [whileAsked, whileAllowed, whileBound])
      expect(await thief.ask(`/bind ${code}`)).toEqual([expect.stringContaining('That code is wrong')]);
  });

  test(`${engine}: the topics of a group are allowed with it, and a new session gets a topic of its own`, async () => {
    const door = await openChatDoor({ engine, hasTopics: true });
    await door.runner();
    await door.bound(door.owner, 'boss');
    const inGroup = (chatId: string) => ({ chatId, kind: 'group' as const });
    const [boss, inTopic] = [door.chatter('boss', inGroup('group-1')), door.chatter('boss', inGroup('group-1/7'))];
    await boss.tell({ type: 'joined' });
    await inTopic.say('hello');
    await door.owner.client.setChat({ channel: 'slate', chatId: 'group-1', isAllowed: true });
    expect(await inTopic.chat()).toBeUndefined();
    expect(await inTopic.ask('/stop')).toEqual([expect.stringContaining('No session selected.')]);
    expect((await inTopic.chat())!.state).toBe('open');
    const later = door.chatter('boss', inGroup('group-1/8'));
    expect(await later.ask('/stop')).toEqual([expect.stringContaining('No session selected.')]);

    expect(await boss.ask('/new able /code\nmend it')).toEqual(['The new session has its own topic: **mend it**.']);

    expect(door.topics).toEqual(['mend it']);
    expect((await boss.chat())!.session_id).toBe(null);
    const [session] = (await door.owner.client.listSessions({})).sessions;
    const topic = await door.chatter('boss', inGroup('group-1/topic-1')).chat();
    expect(topic).toMatchObject({ session_id: session!.id, state: 'open', kind: 'group' });
  });

  test(`${engine}: strangers in topics leave one chat and one hint a day, whether the group is allowed or not`, async () => {
    const door = await openChatDoor({ engine });
    const talk = async (group: string) => {
      for (const topic of [1, 2, 3]) {
        const stranger = door.chatter(`stranger-${topic % 2}`, { chatId: `${group}/${topic}`, kind: 'group' });
        await stranger.say('hello');
        await stranger.tell({ type: 'press', action: 'pst_00000000000000000000000000.0.abcd' });
      }
      return door.chatter('stranger-1', { chatId: group, kind: 'group' });
    };

    const asked = await talk('group-1');
    expect((await asked.notes()).map(({ text }) => text)).toEqual([
      expect.stringContaining('I’m not allowed to post in this group yet.'),
    ]);
    await door.owner.client.setChat({ channel: 'slate', chatId: 'group-1', isAllowed: true });
    await talk('group-1');
    expect((await asked.notes()).slice(1).map(({ text }) => text.slice(0, 21))).toEqual([
      'An admin has allowed ',
      'I don’t know you yet.',
      'I don’t know you yet.',
    ]);

    const { chats } = (await door.owner.client.readChannels({})).channels[0]!;
    expect(chats.map(({ chatId }) => chatId)).toEqual(['group-1']);
  });

  test(`${engine}: the list of chats has 200 at most, first the groups that wait for an admin`, async () => {
    const door = await openChatDoor({ engine });
    const db = door.store.tables<HubTables>();
    for (let number = 0; number < 210; number += 1) {
      const state = number === 3 || number === 5 ? ('asked' as const) : ('open' as const);
      const place = { channel: 'slate', chatId: `g-${number}` };
      const told = {
        ...place,
        kind: 'group' as const,
        title: undefined,
        accountId: undefined,
        language: 'en' as const,
      };
      await openChat(db, told, Date.now() + number);
      await db.updateTable('hub_chats').set({ state }).where('chat_id', '=', place.chatId).execute();
    }

    const { chats } = (await door.owner.client.readChannels({})).channels[0]!;

    expect(chats).toHaveLength(200);
    expect(chats.slice(0, 3).map(({ chatId }) => chatId)).toEqual(['g-5', 'g-3', 'g-209']);
    expect(await door.owner.client.setChat({ channel: 'slate', chatId: 'g-0', isAllowed: false })).toMatchObject({
      chatId: 'g-0',
      state: 'refused',
    });
  });

  test(`${engine}: a chat is closed while the bot is blocked, and open again when somebody writes`, async () => {
    const door = await openChatDoor({ engine });
    const chatter = await door.bound(door.owner, 'boss');

    await chatter.tell({ type: 'left' });
    expect(await chatter.chat()).toMatchObject({ state: 'closed', problem: 'The bot was removed or blocked.' });
    await chatter.tell({ type: 'joined' });
    expect(await chatter.chat()).toMatchObject({ state: 'open', problem: null });
    expect(await chatter.notes()).toHaveLength(1);

    const group = door.chatter('boss', { chatId: 'group-1', kind: 'group' });
    await group.tell({ type: 'joined' });
    await group.tell({ type: 'left' });
    expect((await group.chat())!.state).toBe('asked');
  });
}

test('where the console has an address that others reach, strangers are told of it', async () => {
  const door = await openChatDoor({ server: { publicUrl: 'https://hub.example.com/' } });
  expect(await door.chatter('one').ask('hello')).toEqual([
    expect.stringContaining('[the console](https://hub.example.com/settings?tab=channels)'),
  ]);

  const local = await openChatDoor({ server: { publicUrl: 'http://127.0.0.1:4747' } });
  expect(await local.chatter('one').ask('hello')).toEqual([expect.stringContaining('in the console, choose')]);
});
