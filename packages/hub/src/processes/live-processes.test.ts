import { freshLocation } from '@dragoman/testkit';
import { accessMigrations, openStore } from '@dragoman/server/base';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hubMigrations } from '../hub-migrations.ts';
import type { HubTables } from '../hub-tables.ts';
import { LiveProcesses } from './live-processes.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {} };
const rooms = [accessMigrations, hubMigrations];

async function openTables() {
  const store = await openStore(await freshLocation('postgres', rooms), { rooms });
  onTestFinished(() => store.close());
  const db = store.tables<HubTables>();
  const open = () => LiveProcesses.open({ db, engine: 'postgres', logger, signMs: 1_000_000 });
  return { db, open };
}

test('processes on one PostgreSQL know each other, and one that ends is gone at the next look', async () => {
  const { open } = await openTables();
  const [one, other] = [await open(), await open()];
  await one.look();
  expect([one.isAlive(other.id), other.isAlive(one.id), one.isAlive(one.id)]).toEqual([true, true, true]);

  await other.close();
  await one.look();

  expect(one.isAlive(other.id)).toBe(false);
});

test('a process that gives no sign of life for some seconds is dead, and whoever listens is told once', async () => {
  const { db, open } = await openTables();
  const [one, other] = [await open(), await open()];
  const died = vi.fn<(dead: readonly string[]) => void>();
  one.onDeath(died);
  await one.look();

  // By the clock of the database, whatever the clock of a machine says.
  await db
    .updateTable('hub_processes')
    .set((row) => ({ seen_at: row('seen_at', '-', 6_500) }))
    .where('id', '=', other.id)
    .execute();
  await one.look();
  await one.look();
  expect(one.isAlive(other.id)).toBe(false);
  expect(died.mock.calls).toEqual([[[other.id]]]);

  await other.look();
  await one.look();
  expect([one.isAlive(other.id), died.mock.calls.length]).toEqual([true, 1]);
});

test('after the database was away nobody is dead who had no time for a sign of life yet', async () => {
  const { db, open } = await openTables();
  const [one, other] = [await open(), await open()];
  await one.look();
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  const start = performance.now();

  await db
    .updateTable('hub_processes')
    .set((row) => ({ seen_at: row('seen_at', '-', 60_000) }))
    .execute();
  clock.mockReturnValue(start + 60_000);
  await one.look();
  expect(one.isAlive(other.id)).toBe(true);

  clock.mockReturnValue(start + 63_000);
  await one.look();
  clock.mockReturnValue(start + 67_000);
  await one.look();
  expect(one.isAlive(other.id)).toBe(false);
});
