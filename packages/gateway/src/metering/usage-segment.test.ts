import { join } from 'node:path';
import { fillDisk, mountSmallDisk, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { WaitingUsage } from './usage-row.ts';
import { UsageSegment } from './usage-segment.ts';

test('of a row that the disk had room for only in part is said that it was not taken, and the others are read (needs the right to mount)', async ({
  skip,
}) => {
  const disk = tempFolder();
  if (!mountSmallDisk(disk, 1)) skip('small disks cannot be made here');
  const segment = UsageSegment.create(join(disk, 'usage'), { isInMemory: false });
  fillDisk(disk, 4);
  const taken: string[] = [];
  const add = (id: string) => {
    segment.add({ id, note: 'x'.repeat(1_000) } as unknown as WaitingUsage);
    taken.push(id);
  };

  expect(() => {
    for (let count = 0; count < 10; count++) add(`row ${count}`);
  }).toThrow('ENOSPC');

  expect(taken).toEqual(['row 0', 'row 1', 'row 2']);
  expect((await segment.peek(10)).map(({ id }) => id)).toEqual(taken);
});
