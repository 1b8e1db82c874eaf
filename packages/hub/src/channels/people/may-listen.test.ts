import type { AccessTables } from '@dragoman/server/base';
import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { approvalAsked } from '../../hub-door.fixture.ts';
import type { HubTables } from '../../hub-tables.ts';
import { adds, begin, ends, finish, openScene, opens, turn } from '../chats.fixture.ts';
import { bindAccount } from './bindings.ts';
import { addApprovalPost, addNote } from '../post-store.ts';

const ENDED = 'This is no longer shown here.';

/** A turn that two chats show, in the middle of a sentence. */
async function openTurn(engine: (typeof STORE_ENGINES)[number], given: Partial<HubTables['hub_chats']> = {}) {
  const scene = await openScene(engine);
  const ada = await scene.door.person('ada');
  await scene.chat('c', given);
  await scene.bind('c', ada);
  await scene.chat('other');
  await scene.say(begin('t'), opens('b', 'Let'), approvalAsked('a-1'));
  await scene.reads('c', ['Let', '? Run npm test']);
  const db = scene.door.store.tables<HubTables & AccessTables>();
  const goOn = async () => {
    await scene.say(adds('b', ' SECRET'), ends('b', 'Let SECRET'), approvalAsked('a-2', { title: 'SECRET' }));
    await scene.say(finish('t'), ...turn('t2', 'SECRET again.'));
    await scene.until(() => scene.slate.texts('other').includes('SECRET again.\n-- done'));
  };
  const heard = () => scene.slate.calls.filter(({ chatId }) => chatId === 'c').map(({ text }) => text);
  return { ...scene, ada, db, goOn, heard };
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('who is removed hears nothing more of the session, and what had begun says that it is over', async () => {
    const { ada, db, goOn, heard, reads, until, posts, say, slate } = await openTurn(engine);

    await db.deleteFrom('tokens').where('user_id', '=', ada.caller.userId).execute();
    await db.deleteFrom('users').where('id', '=', ada.caller.userId).execute();
    await goOn();

    await reads('c', [ENDED, ENDED]);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));
    await say(...turn('t3', 'SECRET for the third time.'));
    await until(() => slate.texts('other').includes('SECRET for the third time.\n-- done'));
    expect(heard()).toEqual(['Let', '? Run npm test', ENDED, ENDED]);
    expect(slate.messages('c').flatMap(({ data }) => data)).toEqual([]);
  });

  test('an account whose user was removed shows the next one nothing of what they looked at', async () => {
    const { ada, db, door } = await openTurn(engine);
    await db.deleteFrom('tokens').where('user_id', '=', ada.caller.userId).execute();
    await db.deleteFrom('users').where('id', '=', ada.caller.userId).execute();
    const max = await door.person('max');

    const account = { channel: 'slate', accountId: 'of c', name: 'c', userId: max.caller.userId };
    await bindAccount(db, { ...account, language: 'en' });

    const chat = await db.selectFrom('hub_chats').selectAll().where('chat_id', '=', 'c').executeTakeFirstOrThrow();
    expect(chat.session_id).toBe(null);
  });

  test('who is unbound in the middle of a turn hears nothing more of it', async () => {
    const { door, goOn, heard, reads } = await openTurn(engine);

    await door.owner.client.removeBinding({ channel: 'slate', accountId: 'of c' });
    await goOn();

    await reads('c', [ENDED, ENDED]);
    expect(heard()).toEqual(['Let', '? Run npm test', ENDED, ENDED]);
  });

  test('a group that is refused in the middle of a turn hears nothing more of it, and goes on when it is allowed again', async () => {
    const { door, goOn, heard, reads, until, slate } = await openTurn(engine, { kind: 'group', account_id: null });

    await door.owner.client.setChat({ channel: 'slate', chatId: 'c', isAllowed: false });
    await goOn();
    await reads('c', [ENDED, ENDED]);
    expect(heard()).toEqual(['Let', '? Run npm test', ENDED, ENDED]);

    await door.owner.client.setChat({ channel: 'slate', chatId: 'c', isAllowed: true });
    const allowed = expect.stringContaining('An admin has allowed this group.') as string;
    await until(() => slate.texts('c').includes('SECRET again.\n-- done'));
    await until(() => slate.texts('c').includes('Let SECRET\n-- done'));
    expect(slate.texts('c')).toEqual(['Let SECRET\n-- done', ENDED, allowed, 'SECRET again.\n-- done']);
  });

  test('what was to be said to who is unbound is not said, except what is for anyone', async () => {
    const { door, clock, chat, change, reads, posts, until, sessionId } = await openScene(engine);
    const db = door.store.tables<HubTables>();
    const place = { channel: 'slate', chatId: 'c' };
    await chat('c', { state: 'closed', problem: 'The bot was blocked.' });
    await addNote(db, place, { text: '**SECRET** has finished.' }, clock.now());
    await addNote(db, place, { text: 'I don’t know you yet.', isForAnyone: true }, clock.now());
    await addApprovalPost(db, place, { sessionId, approvalId: 'a-1' }, clock.now());
    await db.deleteFrom('hub_chat_bindings').where('account_id', '=', 'of c').execute();

    await change('c', { state: 'open', problem: null });

    await reads('c', ['I don’t know you yet.']);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));
    expect((await posts('c')).map(({ note_json }) => note_json)).toEqual([
      '{"text":"I don’t know you yet.","isForAnyone":true}',
    ]);
  });
});
