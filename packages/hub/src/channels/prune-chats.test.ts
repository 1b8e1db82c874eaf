import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import type { HubTables } from '../hub-tables.ts';
import { ChannelDesk } from './channel-desk.ts';
import { openScene, turn } from './chats.fixture.ts';
import { ManualClock, passUntil } from './manual-clock.fixture.ts';
import { createBindCode } from './people/bind-code.ts';
import { noteHeard } from './people/heard-store.ts';
import { addNote } from './post-store.ts';
import { pruneChats } from './prune-chats.ts';
import { SessionWatches } from './session-watch.ts';
import { Slate } from './slate.fixture.ts';

const DAY_MS = 24 * 60 * 60_000;

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('what nobody needs is forgotten: old notes, codes and hearings, and chats of nobody in which nothing is said', async () => {
    const { door, chat, say, reads, sessionId } = await openScene(engine);
    const db = door.store.tables<HubTables>();
    await chat('shown');
    await say(...turn('t', 'Hello.'));
    await reads('shown', ['Hello.\n-- done']);
    await chat('asked', { kind: 'group', account_id: null, state: 'asked', session_id: null });
    await chat('talking', { kind: 'group', account_id: null, state: 'asked', session_id: null });
    await chat('refused', { kind: 'group', account_id: null, state: 'refused', session_id: null });
    await chat('stranger', { account_id: 'nobody', session_id: null });
    await chat('bound', { session_id: null });
    const now = Date.now() + 400 * DAY_MS;
    await addNote(db, { channel: 'slate', chatId: 'talking' }, { text: 'Not yet.' }, now - DAY_MS);
    await addNote(db, { channel: 'slate', chatId: 'asked' }, { text: 'Not yet.' }, now - 40 * DAY_MS);
    await noteHeard(db, 'slate', 'long ago', now - 2 * DAY_MS);
    await noteHeard(db, 'slate', 'just now', now);
    await createBindCode(db, { userId: door.owner.caller.userId, language: 'en' }, now - DAY_MS);

    await pruneChats(db, 'slate', now);

    const chats = await db.selectFrom('hub_chats').select('chat_id').orderBy('chat_id').execute();
    expect(chats.map(({ chat_id }) => chat_id)).toEqual(['bound', 'refused', 'shown', 'talking']);
    const posts = await db.selectFrom('hub_chat_posts').select(['chat_id', 'session_id']).orderBy('chat_id').execute();
    expect(posts).toEqual([
      { chat_id: 'shown', session_id: sessionId },
      { chat_id: 'talking', session_id: null },
    ]);
    const heard = await db.selectFrom('hub_chat_heard').select('id').execute();
    expect(heard).toEqual([{ id: 'heard just now' }]);
    expect(await db.selectFrom('hub_bind_codes').selectAll().execute()).toEqual([]);

    await db.updateTable('hub_chats').set({ session_id: null }).where('chat_id', '=', 'shown').execute();
    await pruneChats(db, 'slate', now);
    expect(await db.selectFrom('hub_chat_posts').select('chat_id').execute()).toEqual([{ chat_id: 'talking' }]);
  });
});

test('a chat that shows nothing leaves the memory, and what is to be said later is said', async () => {
  const { door, chat } = await openScene('sqlite', { isOn: false });
  const db = door.store.tables<HubTables>();
  const [slate, clock] = [new Slate(), new ManualClock()];
  const logger = { debug: () => {}, info: () => {}, warn: () => {} };
  const host = { hear: async () => undefined, tell: () => {}, publicUrl: undefined, log: logger, now: clock.now };
  const channel = await slate.kind.open({}, { ...host, signal: new AbortController().signal });
  const watches = new SessionWatches({ feed: { hear: () => () => {} } } as never);
  const desk = new ChannelDesk({
    name: 'slate',
    channel,
    parts: { db, feed: {} as never, config: () => door.settings, logger },
    watches,
    clock,
    tell: () => {},
  });
  await chat('c', { session_id: null });
  await desk.start();
  for (const text of ['One.', 'Two.']) {
    await addNote(db, { channel: 'slate', chatId: 'c' }, { text }, clock.now());
    desk.wake('c');
    expect(desk.size).toBe(1);
    await passUntil([clock], () => slate.texts('c').includes(text) && desk.size === 0);
  }
  await desk.close();
  watches.close();
  expect(slate.texts('c')).toEqual(['One.', 'Two.']);
});
