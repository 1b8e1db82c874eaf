import { openStore } from '@dragoman/server';
import { freshLocation } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { contextMigrations } from '../../context-migrations.ts';
import { blobName } from '../../sync/blob-name.ts';
import { BuildLeases } from './build-leases.ts';
import type { SegmentTables } from './segment-tables.ts';

const [ONE, TWO] = [blobName('src/one.ts', 'one'), blobName('src/two.ts', 'two')];

async function openLeases() {
  const location = await freshLocation('postgres', [contextMigrations]);
  return async () => {
    const store = await openStore(location, { rooms: [contextMigrations], onIdleError: () => {} });
    const leases = new BuildLeases(store.tables<SegmentTables>());
    onTestFinished(async () => {
      leases.close();
      await store.close();
    });
    return leases;
  };
}

test('what a server has just released is free for itself, before its row is gone; what another one builds is not', async () => {
  const open = await openLeases();
  const [here, there] = [await open(), await open()];
  const own = here.take([ONE]);
  await there.takeFree([TWO], 1);

  void own.release();

  expect((await here.takeFree([ONE, TWO], 2)).free).toEqual([ONE]);
});
