import { expect, test } from 'vitest';
import type { HubTables } from '../hub-tables.ts';
import { testLog, testSession } from '../log/session-log.fixture.ts';
import { tellMovingSessions } from './tell-moving-sessions.ts';

const HOUR = 3_600_000;

test('lists are told of what is at work or was a moment ago, and of nothing that rests', async () => {
  const { store, feed, log } = await testLog();
  const db = store.tables<HubTables>();
  const session = async (turn_id: string | null, updated_at: number) => {
    const id = await testSession(log);
    await db.updateTable('hub_sessions').set({ turn_id, updated_at }).where('id', '=', id).execute();
    return id;
  };
  const running = await session('turn_1', 1);
  const recent = await session(null, HOUR - 1_000);
  await session(null, 1);
  const told: unknown[] = [];
  feed.hear('changes', (payload) => void told.push(payload));

  await tellMovingSessions({ db, feed, now: () => HOUR });

  const expected = [running, recent].map((id) => JSON.stringify({ session: id }));
  expect(new Set(told)).toEqual(new Set(expected));
  expect(told).toHaveLength(2);
});
