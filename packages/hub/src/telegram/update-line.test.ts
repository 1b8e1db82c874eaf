import fc from 'fast-check';
import type { Message, Update } from 'grammy/types';
import { expect, test } from 'vitest';
import type { Heard } from '../channels/heard.ts';
import { MessageIds } from './message-ids.ts';
import { pollingBot } from './polling-bot.fixture.ts';
import { ALBUM_MS, MAX_AT_ONCE, UpdateLine } from './update-line.ts';

test('a chat in which something takes long holds no other chat up, and only what is stored is acknowledged [UAP-35]', async () => {
  const heard: string[] = [];
  const slow = Promise.withResolvers<void>();
  const { telegram, ann, start } = await pollingBot(async (each) => {
    if (each.type !== 'message') return;
    heard.push(`${each.person.name}: ${each.text}`);
    if (each.text === 'look at my file') await slow.promise;
  });
  const bob = telegram.addUser({ name: 'Bob' });
  telegram.say(ann, ann, 'look at my file');
  telegram.say(ann, ann, 'and be quick');
  await start();
  await telegram.until(() => heard.length === 1);

  telegram.say(bob, bob, 'hello');
  await telegram.until(() => heard.length === 2);
  telegram.say(bob, bob, 'anybody there?');
  await telegram.until(() => heard.length === 3);
  expect(telegram.pendingUpdates()).toBe(4);

  slow.resolve();
  await telegram.until(() => telegram.pendingUpdates() === 0);
  expect(heard).toEqual(['Ann: look at my file', 'Bob: hello', 'Bob: anybody there?', 'Ann: and be quick']);
});

test('stop and approvals do not wait for what takes long in the same chat [UAP-35]', async () => {
  const heard: string[] = [];
  const slow = Promise.withResolvers<void>();
  const { telegram, ann, start } = await pollingBot(async (each) => {
    heard.push(each.type === 'message' ? each.text : each.type);
    if (each.type === 'message' && each.text === 'look at my file') await slow.promise;
  });
  await start();
  telegram.say(ann, ann, 'look at my file');
  telegram.say(ann, ann, 'paint it');
  telegram.say(ann, ann, '/stop');
  telegram.say(ann, ann, '/approve 2');
  await telegram.until(() => heard.length === 3);
  expect(heard.toSorted()).toEqual(['/approve 2', '/stop', 'look at my file']);

  slow.resolve();
  await telegram.until(() => telegram.pendingUpdates() === 0);
  expect(heard.slice(3)).toEqual(['paint it']);
});

test('an album that comes in several answers is one message [UAP-35]', async () => {
  const heard: Heard[] = [];
  const line = lineOf(async (each) => void heard.push(each));
  const piece = (id: number, caption?: string) =>
    update(id, { media_group_id: 'g', photo: [photo(id)], ...(caption !== undefined && { caption }) });

  line.take([piece(1, 'Fix these.')]);
  line.take([piece(1, 'Fix these.'), piece(2)]);
  line.take([piece(1, 'Fix these.'), piece(2), update(3, { text: 'Thanks.' })]);
  expect(line.offset).toBe(1);
  await line.settled();

  expect(line.offset).toBe(4);
  expect(line.waits).toEqual([ALBUM_MS]);
  expect(heard.map((each) => each.type === 'message' && [each.text, each.files.map(({ name }) => name)])).toEqual([
    ['Fix these.', ['photo-1.jpg', 'photo-2.jpg']],
    ['Thanks.', []],
  ]);
});

test('so many chats at once are heard, and no more [UAP-35]', async () => {
  const open: (() => void)[] = [];
  const line = lineOf(() => new Promise<void>((resolve) => open.push(resolve)));
  line.take(Array.from({ length: MAX_AT_ONCE + 5 }, (_, index) => update(index + 1, { text: 'hi' }, index + 1)));
  await turn();
  expect(open).toHaveLength(MAX_AT_ONCE);
  open[7]!();
  await turn();
  expect(open).toHaveLength(MAX_AT_ONCE + 1);
  while (!line.isIdle) {
    for (const resolve of open.splice(0)) resolve();
    await turn();
  }
  expect(line.offset).toBe(MAX_AT_ONCE + 6);
});

test('whatever takes how long, each update is heard once, in the order of its chat, and acknowledged when it is over [UAP-35]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      async (chats, choices) => {
        const open = new Map<number, () => void>();
        const heard: number[] = [];
        const over = new Set<number>();
        const line = lineOf(async (each) => {
          const id = Number(each.type === 'message' && each.text);
          heard.push(id);
          await new Promise<void>((resolve) => open.set(id, resolve));
          over.add(id);
        });
        const all = chats.map((chat, index) => update(index + 1, { text: String(index + 1) }, chat));
        const choose = (count: number) => (choices.next().value as number) % count;
        for (let told = 0; over.size < all.length;) {
          told = Math.min(all.length, told + choose(4));
          line.take(all.slice(0, told).filter(({ update_id }) => update_id >= line.offset));
          await turn();
          const [id, resolve] = [...open][choose(Math.max(1, open.size))] ?? [];
          if (id !== undefined) open.delete(id);
          resolve?.();
          await turn();
          const oldest = all.slice(0, told).find(({ update_id }) => !over.has(update_id));
          expect(line.offset).toBe(oldest?.update_id ?? (told === 0 ? 0 : told + 1));
        }
        expect(heard.toSorted((one, other) => one - other)).toEqual(all.map(({ update_id }) => update_id));
        for (const chat of new Set(chats)) {
          const ids = all.flatMap(({ update_id }, index) => (chats[index] === chat ? [update_id] : []));
          expect(heard.filter((id) => ids.includes(id))).toEqual(ids);
        }
      },
    ),
    { numRuns: 50 },
  );
});

/** A line at which nothing waits by itself. */
function lineOf(hear: (heard: Heard) => Promise<void>) {
  const waits: number[] = [];
  const log = () => {};
  const { signal } = new AbortController();
  const none = () => Promise.reject(new Error('there is none'));
  const line = new UpdateLine(
    {
      host: {
        hear: async (heard) => {
          await hear(heard);
          return undefined;
        },
        log: { debug: log, info: log, warn: log },
        signal,
      },
      api: { botId: 7, call: none },
      ids: new MessageIds(),
      reader: { me: { id: 7, username: 'a_bot' } as never, fetchFile: none },
      wait: async (ms) => void waits.push(ms),
    },
    () => {},
  );
  return Object.assign(line, { waits });
}

function update(id: number, message: Partial<Message>, chatId = 5): Update {
  const from = { id: chatId, is_bot: false, first_name: 'Ann' };
  const chat = { id: chatId, type: 'private', first_name: 'Ann' };
  return { update_id: id, message: { message_id: id, date: 1, chat, from, ...message } } as Update;
}

function photo(id: number) {
  return { file_id: `f${id}`, file_unique_id: `u${id}`, width: 1, height: 1 };
}

/** Lets everything that can go on do so. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
