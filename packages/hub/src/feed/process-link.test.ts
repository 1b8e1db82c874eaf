import { fillDisk, mountSmallDisk, tempFolder } from '@dragoman/testkit';
import { join } from 'node:path';
import { accessMigrations, openStore } from '@dragoman/server/base';
import { expect, onTestFinished, test } from 'vitest';
import { hubMigrations } from '../hub-migrations.ts';
import { ProcessLink } from './process-link.ts';

test('that others could not be told is logged once until it works again, and what they missed is told then (needs the right to mount)', async ({
  skip,
}) => {
  const disk = tempFolder();
  if (!mountSmallDisk(disk, 8)) skip('small disks cannot be made here');
  const location = { databaseFile: join(disk, 'dragoman.sqlite'), databaseUrl: undefined };
  const store = await openStore(location, { rooms: [accessMigrations, hubMigrations] });
  const heard: string[] = [];
  let tries = 0;
  const counted = {
    ...store,
    openChannel: async (...args: Parameters<typeof store.openChannel>) => {
      const channel = await store.openChannel(...args);
      return {
        ...channel,
        notify: (payload: string) => {
          tries += 1;
          return channel.notify(payload);
        },
      };
    },
  };
  const warnings: string[] = [];
  const link = new ProcessLink({ debug: () => {}, info: () => {}, warn: (_facts, text) => warnings.push(text) });
  const other = new ProcessLink({ debug: () => {}, info: () => {}, warn: () => {} });
  const nothing = { stored: () => {}, removed: () => {}, told: () => {}, missed: () => {} };
  await link.open(counted, nothing);
  await other.open(store, { ...nothing, told: (_topic, payload) => heard.push(payload) });
  onTestFinished(async () => {
    await Promise.all([link.close(), other.close()]);
    await store.close();
  });
  const soon = { timeout: 60_000 };
  const said = 'the other processes of the hub could not be told';

  const makeRoom = fillDisk(disk, 0);
  link.tell('changes', 'one');
  await expect.poll(() => tries, soon).toBeGreaterThan(2);
  expect(warnings).toEqual([said]);
  makeRoom();
  await expect.poll(() => heard, soon).toEqual(['one']);

  fillDisk(disk, 0);
  const before = tries;
  link.tell('changes', 'two');
  await expect.poll(() => tries, soon).toBeGreaterThan(before + 1);
  expect(warnings).toEqual([said, said]);
});
