import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import type { HubTables } from '../hub-tables.ts';
import { adds, begin, ends, finish, openScene, opens, turn } from './chats.fixture.ts';
import { addNote } from './post-store.ts';
import type { SlateFault } from './slate.fixture.ts';

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test.each<[string, () => SlateFault]>([
    ['before a message got out', () => ({ when: 'hang' })],
    ['after it arrived, before that was known', () => ({ when: 'after', problem: { type: 'uncertain' } })],
    ['while the platform asked to wait', () => ({ when: 'before', problem: { type: 'later', afterMs: 1e9 } })],
    ['while the token was revoked', () => ({ when: 'before', problem: { type: 'revoked' } })],
  ])('killed %s, each message is there once after the restart', async (_, fault) => {
    const { slate, door, chat, say, reads, until, kill, posts } = await openScene(engine);
    await say(...turn('t1', 'First.'), begin('t2'), opens('b', 'Sec'));
    await addNote(door.store.tables<HubTables>(), { channel: 'slate', chatId: 'c' }, { text: 'note' }, 1);
    let [failed, mayPass] = [0, 0];
    slate.fault = () => {
      mayPass -= 1;
      if (mayPass >= 0) return undefined;
      failed += 1;
      return fault();
    };
    await chat('c');
    for (let killed = 0; killed < 3; killed += 1) {
      await until(() => failed > 0);
      [failed, mayPass] = [0, killed === 2 ? Infinity : 1];
      await kill();
    }
    await say(adds('b', 'ond'), ends('b', 'Second.'), finish('t2'));

    await reads('c', ['note', 'First.\n-- done', 'Second.\n-- done']);
    expect(slate.messages('c')).toHaveLength(3);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));
  });

  test('killed while an answer is streamed, the next process goes on with the same message', async () => {
    const { slate, chat, say, reads, kill, seen } = await openScene(engine);
    await chat('c');
    await say(begin('t'), opens('b', 'One'));
    await reads('c', ['One']);
    await kill();
    await reads('c', ['One']);
    await say(adds('b', ' two'));
    await reads('c', ['One two']);
    await kill();
    await say(ends('b', 'One two three.'), finish('t'));
    await reads('c', ['One two three.\n-- done']);
    await seen('c');
    const calls = slate.calls.length;
    await kill();
    await say(...turn('t2', 'Next.'));

    await reads('c', ['One two three.\n-- done', 'Next.\n-- done']);
    expect(slate.calls).toHaveLength(calls + 1);
  });

  test('what happened while no process ran is in the chat after the next start', async () => {
    const { slate, door, chat, say, reads, seen, kill, sessionId } = await openScene(engine);
    await chat('c');
    await door.owner.client.sendPrompt({ sessionId, id: 'p-1', text: 'p-1' });
    await say({ type: 'turn-started', turnId: 't1', promptId: 'p-1' }, finish('t1'));
    await reads('c', ['> p-1\n-- done']);
    await seen('c');
    door.settings.channels = {};
    door.hub.refresh();
    await expect.poll(() => slate.closed).toBe(slate.opened);
    await say({ type: 'reverted', messageId: 'p-1', files: [] }, ...turn('t2', 'Alone.'));
    door.settings.channels = { slate: {} } as never;
    await kill();

    await reads('c', ['(taken back)', 'Alone.\n-- done']);
  });
});
