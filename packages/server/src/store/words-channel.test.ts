import { freshLocation } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from './open-store.ts';
import { WordsChannel } from './words-channel.ts';

/** Two servers on one PostgreSQL; what either hears is in its list. */
async function openTwo(gather: () => string[] = () => []) {
  const location = await freshLocation('postgres');
  const open = async (heard: string[]) => {
    const store = await openStore(location, { rooms: [] });
    onTestFinished(() => store.close());
    const channel = new WordsChannel<string>({
      store,
      name: 'words',
      gatherMs: 1,
      gather,
      hear: (word) => heard.push(word),
      log: { warn: (facts, message) => expect.fail(`${message}: ${JSON.stringify(facts)}`) },
      alone: 'alone',
      unsent: 'unsent',
    });
    await channel.send([]); // It is open then.
    return channel;
  };
  const [first, second]: [string[], string[]] = [[], []];
  return { one: await open(first), other: await open(second), first, second };
}

test('words that together are too long for the database are heard in order, and one that is too long alone is left out', async () => {
  const { one, second } = await openTwo();
  const long = ['a', 'b', 'c'].map((letter) => letter.repeat(5_000));

  await one.send([long[0]!, '登录'.repeat(5_000), 'short', long[1]!, long[2]!]);

  await expect.poll(() => second).toEqual([long[0], 'short', long[1], long[2]]);
});

test('what is to be sent soon is gathered once, and is not heard by who sends it', async () => {
  const gathered = ['first', 'second'];
  const { one, other, first, second } = await openTwo(() => gathered.splice(0));

  one.sendSoon();
  one.sendSoon();
  await expect.poll(() => second).toEqual(['first', 'second']);
  await other.send(['answer']);

  await expect.poll(() => first).toEqual(['answer']);
});

test('the last word of a server that closes is the last one', async () => {
  const { one, second } = await openTwo(() => ['late']);

  one.sendSoon();
  await one.close(['bye']);
  one.sendSoon();

  await expect.poll(() => second).toEqual(['bye']);
});
