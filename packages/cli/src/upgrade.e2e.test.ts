import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createHubClient } from '@dragoman/protocol';
import { createConsoleClient } from '@dragoman/protocol/console';
import { openStore, type Store, type StoreEngine, type StoreLocation } from '@dragoman/server/base';
import { freshLocation, runSql, serveDragoman, STORE_ENGINES } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { roomMigrations } from './rooms.ts';

/** A database as the program of that commit left it when it was killed: with people, a token, calls, sessions and an indexed folder. */
const COMMIT = '72a1d6f';

interface StoredFacts {
  token: string;
  sessions: { done: string; asks: string };
}

function stored(name: string): Buffer {
  return readFileSync(new URL(`stored-databases/${COMMIT}.${name}`, import.meta.url));
}

async function restoreStored(engine: StoreEngine): Promise<StoreLocation & StoredFacts> {
  const location = await freshLocation(engine);
  const facts = JSON.parse(String(stored(`${engine}.json`))) as StoredFacts;
  if (location.databaseUrl === undefined) writeFileSync(location.databaseFile, gunzipSync(stored('sqlite.gz')));
  else await runSql(location.databaseUrl, String(gunzipSync(stored('postgres.sql.gz'))));
  const store = await openStore(location, { rooms: [] });
  // A question waits for an hour and usage is told for a month, which are over by now: it is left as it was, but today.
  const tables = store.tables<{ hub_approvals: { expires_at: number }; usage_log: { at: number } }>();
  await tables.updateTable('usage_log').set({ at: Date.now() }).execute();
  await tables
    .updateTable('hub_approvals')
    .set({ expires_at: Date.now() + 3_600_000 })
    .execute();
  await store.close();
  return { ...location, ...facts };
}

/** Every column of every table, by its name. */
async function columnsOf(db: ReturnType<Store['tables']>) {
  const tables = await db.introspection.getTables();
  return new Map(
    tables
      .filter(({ name }) => !name.startsWith('sqlite_'))
      .flatMap(({ name, columns }) => columns.map((column) => [`${name}.${column.name}`, column] as const)),
  );
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: a server goes on with the database of an older one: people, tokens, calls, sessions, questions and prompts are there`, async () => {
    const { databaseFile, databaseUrl, token, sessions } = await restoreStored(engine);
    const home = join(databaseFile, '..');
    mkdirSync(home, { recursive: true });
    const { url } = await serveDragoman([], {
      home,
      ...(databaseUrl !== undefined && { env: { DRAGOMAN_DATABASE_URL: databaseUrl } }),
    });
    const hub = createHubClient({ url, token });
    const console = createConsoleClient({ url, token });

    const listed = await hub.listSessions({});
    expect(listed.sessions.map(({ title }) => title).toSorted()).toEqual(['Asks', 'Counted']);
    const { events } = await hub.readLog({ sessionId: sessions.done });
    const texts = events.flatMap(({ event }) =>
      event.type === 'block-stop' && event.block.type === 'text' ? [event.block.text] : [],
    );
    expect(texts).toEqual(['1', '2', '3']);
    expect(events.at(-1)?.event).toMatchObject({ type: 'turn-finished', reason: 'done' });
    expect((await hub.listApprovals()).approvals).toMatchObject([{ id: 'p1-2', sessionId: sessions.asks }]);
    expect(await hub.getSession({ sessionId: sessions.asks })).toMatchObject({ queued: 1 });
    expect((await console.listUsers()).users.map(({ name }) => name).toSorted()).toEqual(['ada', 'owner']);
    expect((await console.readUsage({})).total.calls).toBe(1);
    expect((await console.listWorkspaces()).workspaces).toMatchObject([{ name: 'work' }]);
  });

  test(`${engine}: a server of an older version can go on beside a newer one: nothing it knows is taken away, and what is new needs nothing of it`, async () => {
    const location = await restoreStored(engine);
    const before = await openStore(location, { rooms: [] });
    const old = await columnsOf(before.tables());
    await before.close();

    const after = await openStore(location, { rooms: roomMigrations });
    onTestFinished(() => after.close());
    const now = await columnsOf(after.tables());

    const tableOf = (column: string) => column.split('.')[0]!;
    const oldTables = new Set([...old.keys()].map(tableOf));
    const changed = [...old].filter(([name, column]) => now.get(name)?.dataType !== column.dataType);
    const demanding = [...now].filter(
      ([name, { isNullable, hasDefaultValue }]) =>
        !old.has(name) && oldTables.has(tableOf(name)) && !isNullable && !hasDefaultValue,
    );
    expect(after.applied.length).toBeGreaterThan(0);
    expect({ changed, demanding }).toEqual({ changed: [], demanding: [] });
  });
}
