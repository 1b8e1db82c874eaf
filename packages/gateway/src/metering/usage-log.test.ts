import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore, type Store, type StoreLocation } from '@dragoman/server';
import { freshLocation, startPostgres, STORE_ENGINES, tempFolder } from '@dragoman/testkit';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openCallBook } from './call-book.ts';
import type { UsageLog } from './usage-log.ts';
import { usageRecord } from './usage-record.fixture.ts';
import { gatewayMigrations, type UsageTables } from './usage-tables.ts';

const rooms = [gatewayMigrations];
const times = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

interface OpenedLog {
  usageLog: UsageLog;
  store: Store;
  folder: string;
  /** What was said to whoever runs the server. */
  said: string[];
}

async function openLog(location: StoreLocation, folder = tempFolder()): Promise<OpenedLog> {
  const store = await openStore(location, { rooms });
  const said: string[] = [];
  const say = (_facts: object, message: string) => void said.push(message);
  const { usageLog } = openCallBook({ store, folder, log: { info: say, warn: say, error: say } });
  onTestFinished(async () => {
    await usageLog.close();
    await store.close();
  });
  return { usageLog, store, folder, said };
}

/** The times of all records that are stored, in the order they were. */
async function storedTimes({ store }: OpenedLog): Promise<number[]> {
  const order = store.engine === 'sqlite' ? sql`rowid` : sql`ctid`;
  const rows = await store.tables<UsageTables>().selectFrom('usage_log').select('at').orderBy(order).execute();
  return rows.map(({ at }) => at);
}

/** Takes the table away, as a store that is away looks from here. */
const takeAway = ({ store }: OpenedLog) => sql`alter table usage_log rename to usage_elsewhere`.execute(store.tables());
const bringBack = ({ store }: OpenedLog) =>
  sql`alter table usage_elsewhere rename to usage_log`.execute(store.tables());

const filesIn = ({ folder }: OpenedLog) => readdirSync(join(folder, 'usage'));

test('what is noted while PostgreSQL is stopped is stored when it is back, once each and in order', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const log = await openLog({ databaseFile: '', databaseUrl: `${postgres.baseUrl}/postgres` });
  for (const at of times(3)) log.usageLog.add(usageRecord(at));
  await log.usageLog.flush();

  await postgres.halt();
  for (const at of times(50, 3)) log.usageLog.add(usageRecord(at));
  await log.usageLog.flush();
  expect(log.usageLog.waiting).toBe(50);
  expect(log.said).toEqual(['usage could not be stored; it will be stored when the database is back']);

  await postgres.resume();
  await expect.poll(() => log.usageLog.flush().then(() => log.usageLog.waiting)).toBe(0);
  expect(await storedTimes(log)).toEqual(times(53));
  expect(log.said.slice(1)).toEqual(['the waiting usage is stored']);
});

test('a SQLite file that another program has locked holds up no record and loses none', async () => {
  const location = await freshLocation('sqlite');
  const log = await openLog(location);
  const other = new DatabaseSync(location.databaseFile);
  onTestFinished(() => other.close());
  other.exec('begin immediate');

  for (const at of times(30)) log.usageLog.add(usageRecord(at));
  const flushed = log.usageLog.flush();
  for (const at of times(30, 30)) log.usageLog.add(usageRecord(at));
  other.exec('commit');

  await flushed;
  await log.usageLog.flush();
  expect(await storedTimes(log)).toEqual(times(60));
});

test.each(STORE_ENGINES)('more than memory holds waits in files, and %s gets all of it in order', async (engine) => {
  const log = await openLog(await freshLocation(engine, rooms));
  await takeAway(log);
  for (const at of times(6_200)) log.usageLog.add(usageRecord(at));
  await log.usageLog.flush();
  expect(log.usageLog.waiting).toBe(6_200);
  expect(filesIn(log)).toHaveLength(13);

  await bringBack(log);
  await expect.poll(() => log.usageLog.flush().then(() => log.usageLog.waiting)).toBe(0);

  expect(await storedTimes(log)).toEqual(times(6_200));
  await log.usageLog.close();
  expect(filesIn(log)).toEqual([]);
});

test('what a process had noted when it was killed is stored by the next', async () => {
  const location = await freshLocation('sqlite', rooms);
  const folder = tempFolder();
  const program = join(import.meta.dirname, 'usage-writer.fixture.ts');
  const elsewhere = join(tempFolder(), 'no-tables.sqlite');
  const child = spawn(process.execPath, ['--conditions=@dragoman/source', program, folder, elsewhere], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    told += piece;
    if (told.split('\n').length > 700) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const noted = told.slice(0, told.lastIndexOf('\n')).split('\n').length;

  const log = await openLog(location, folder);
  await log.usageLog.flush();
  await log.usageLog.flush();

  const stored = await storedTimes(log);
  expect(noted).toBeGreaterThan(699);
  // The last one may have been noted and not told.
  expect([times(noted), times(noted + 1)]).toContainEqual(stored);
  expect(filesIn(log)).toEqual([]);
});

test('what waits at a stop is stored at the next start, with what was stored before it', async () => {
  const location = await freshLocation('sqlite');
  const before = await openLog(location);
  before.usageLog.add(usageRecord(0));
  await before.usageLog.flush();
  await takeAway(before);
  for (const at of times(5, 1)) before.usageLog.add(usageRecord(at));
  await before.usageLog.close();
  expect(before.said.at(-1)).toBe('usage is saved in the data folder; the next start stores it');
  await bringBack(before);

  const after = await openLog(location, before.folder);
  after.usageLog.add(usageRecord(6));
  await after.usageLog.flush();

  expect(await storedTimes(after)).toEqual(times(7));
});

test('a file that was cut off or holds nonsense spoils nothing but its broken lines', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'usage'));
  const line = (at: number) => JSON.stringify({ ...EXAMPLE, id: `call_${at}`, at });
  const text = [line(1), '', 'null', '{"id":"call_half"}', '[7', line(2), line(2), line(3).slice(0, 40)].join('\n');
  writeFileSync(join(folder, 'usage', `1700000000000-${process.pid}-9.jsonl`), text);
  writeFileSync(join(folder, 'usage', 'notes.txt'), 'of somebody else');

  const log = await openLog(await freshLocation('sqlite'), folder);
  log.usageLog.add(usageRecord(4));
  await log.usageLog.flush();

  expect(await storedTimes(log)).toEqual([1, 2, 4]);
  expect(log.said).toEqual(['a usage record was dropped: the database refuses it']);
});

const EXAMPLE = {
  user_id: 'usr_ada',
  user_name: 'ada',
  token_name: 'desk',
  dialect: 'openai-chat',
  route: 'default',
  target: 'fake/m',
  is_streamed: 1,
  total_ms: 1,
  finish_reason: 'stop',
  repairs: 0,
  redactions: 0,
  attempts: 1,
};

test('where nothing can be written beside the store, records wait in memory, and that is told once', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'usage'), 'not a folder');
  const log = await openLog(await freshLocation('sqlite'), folder);
  await takeAway(log);
  for (const at of times(1_200)) log.usageLog.add(usageRecord(at));
  await log.usageLog.flush();
  expect(log.usageLog.waiting).toBe(1_200);
  await bringBack(log);
  await log.usageLog.flush();

  expect(await storedTimes(log)).toEqual(times(1_200));
  expect(log.said).toEqual([
    'usage cannot be written to the data folder; it is only kept in memory',
    'usage could not be stored; it will be stored when the database is back',
    'the waiting usage is stored',
  ]);
});

test.each(STORE_ENGINES)('a name that %s would refuse is stored as it can be', async (engine) => {
  const log = await openLog(await freshLocation(engine, rooms));
  log.usageLog.add(usageRecord(1, { route: `a\0${'b'.repeat(500)}\uD800` }));
  await log.usageLog.flush();

  const { route } = await log.store
    .tables<UsageTables>()
    .selectFrom('usage_log')
    .select('route')
    .executeTakeFirstOrThrow();
  expect(route).toBe(`a\uFFFD${'b'.repeat(198)}`);
});
