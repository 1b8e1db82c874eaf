import { STORE_ENGINES } from '@dragoman/testkit';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testLog } from '../log/session-log.fixture.ts';
import { transactLightly } from './transact-lightly.ts';

const SETTING = { sqlite: 'pragma synchronous', postgres: 'show synchronous_commit' };
const WAITS = { sqlite: { synchronous: 2 }, postgres: { synchronous_commit: 'on' } };
const WAITS_NOT = { sqlite: { synchronous: 1 }, postgres: { synchronous_commit: 'off' } };

describe.each(STORE_ENGINES)('on %s', (engine) => {
  async function open() {
    const { store } = await testLog(engine);
    const db = store.tables<{ hub_reads: { user_id: string; session_id: string; seq: number } }>();
    const setting = async (place = db) => (await sql.raw(SETTING[engine]).execute(place)).rows[0];
    return { place: { db, engine }, setting };
  }

  test('what is made lightly does not wait for the disk, and everything after it does again', async () => {
    const { place, setting } = await open();

    const inside = await transactLightly(place, (transaction) => setting(transaction));

    expect(inside).toEqual(WAITS_NOT[engine]);
    expect(await setting()).toEqual(WAITS[engine]);
  });

  test('a light transaction that fails leaves nothing behind', async () => {
    const { place, setting } = await open();

    const failing = transactLightly(place, async (transaction) => {
      await sql`create table left_behind (a integer)`.execute(transaction);
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    await expect(sql`select * from left_behind`.execute(place.db)).rejects.toThrow('left_behind');
    expect(await setting()).toEqual(WAITS[engine]);
  });
});
