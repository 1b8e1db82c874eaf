import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import type { HubTables } from '../hub-tables.ts';
import { adds, begin, ends, finish, openScene, opens, turn } from './chats.fixture.ts';
import { addNote } from './post-store.ts';
import type { SlateFault } from './slate.fixture.ts';

/** These happen to the next calls, one each. */
function list(...faults: (SlateFault | undefined)[]): () => SlateFault | undefined {
  return () => faults.shift();
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('a platform that asks to wait is not asked before that, and other chats go on', async () => {
    const { slate, clock, chat, say, reads, door, posts } = await openScene(engine);
    let isBusy = true;
    slate.fault = ({ chatId }) =>
      chatId === 'c' && isBusy ? { when: 'before', problem: { type: 'later', afterMs: 30_000 } } : undefined;
    await chat('c');
    await chat('d');
    await say(...turn('t', 'Hello.'));
    const states = async () => [...(await posts('c')), ...(await posts('d'))].map(({ state }) => state);
    await clock.settled();
    expect(await states()).toEqual(['wanted', 'done']);
    expect(slate.texts('d')).toEqual(['Hello.\n-- done']);
    isBusy = false;

    clock.advance(29_000);
    await say(...turn('t2', 'Again.'));
    await clock.settled();
    expect(slate.texts('d')).toHaveLength(2);
    expect(slate.calls.filter(({ chatId }) => chatId === 'c')).toHaveLength(1);
    await reads('c', ['Hello.\n-- done', 'Again.\n-- done']);
    expect(await door.hub.channels!.stateOf('slate')).toMatchObject({ type: 'on' });
  });

  test('a platform in trouble is tried again, and the state of the channel says why until something gets through', async () => {
    const { slate, chat, say, reads, until, door } = await openScene(engine);
    let isDown = true;
    slate.fault = () =>
      isDown ? { when: 'before', problem: { type: 'later' }, message: 'It answers 502.' } : undefined;
    await chat('c');
    await say(...turn('t', 'Hello.'));
    await until(async () => (await door.hub.channels!.stateOf('slate')).type === 'trouble');
    expect(await door.hub.channels!.stateOf('slate')).toMatchObject({ reason: 'It answers 502.' });
    isDown = false;

    await reads('c', ['Hello.\n-- done']);
    await until(async () => (await door.hub.channels!.stateOf('slate')).type === 'on');
  });

  test('a message of which nobody knows whether it arrived is there once, whether it did or not', async () => {
    const { slate, chat, say, reads } = await openScene(engine);
    slate.fault = list(
      { when: 'before', problem: { type: 'uncertain' } },
      { when: 'after', problem: { type: 'uncertain' } },
      { when: 'before', problem: { type: 'later' } },
      { when: 'after', problem: { type: 'uncertain' } },
      undefined,
      { when: 'after', problem: { type: 'uncertain' } },
    );
    await chat('c');

    await say(...turn('t', 'Hello.'), ...turn('t2', 'Again.'));

    await reads('c', ['Hello.\n-- done', 'Again.\n-- done']);
    expect(slate.messages('c')).toHaveLength(2);
  });

  test('what the platform does not take is left out with the reason, and tried again when it says something else', async () => {
    const { slate, chat, say, reads, posts, until } = await openScene(engine);
    slate.fault = ({ text }) =>
      text.startsWith('Bad')
        ? { when: 'before', problem: { type: 'refused' }, message: 'Mind your language.' }
        : undefined;
    await chat('c');
    await say(...turn('t1', 'Bad.'), ...turn('t2', 'Good.'), begin('t3'), opens('b', 'Bad'));
    await reads('c', ['Good.\n-- done']);
    await until(async () => (await posts('c')).filter(({ state }) => state === 'failed').length === 2);
    expect((await posts('c')).map(({ problem }) => problem)).toEqual([
      'Mind your language.',
      null,
      'Mind your language.',
    ]);

    await say(ends('b', 'Better.'), finish('t3'));

    await reads('c', ['Good.\n-- done', 'Better.\n-- done']);
  });

  test('what a person deletes is left alone when it was complete, and else sent once more', async () => {
    const { slate, chat, say, reads, until, posts } = await openScene(engine);
    await chat('c');
    await say(...turn('t1', 'Complete.'), begin('t2'), opens('b', 'Not'));
    await reads('c', ['Complete.\n-- done', 'Not']);
    for (const message of slate.messages('c')) message.isDeleted = true;

    await say(adds('b', ' yet'));
    await reads('c', ['Not yet']);
    slate.messages('c').at(-1)!.isDeleted = true;
    await say(ends('b', 'Not yet.'), finish('t2'), ...turn('t3', 'Next.'));

    await reads('c', ['Next.\n-- done']);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));
    expect(slate.messages('c').map(({ body }) => body.text)).toEqual([
      'Complete.\n-- done',
      'Not',
      'Not yet',
      'Next.\n-- done',
    ]);
  });

  test('a chat that was closed to us is left in peace until its people write again', async () => {
    const { slate, chat, change, say, until, door } = await openScene(engine);
    let isBlocked = true;
    slate.fault = () => (isBlocked ? { when: 'before', problem: { type: 'closed' }, message: 'Blocked.' } : undefined);
    await chat('c');
    await say(...turn('t', 'Hello.'));
    const db = door.store.tables<HubTables>();
    const state = () => db.selectFrom('hub_chats').select(['state', 'problem']).executeTakeFirstOrThrow();
    await until(async () => (await state()).state === 'closed');
    expect(await state()).toEqual({ state: 'closed', problem: 'Blocked.' });
    await say(...turn('t2', 'Anybody?'));
    await addNote(db, { channel: 'slate', chatId: 'c' }, { text: 'note' }, 1);
    await chat('d');
    await until(() => slate.calls.some(({ chatId }) => chatId === 'd'));
    expect(slate.calls.filter(({ chatId }) => chatId === 'c')).toHaveLength(1);

    isBlocked = false;
    await change('c', { state: 'open', problem: null });

    await until(() => slate.texts('c').length === 3);
    expect(slate.texts('c').toSorted()).toEqual(['Anybody?\n-- done', 'Hello.\n-- done', 'note']);
  });

  test('a revoked token stops every chat, says so, is tried again each minute, and all go on when it counts', async () => {
    const { slate, chat, say, reads, until, clock, door } = await openScene(engine);
    let isRevoked = true;
    slate.fault = () =>
      isRevoked ? { when: 'before', problem: { type: 'revoked' }, message: 'Who are you?' } : undefined;
    await chat('c');
    await chat('d');
    await say(...turn('t', 'Hello.'));
    await until(async () => (await door.hub.channels!.stateOf('slate')).type === 'failed');
    expect(await door.hub.channels!.stateOf('slate')).toMatchObject({ reason: 'Who are you?' });
    const [calls, since] = [slate.calls.length, clock.now()];
    await until(() => clock.now() > since + 200_000);
    expect(slate.calls.length - calls).toBeLessThanOrEqual(4);
    expect(slate.calls.length - calls).toBeGreaterThanOrEqual(2);
    isRevoked = false;

    await reads('c', ['Hello.\n-- done']);
    await reads('d', ['Hello.\n-- done']);
    await until(async () => (await door.hub.channels!.stateOf('slate')).type === 'on');
  });
});

test('a channel that fails in a way nobody knows is given up for that post, and the rest goes on', async () => {
  const { slate, chat, say, reads, posts } = await openScene();
  slate.fault = ({ text }) => {
    if (text.startsWith('Odd')) throw new TypeError('undefined is not a slate');
    return undefined;
  };
  await chat('c');

  await say(...turn('t1', 'Odd.'), ...turn('t2', 'Even.'));

  await reads('c', ['Even.\n-- done']);
  expect((await posts('c')).map(({ state, problem }) => [state === 'failed', problem])).toEqual([
    [true, 'The channel failed in an unexpected way.'],
    [false, null],
  ]);
});

test('a delivery that never ends is given up, and found out about', async () => {
  const { slate, chat, say, reads } = await openScene();
  let isFirst = true;
  slate.fault = () => {
    const fault: SlateFault | undefined = isFirst ? { when: 'hang' } : undefined;
    isFirst = false;
    return fault;
  };
  await chat('c');

  await say(...turn('t1', 'Hello.'));

  await reads('c', ['Hello.\n-- done']);
  expect(slate.calls.length).toBeGreaterThanOrEqual(2);
});
