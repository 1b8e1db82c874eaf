import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import type { HubTables } from '../hub-tables.ts';
import { begin, openScene } from './chats.fixture.ts';
import type { Note } from './note.ts';
import { addNote } from './post-store.ts';

/** A chat in which a turn runs, and somebody who sends prompts that wait. */
async function openQueue(engine: Parameters<typeof openScene>[0]) {
  const scene = await openScene(engine);
  const { door, clock, chat, say, sessionId } = scene;
  const place = { channel: 'slate', chatId: 'c' };
  await chat('c', { session_id: null });
  await say({ type: 'agent-state', state: 'ready' }, begin('t'));
  const add = async (note: Note) => {
    await addNote(door.store.tables<HubTables>(), place, note, clock.now());
    door.hub.channels!.wake('slate', 'c');
  };
  const send = async (promptId: string) => {
    await door.owner.client.sendPrompt({ sessionId, id: promptId, text: promptId });
    await add({ text: `Queued: ${promptId}`, topic: 'queue', untilTaken: { sessionId, promptId } });
  };
  return { ...scene, add, send };
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('of many notes about the same there is one, which says the last, and other notes go before it', async () => {
    const { slate, add, send, reads, posts, until } = await openQueue(engine);
    const { promise: until1, resolve: goOn } = Promise.withResolvers<void>();
    slate.fault = ({ text }) => (text === 'Queued: p-1' ? { when: 'held', until: until1 } : undefined);

    await send('p-1');
    await until(() => slate.calls.length === 1);
    for (let number = 2; number <= 12; number++) await send(`p-${number}`);
    await add({ text: 'An answer.' });
    goOn();

    await reads('c', ['Queued: p-12', 'An answer.']);
    expect(slate.calls.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'send Queued: p-1',
      'send An answer.',
      'edit Queued: p-12',
    ]);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));
  });

  test('a note about a prompt that waits is not said any more once the agent has it, and a later one is said anew', async () => {
    const { slate, door, say, send, add, reads, posts, sessionId, until } = await openQueue(engine);
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    slate.fault = ({ text }) => (text === 'Busy.' ? { when: 'held', until: promise } : undefined);
    await add({ text: 'Busy.' });
    await until(() => slate.calls.length === 1);
    await send('p-1');
    await door.owner.client.withdrawPrompt({ sessionId, promptId: 'p-1' });
    goOn();

    await add({ text: 'An answer.' });
    await reads('c', ['Busy.', 'An answer.']);
    expect(await posts('c')).toHaveLength(2);

    await send('p-2');
    await reads('c', ['Busy.', 'An answer.', 'Queued: p-2']);
    await say({ type: 'turn-finished', turnId: 't', reason: 'done' });
    await say({ type: 'turn-started', turnId: 't-2', promptId: 'p-2' });
    await send('p-3');
    await reads('c', ['Busy.', 'An answer.', 'Queued: p-2', 'Queued: p-3']);
  });
});
