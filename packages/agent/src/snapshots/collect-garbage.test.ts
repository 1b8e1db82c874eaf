import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { filesOf, git, openProject, plant, project } from './project.fixture.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

test('states that nobody has seen for a week go, the others and the one of now stay', async () => {
  let now = Date.now() - 20 * DAY_MS;
  const { root, snapshots, track } = await project({ 'a.txt': 'first\n', 'same.txt': 's\n' }, { now: () => now });
  const first = await track();
  plant(root, { 'a.txt': 'second\n' });
  const second = await track();
  now += 10 * DAY_MS;
  plant(root, { 'a.txt': 'third\n' });
  const third = await track();
  plant(root, { 'a.txt': 'second\n' });
  expect(await track()).toBe(second);
  plant(root, { 'a.txt': 'fourth\n' });
  const fourth = await track();

  const report = await snapshots.collectGarbage({ keepDays: 7 });

  expect(report).toMatchObject({ keptStates: 3, forgottenStates: 1 });
  expect(report!.bytes).toBeLessThan(report!.bytesBefore);
  await expect(snapshots.changes(first, fourth)).rejects.toMatchObject({ code: 'not-found' });
  for (const [hash, text] of [
    [second, 'second\n'],
    [third, 'third\n'],
  ] as const) {
    await snapshots.restore(hash, ['a.txt']);
    expect(filesOf(root)).toEqual({ 'a.txt': text, 'same.txt': 's\n' });
  }
  now += 8 * DAY_MS;
  expect(await snapshots.collectGarbage()).toMatchObject({ keptStates: 0 });
  plant(root, { 'a.txt': 'fifth\n' });
  expect(await track()).toBeDefined();
});

test('above the limit of space the oldest states go first', async () => {
  let now = Date.now();
  const { folder, root, track } = await project({}, { now: () => now });
  const states: string[] = [];
  for (let count = 0; count < 6; count++) {
    plant(root, { 'noise.bin': randomBytes(30_000) });
    states.push(await track());
    now += 1_000;
  }
  const { snapshots } = await openProject({ folder, root, options: { maxBytes: 100_000, now: () => now } });

  const report = await snapshots.collectGarbage();

  expect(report!.bytes).toBeLessThanOrEqual(100_000);
  expect(report!.keptStates).toBeGreaterThan(0);
  await expect(snapshots.changes(states[0]!, states[5])).rejects.toMatchObject({ code: 'not-found' });
  expect(await snapshots.changes(states[4]!, states[5])).toHaveLength(1);
});

test('of files that do not fit the space no states are made, and what was kept of them goes', async () => {
  const { folder, root, track, snapshots } = await project({ 'a.bin': randomBytes(30_000) }, { maxBytes: 100_000 });
  await track();
  plant(root, { 'b.bin': randomBytes(30_000), 'c.bin': randomBytes(30_000), 'd.bin': randomBytes(30_000) });
  await track();

  expect(await snapshots.collectGarbage()).toMatchObject({ keptStates: 0, bytes: 0 });
  expect(snapshots.refusal).toBe(`The files of ${root} do not fit into the 100000 bytes that their states may take.`);
  expect(await snapshots.track()).toBeUndefined();

  const next = await openProject({ folder, root, options: { maxBytes: 100_000 } });
  expect(await next.snapshots.track()).toBeUndefined();
  expect(next.snapshots.refusal).toBe(
    `The files of ${root} do not fit into the 100000 bytes that their states may take.`,
  );
  expect(filesOf(root)).toHaveProperty('d.bin');
});

test('a collection is made by itself when much was added', async () => {
  let now = Date.now();
  const { root, snapshots, track } = await project({}, { now: () => now, maxBytes: 100_000 });
  const states: string[] = [];
  for (let count = 0; count < 6; count++) {
    plant(root, { 'noise.bin': randomBytes(30_000) });
    states.push(await track());
    now += 1_000;
  }
  // It waits for its turn.
  await expect(snapshots.changes(states[0]!, states[5])).rejects.toMatchObject({ code: 'not-found' });
  expect(await snapshots.changes(states[4]!, states[5])).toHaveLength(1);
});

test('many small objects are packed, and states come out of a pack as they went in', async () => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at % 5}/${at}.txt`, `${at}\n`]));
  const { root, snapshots, track } = await project(files, { maxObjectFiles: 50 });
  const first = await track();
  plant(root, { 'f0/0.txt': 'changed\n' });
  await track();

  const report = await snapshots.collectGarbage();

  expect(report).toMatchObject({ keptStates: 2, forgottenStates: 0 });
  expect(report!.bytes).toBeLessThan(report!.bytesBefore);
  expect((await snapshots.restore(first, ['f0/0.txt', 'f1/1.txt'])).skipped).toEqual([]);
  expect(filesOf(root)).toEqual(files);
  expect(await track()).toBe(first);
});

test('states whose shared objects are gone do not stop the collection', async () => {
  const { root, snapshots, track } = await project({ 'a.txt': 'a\n' }, { isRepository: true });
  await track();
  rmSync(join(root, '.git'), { recursive: true });
  git(root, 'init', '--quiet');

  expect(await snapshots.collectGarbage({ keepDays: 0 })).toMatchObject({ keptStates: 0 });
  expect(await track()).toBeDefined();
});
