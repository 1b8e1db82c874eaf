import { freshLocation, STORE_ENGINES } from '@dragoman/testkit';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore, type StoreLocation } from './open-store.ts';

async function openProcess(location: StoreLocation) {
  const store = await openStore(location, { rooms: [] });
  onTestFinished(() => store.close());
  return store;
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('what is told on a channel is heard by those who listen on it, and on no other', async () => {
    const store = await openProcess(await freshLocation(engine));
    const heard: unknown[] = [];
    const news = await store.openChannel('news', (payload) => heard.push(['news', payload]));
    await store.openChannel('weather', (payload) => heard.push(['weather', payload]));
    const left = await store.openChannel('news', () => heard.push('left'));

    await left.close();
    await news.notify('it is out');

    await expect.poll(() => heard).toEqual([['news', 'it is out']]);
  });

  test('both hear what one tells', async () => {
    const location = await freshLocation(engine);
    const [one, other] = [await openProcess(location), await openProcess(location)];
    const [first, second]: unknown[][] = [[], []];
    const channel = await one.openChannel('Ünusual "name"', (payload) => first!.push(payload));
    await other.openChannel('Ünusual "name"', (payload) => second!.push(payload));

    await channel.notify('登录');

    await expect.poll(() => [first, second]).toEqual([['登录'], ['登录']]);
  });

  test('a text that is too long is refused with its size, and a closed store tells nothing', async () => {
    const store = await openStore(await freshLocation(engine), { rooms: [] });
    const channel = await store.openChannel('news', () => {});

    await expect(channel.notify('登'.repeat(2700))).rejects.toThrow(
      'A notification of 8100 bytes is too large; the limit is 7900.',
    );
    await store.close();
    await expect(channel.notify('late')).rejects.toThrow('The store is closed; nothing more can be told.');
  });
});

describe('between two processes on one PostgreSQL', () => {
  test('a connection that is lost is opened again, and the listeners hear that they may have missed something', async () => {
    const location = await freshLocation('postgres');
    const [one, other] = [await openProcess(location), await openProcess(location)];
    const heard: unknown[] = [];
    const channel = await one.openChannel('news', (payload) => heard.push(payload));

    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'dragoman channels'`.execute(other.tables());

    await expect.poll(() => heard).toEqual([undefined]);
    await channel.notify('again');
    await expect.poll(() => heard).toEqual([undefined, 'again']);
  });
});
