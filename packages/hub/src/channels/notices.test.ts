import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { approvalAsked, type Person } from '../hub-door.fixture.ts';
import type { HubTables } from '../hub-tables.ts';
import { begin, finish, openScene, opens, turn } from './chats.fixture.ts';
import { findAction, findPostByMessage } from './post-store.ts';
import { Slate } from './slate.fixture.ts';

const ASKS = '**The door** asks: Run npm test';

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('a question of the session is a message of its own, and shows who decided it, wherever that was', async () => {
    const { slate, door, chat, say, reads, until, posts, sessionId } = await openScene(engine);
    await chat('c');
    await say(begin('t'), approvalAsked('a-1'));
    await reads('c', ['? Run npm test']);
    const [message] = slate.messages('c');
    expect(message!.body.buttons).toEqual(['Allow once', 'Allow always', 'Reject']);
    const db = door.store.tables<HubTables>();
    expect(message!.data.every((data) => /^[a-z0-9_.]{1,40}$/.test(data))).toBe(true);
    expect(await findAction(db, 'slate', message!.data[2]!)).toMatchObject({
      action: { type: 'decide', sessionId, approvalId: 'a-1', optionId: 'no' },
      post: { chatId: 'c', sessionId, key: 'approval a-1' },
    });
    await until(async () => (await findPostByMessage(db, 'slate', 'c', message!.id))?.key === 'approval a-1');

    await door.owner.client.decideApproval({ sessionId, approvalId: 'a-1', optionId: 'yes' });

    await reads('c', ['? Run npm test: yes by owner']);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));
    expect(await findAction(db, 'slate', message!.data[2]!)).toBeUndefined();
  });

  test('a question that a rule answers, or that is decided before the chat could ask, is never asked there', async () => {
    const { slate, door, chat, say, reads, sessionId } = await openScene(engine);
    await say(begin('t'), approvalAsked('a-1'));
    await door.owner.client.decideApproval({ sessionId, approvalId: 'a-1', optionId: 'yes' });
    await chat('c');

    await say(finish('t'), ...turn('t2', 'Done.'));

    await reads('c', [slate.texts('c')[0] ?? '-- done', 'Done.\n-- done']);
    expect(slate.texts('c').join('')).not.toContain('?');
  });

  test('who may decide is asked in their private chat when that shows another session; the others are not', async () => {
    const { slate, door, chat, bind, say, reads, until, posts, sessionId } = await openScene(engine);
    const people = { owner: door.owner, max: await door.person('max'), vera: await door.person('vera', 'viewer') };
    for (const [name, person] of Object.entries(people)) {
      await chat(name, { session_id: null });
      await bind(name, person);
    }
    await chat('owner/topic', { session_id: null, account_id: 'of owner', created_at: 0 });

    await say(begin('t'), approvalAsked('a-1', { reason: 'To be *sure*.' }));
    const text = `${ASKS}\n\nTo be \\*sure\\*\\.`;
    await reads('owner', [text]);
    expect(slate.messages('owner')[0]!.body.buttons).toEqual([
      'Allow once',
      'Allow always',
      'Reject',
      'Show this session',
    ]);
    await door.owner.client.decideApproval({ sessionId, approvalId: 'a-1', optionId: 'no' });

    await reads('owner', [`${text}\n\nReject, by owner \\(api\\).`]);
    await until(async () => (await posts('owner')).every(({ state }) => state === 'done'));
    for (const other of ['max', 'vera', 'owner/topic']) expect(slate.texts(other)).toEqual([]);
  });

  test('how a turn ends elsewhere is told to who works in the session, with a button to go there', async () => {
    const { slate, door, chat, bind, say, reads, sessionId } = await openScene(engine);
    const ada = await door.person('ada');
    await chat('owner', { session_id: null });
    await bind('owner', door.owner);
    await chat('ada', { session_id: null });
    await bind('ada', ada);

    await say(...turn('t1', 'Fine.'));
    await reads('owner', ['**The door** has finished.']);
    await say(begin('t2'), finish('t2', 'failed'));
    await reads('owner', ['**The door** has finished.', 'The last turn of **The door** failed.']);

    expect(slate.texts('ada')).toEqual([]);
    const { data } = slate.messages('owner')[0]!;
    expect(await findAction(door.store.tables<HubTables>(), 'slate', data[0]!)).toMatchObject({
      action: { type: 'command', text: `/switch ${sessionId}` },
    });
  });

  test('a chat that is muted, or shows the session in one of its places, is not told of it', async () => {
    const { slate, door, chat, bind, change, say, reads } = await openScene(engine);
    await chat('owner', { session_id: null, is_muted: 1 });
    await bind('owner', door.owner);
    await say(...turn('t1', 'One.'), begin('t2'), approvalAsked('a-1'), finish('t2'));
    await change('owner', { is_muted: 0 });
    await chat('owner/topic', { account_id: 'of owner', from_seq: 1_000 });

    await say(...turn('t3', 'Three.'));
    await door.store.tables<HubTables>().deleteFrom('hub_chats').where('chat_id', '=', 'owner/topic').execute();
    await say(...turn('t4', 'Four.'));

    await reads('owner', ['**The door** has finished.']);
    expect(slate.texts('owner')).toHaveLength(1);
  });

  test('who sees the session in private on one channel is not told of it on another', async () => {
    const chalk = new Slate();
    const { slate, door, chat, bind, change, say, reads, until } = await openScene(engine, { chalk });
    const db = door.store.tables<HubTables>();
    await chat('owner');
    await bind('owner', door.owner);
    await chat('owner at the board', { channel: 'chalk', session_id: null });
    await db
      .insertInto('hub_chat_bindings')
      .values({
        channel: 'chalk',
        account_id: 'of owner at the board',
        account_name: 'owner',
        user_id: door.owner.caller.userId,
        language: 'en',
        created_at: 1,
      })
      .execute();

    await say(...turn('t1', 'One.'), begin('t2'), approvalAsked('a-1'), finish('t2', 'failed'));
    await reads('owner', ['One.\n-- done', '-- failed']);
    await until(async () => (await db.selectFrom('hub_chat_notices').selectAll().execute()).length === 0);
    await change('owner', { session_id: null });
    await say(...turn('t3', 'Three.'));

    await until(() => chalk.texts('owner at the board').length === 1);
    await reads('owner', ['One.\n-- done', '-- failed', '**The door** has finished.']);
    expect(chalk.texts('owner at the board')).toEqual(['**The door** has finished.']);
    expect(slate.messages('owner')).toHaveLength(3);
  });

  test('who asked for it in a group that shows the session is not told of it in private; others are', async () => {
    const { slate, door, chat, bind, say, reads, until, sessionId } = await openScene(engine);
    const db = door.store.tables<HubTables>();
    const max = await door.person('max', 'admin');
    for (const [name, person] of Object.entries({ owner: door.owner, max })) {
      await chat(name, { session_id: null });
      await bind(name, person);
    }
    await chat('group', { kind: 'group', account_id: null, from_seq: 1_000 });
    await db
      .insertInto('hub_chat_prompts')
      .values({ channel: 'slate', chat_id: 'group', session_id: sessionId, prompt_id: 'p-1', message_id: 'm' })
      .execute();
    await max.client.sendPrompt({ sessionId, id: 'p-1', text: 'Look!' });

    await say({ type: 'turn-started', turnId: 't1', promptId: 'p-1' }, finish('t1'));
    await reads('owner', ['**The door** has finished.']);
    expect(slate.texts('max')).toEqual([]);
    await db.updateTable('hub_chats').set({ session_id: null }).where('chat_id', '=', 'group').execute();
    await say(...turn('t2', 'Two.'));

    await until(() => slate.texts('max').length > 0);
    expect(slate.texts('max')).toEqual(['**The door** has finished.']);
  });

  test('what a person was shown in their private chat counts as read, with what follows beside turns; in a group it does not', async () => {
    const { door, chat, bind, change, say, reads, until, sessionId, runner } = await openScene(engine);
    const max = await door.person('max', 'admin');
    const unread = async ({ client }: Person) => {
      const { seq, readSeq } = await client.getSession({ sessionId });
      return seq - readSeq;
    };
    await chat('owner');
    await bind('owner', door.owner);
    await chat('group', { kind: 'group', account_id: null });
    await say(begin('t1'), opens('b', 'One'));
    await reads('owner', ['One']);
    expect(await unread(door.owner)).toBeGreaterThan(0);

    await say(finish('t1'));
    await until(async () => (await unread(door.owner)) === 0);
    await max.client.updateSession({ sessionId, title: 'The gate' });
    await until(async () => (await unread(door.owner)) === 0);
    expect((await max.client.getSession({ sessionId })).readSeq).toBe(0);

    await change('owner', { is_muted: 1 });
    await say(...turn('t2', 'Two.'));
    await runner.say(sessionId, turn('t3', 'Three.'));
    await reads('group', ['One\n-- done', 'Two.\n-- done', 'Three.\n-- done']);
    expect(await unread(door.owner)).toBeGreaterThan(0);
  });

  test('why a turn failed elsewhere is said on one line, as text', async () => {
    const { slate, door, chat, bind, say, reads } = await openScene(engine);
    await chat('owner', { session_id: null });
    await bind('owner', door.owner);
    const error = { code: 'interrupted', message: '\u001B[31mThe machine\nwas started *anew*' };

    await say(begin('t'), { type: 'turn-finished', turnId: 't', reason: 'interrupted', error });

    const told = 'The last turn of **The door** failed: The machine was started \\*anew\\*';
    await reads('owner', [told]);
    await say(begin('t2'), { type: 'turn-finished', turnId: 't2', reason: 'limit' });

    await reads('owner', [told, `The last turn of **The door** failed: The agent reached its limit\\.`]);
    expect(slate.messages('owner')).toHaveLength(2);
  });

  test('a question that waits when the process dies is still asked by the next one', async () => {
    const { door, chat, bind, say, reads, kill, slate } = await openScene(engine);
    slate.fault = () => ({ when: 'hang' });
    await chat('owner', { session_id: null });
    await bind('owner', door.owner);
    await say(begin('t'), approvalAsked('a-1'));
    await kill();
    slate.fault = () => undefined;

    await reads('owner', [ASKS]);
    expect(slate.messages('owner')).toHaveLength(1);
  });

  test('a question asked elsewhere becomes one of the session when the chat goes there', async () => {
    const { slate, door, chat, bind, change, say, reads, sessionId } = await openScene(engine);
    await chat('owner', { session_id: null });
    await bind('owner', door.owner);
    await say(begin('t'), approvalAsked('a-1'));
    await reads('owner', [ASKS]);

    await change('owner', { session_id: sessionId, from_seq: 1_000 });
    await reads('owner', ['? Run npm test']);
    await door.owner.client.decideApproval({ sessionId, approvalId: 'a-1', optionId: 'yes' });

    await reads('owner', ['? Run npm test: yes by owner']);
    expect(slate.messages('owner')).toHaveLength(1);
  });

  test('a question with very many answers is asked with as many as there is room for, and the way to the session', async () => {
    const { slate, door, chat, bind, say, reads } = await openScene(engine);
    await chat('owner', { session_id: null });
    await bind('owner', door.owner);
    const options = Array.from({ length: 150 }, (_, index) => ({
      id: `o-${index}`,
      name: `Answer ${index}`,
      kind: 'answer' as const,
    }));

    await say(begin('t'), approvalAsked('q-1', { title: 'Which one?', options }));

    await reads('owner', ['**The door** asks: Which one\\?']);
    const { buttons } = slate.messages('owner')[0]!.body;
    expect(buttons).toHaveLength(21);
    expect([buttons[19], buttons[20]]).toEqual(['Answer 19', 'Show this session']);
  });

  test('of very many questions ten are asked one by one, of the rest there is one note until some are decided', async () => {
    const { slate, door, chat, bind, say, reads, until, sessionId } = await openScene(engine);
    await chat('owner', { session_id: null });
    await bind('owner', door.owner);
    const name = (number: number) => `q-${String(number).padStart(2, '0')}`;
    const asks = (number: number) => `**The door** asks: ${name(number)}`.replace('-', '\\-');
    const numbers = Array.from({ length: 14 }, (_, index) => index + 1);

    await say(begin('t'), ...numbers.map((number) => approvalAsked(name(number), { title: name(number) })));

    const many =
      '14 questions are waiting, too many to ask here one by one. Answer them in the console, or list them with `/approve`.';
    await reads('owner', [...numbers.slice(0, 10).map(asks), many]);
    expect(slate.messages('owner').at(-1)!.body.buttons).toEqual(['List them']);

    for (const number of [1, 2, 12])
      await door.owner.client.decideApproval({ sessionId, approvalId: name(number), optionId: 'yes' });
    await until(() => slate.texts('owner').length === 13);
    expect(slate.texts('owner').slice(10)).toEqual([many, asks(11), asks(13)]);
  });
});
