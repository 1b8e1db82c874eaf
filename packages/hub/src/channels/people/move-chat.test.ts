import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { HubTables } from '../../hub-tables.ts';
import { openChatDoor } from './chat-door.fixture.ts';

const GROUP = { chatId: 'small', kind: 'group' as const };

for (const engine of STORE_ENGINES) {
  test(`${engine}: a group that is another one now stays allowed, keeps its session, and hears no prompt twice [UAP-35]`, async () => {
    const door = await openChatDoor({ engine });
    const runner = await door.runner();
    await door.bound(door.owner, 'boss');
    const boss = door.chatter('boss', GROUP);
    await boss.tell({ type: 'joined' });
    await door.owner.client.setChat({ channel: 'slate', chatId: 'small', isAllowed: true });
    await boss.say('/new able /code\ndo it');
    const { command, session } = await runner.command('prompt');
    await door.shown('small', ({ text }) => text.includes('do it') || text.includes('Started a new'));

    await boss.tell({ type: 'moved', to: 'large' });
    await boss.tell({ type: 'moved', to: 'large' });
    await boss.tell({ type: 'left' });

    const tables = door.store.tables<HubTables>();
    const chats = await tables.selectFrom('hub_chats').selectAll().where('kind', '=', 'group').execute();
    expect(chats).toMatchObject([{ chat_id: 'large', state: 'open', problem: null, session_id: session.sessionId }]);
    const prompts = await tables.selectFrom('hub_chat_prompts').selectAll().execute();
    expect(prompts).toMatchObject([{ chat_id: 'large', prompt_id: command.prompt.id, message_id: '' }]);
    const posts = await tables.selectFrom('hub_chat_posts').select('chat_id').where('chat_id', '=', 'small').execute();
    expect(posts).toEqual([]);
    const inLarge = door.chatter('boss', { ...GROUP, chatId: 'large' });
    await inLarge.say('go on');
    expect(await door.owner.client.getSession({ sessionId: session.sessionId })).toMatchObject({ queued: 2 });
    await runner.say(session.sessionId, [
      { type: 'turn-started', turnId: 't', promptId: command.prompt.id },
      {
        type: 'block-stop',
        messageId: 'msg_1',
        role: 'assistant',
        blockId: 'b-1',
        block: { type: 'text', text: 'Here I am.' },
      },
    ]);
    await door.shown('large', ({ text }) => text.includes('Here I am.'));
  });

  test(`${engine}: what is not finished is said anew in the new group, and what is finished is left alone [UAP-35]`, async () => {
    const door = await openChatDoor({ engine });
    await door.bound(door.owner, 'boss');
    const boss = door.chatter('boss', GROUP);
    await boss.tell({ type: 'joined' });
    await door.shown('small', ({ text }) => text.includes('I’m not allowed to post'));
    const tables = door.store.tables<HubTables>();
    const [told] = await tables.selectFrom('hub_chat_posts').selectAll().where('chat_id', '=', 'small').execute();
    const note_json = JSON.stringify({ text: 'Half of it', replyTo: 'm-1' });
    const receipt_json = JSON.stringify({ messageId: '7', isLasting: true });
    const post = { ...told!, receipt_json, message_id: '7', note_json };
    await tables
      .insertInto('hub_chat_posts')
      .values([
        { ...post, id: 'pst_shown', key: 'note pst_shown', state: 'shown' },
        { ...post, id: 'pst_done', key: 'note pst_done', state: 'done' },
      ])
      .execute();
    // Somebody was faster than the message that tells of it.
    await door.chatter('boss', { ...GROUP, chatId: 'large' }).say('hello');
    await door.owner.client.setChat({ channel: 'slate', chatId: 'large', isAllowed: true });

    await boss.tell({ type: 'moved', to: 'large' });

    const { messageId } = await door.shown('large', ({ key }) => key === 'note pst_shown');
    expect(messageId).not.toBe('7');
    const rows = await tables
      .selectFrom('hub_chat_posts')
      .select(['id', 'chat_id', 'message_id', 'note_json'])
      .where('id', 'in', ['pst_shown', 'pst_done'])
      .orderBy('id')
      .execute();
    expect(rows.map(({ id, chat_id }) => [id, chat_id])).toEqual([
      ['pst_done', 'large'],
      ['pst_shown', 'large'],
    ]);
    expect(rows[0]!.message_id).toBeNull();
    expect(JSON.parse(rows[1]!.note_json!)).toEqual({ text: 'Half of it' });
    expect(await boss.chat()).toBeUndefined();
    expect(await door.chatter('boss', { ...GROUP, chatId: 'large' }).chat()).toMatchObject({ state: 'open' });
  });
}
