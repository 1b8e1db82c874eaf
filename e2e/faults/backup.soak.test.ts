import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { foldHubEvents } from '@dragoman/protocol';
import type { StoreEngine } from '@dragoman/server';
import { freshLocation, isSoak, runDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { countingHome, startCounting } from '../counting-home.fixture.ts';
import { approvalOf, type HubServer, serveHub, turnsOver } from '../hub.fixture.ts';
import { counted, follow, upTo, wholeLog } from '../two-hubs.fixture.ts';

const SIZE = isSoak() ? { sessions: 6, blocks: 3_000 } : { sessions: 3, blocks: 150 };

/** A data folder, and the environment that names its database where that is PostgreSQL. */
async function openPlace(engine: StoreEngine): Promise<{ home: string; env: Record<string, string> }> {
  const { databaseUrl } = await freshLocation(engine);
  return { home: countingHome(), env: databaseUrl === undefined ? {} : { DRAGOMAN_DATABASE_URL: databaseUrl } };
}

const MOVES: [from: StoreEngine, to: StoreEngine][] = [
  ['sqlite', 'sqlite'],
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
];

test.for(MOVES)(
  'a backup that is made while agents talk holds of every session exactly what had been said, and lets people in: from %s to %s',
  async ([from, to]) => {
    const [old, fresh] = [await openPlace(from), await openPlace(to)];
    const first = await serveHub(undefined, old);
    const token = (await runDragoman(['token', 'create', 'laptop'], old)).stdout.trim();
    const ids: string[] = [];
    for (let index = 0; index < SIZE.sessions; index++)
      ids.push(await startCounting(first.owner, { blocks: SIZE.blocks, everyMs: 1, askBefore: [SIZE.blocks] }));
    const readers = ids.map((id) => follow(first.owner, id));
    const shown = () => readers.reduce((sum, { view }) => sum + counted(view).length, 0);
    await expect.poll(shown).toBeGreaterThan((SIZE.sessions * SIZE.blocks) / 3);

    const file = join(tempFolder(), 'copy.sqlite');
    const before = readers.map(({ view }) => counted(view).length);
    expect(await runDragoman(['backup', file], old)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new DatabaseSync(file, { readOnly: true }).prepare('pragma integrity_check').all()).toEqual([
      { integrity_check: 'ok' },
    ]);
    // Where they are, nothing is lost by it.
    const logs = await Promise.all(ids.map((id) => finished(first, id)));

    expect(await runDragoman(['backup', file, '--restore'], fresh)).toMatchObject({ exitCode: 0, stderr: '' });
    const second = await serveHub(undefined, fresh);
    for (const [index, id] of ids.entries()) {
      await turnsOver(second.owner, id);
      const [log, restored] = [logs[index]!, await wholeLog(second.owner, id)];
      const own = restored.findIndex((event, at) => !isDeepStrictEqual(event, log[at]));
      const prefix = counted(foldHubEvents(restored.slice(0, own)));
      expect(prefix).toEqual(upTo(prefix.length));
      expect(prefix.length).toBeGreaterThanOrEqual(before[index]!);
      // The block that was being said at that moment is there as far as it had come.
      const told = counted(foldHubEvents(restored));
      const begun = told.slice(prefix.length);
      expect(told.slice(0, prefix.length)).toEqual(prefix);
      expect(begun.length).toBeLessThanOrEqual(1);
      expect(String(prefix.length + 1).startsWith(begun[0] ?? '')).toBe(true);
    }
    expect((await fetch(`${second.url}/api/me`, { headers: { 'api-key': token } })).status).toBe(200);

    expect(await runDragoman(['backup', file], old)).toMatchObject({ exitCode: 1 });
    expect(await runDragoman(['backup', file, '--restore'], old)).toMatchObject({ exitCode: 1 });
  },
);

/** The whole log of a session, once its agent was answered and came to its end. */
async function finished({ owner }: HubServer, sessionId: string) {
  const { id: approvalId } = await approvalOf(owner, sessionId);
  await owner.decideApproval({ sessionId, approvalId, optionId: 'a' });
  expect(counted(await turnsOver(owner, sessionId))).toEqual(upTo(SIZE.blocks));
  return wholeLog(owner, sessionId);
}
