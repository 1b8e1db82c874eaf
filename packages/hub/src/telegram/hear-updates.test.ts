import { DragomanError } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import type { Heard } from '../channels/heard.ts';
import { pollingBot } from './polling-bot.fixture.ts';

test('while nothing can be stored, a message waits for as long as it takes, and why is told [UAP-35]', async () => {
  let attempts = 0;
  const unacknowledged = new Set<number>();
  const { telegram, ann, states, logged, waits, start } = await pollingBot(async (_, { pendingUpdates }) => {
    unacknowledged.add(pendingUpdates());
    if (++attempts <= 20) throw new Error('connection terminated');
  });
  telegram.say(ann, ann, 'hello?');

  await start();
  await telegram.until(() => telegram.pendingUpdates() === 0);

  expect(attempts).toBe(21);
  expect([...unacknowledged]).toEqual([1]);
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, ...Array.from({ length: 14 }, () => 30_000)]);
  expect(states).toEqual([
    { type: 'on' },
    {
      type: 'trouble',
      reason: 'New messages can’t be stored, so they are waiting. Retrying; nothing is lost.',
    },
    { type: 'on' },
  ]);
  expect(logged).toEqual([]);
});

test('what the hub says of its store is the reason that is told [UAP-35]', async () => {
  let attempts = 0;
  const { telegram, ann, states, start } = await pollingBot(async () => {
    if (++attempts <= 8)
      throw new DragomanError('unavailable', 'The database takes nothing.', { isRetryable: attempts > 4 });
  });
  telegram.say(ann, ann, 'hello?');

  await start();
  await telegram.until(() => telegram.pendingUpdates() === 0);

  expect(states).toEqual([{ type: 'on' }, { type: 'trouble', reason: 'The database takes nothing.' }, { type: 'on' }]);
});

test.each([
  ['a request that is no good', new DragomanError('bad-request', 'my secret is no good')],
  ['a mistake of ours', new TypeError('my secret is not a function')],
])('an update that fails by itself, with %s, is passed over after five attempts [UAP-35]', async (_, error) => {
  const heard: string[] = [];
  const { telegram, ann, states, logged, start } = await pollingBot(async (each) => {
    if (each.type !== 'message') return;
    heard.push(each.text);
    if (each.text === 'hard') throw error;
  });
  telegram.say(ann, ann, 'hard');
  telegram.say(ann, ann, 'easy');

  await start();
  await telegram.until(() => telegram.pendingUpdates() === 0);

  expect(heard).toEqual(['hard', 'hard', 'hard', 'hard', 'hard', 'easy']);
  expect(states).toEqual([{ type: 'on' }]);
  expect(logged).toMatchObject([{ reason: error.name, message: 'could not handle an update; it is skipped' }]);
  expect(JSON.stringify(logged)).not.toContain('my secret');
});

test('that a group is another one now is heard before what is said in it [UAP-35]', async () => {
  const heard: Heard[] = [];
  const { telegram, ann, start } = await pollingBot(async (each) => void heard.push(each));
  const small = telegram.addGroup({ title: 'Team', isBasic: true, by: ann });
  const large = telegram.migrate(small);
  telegram.say(large, ann, `@${telegram.botUser.username} hello`);

  await start();
  await telegram.until(() => telegram.pendingUpdates() === 0);

  expect(heard.filter(({ type }) => type !== 'joined').map((each) => [each.type, each.chat.chatId])).toEqual([
    ['moved', String(small.id)],
    ['moved', String(small.id)],
    ['message', String(large.id)],
  ]);
  expect(heard.find(({ type }) => type === 'moved')).toEqual({
    type: 'moved',
    id: `moved ${small.id} ${large.id}`,
    chat: { chatId: String(small.id), kind: 'group' },
    person: { accountId: '', name: 'Telegram' },
    to: String(large.id),
  });
});
