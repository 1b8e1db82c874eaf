import { join } from 'node:path';
import { realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { countedGit } from './counted-git.fixture.ts';
import { filesOf, git, openProject, plant, project } from './project.fixture.ts';

test('a state costs one process when nothing changed, three when something did, and none before it is asked for', async () => {
  const { gitPath, commands } = countedGit(tempFolder());
  const opened = await project({ 'a.txt': 'a\n' }, { isRepository: true, gitPath });
  const { folder, root, track } = opened;
  expect(await opened.snapshots.collectGarbage()).toBeUndefined();
  expect(commands()).toEqual([]);

  await track();
  expect(commands()).toEqual(['init', 'ls-files', 'cat-file', 'check-attr', 'ls-files', 'write-tree']);
  await track();
  expect(commands()).toEqual(['ls-files']);
  plant(root, { 'a.txt': 'A\n', 'b.txt': 'b\n' });
  await track();
  expect(commands()).toEqual(['ls-files', 'update-index', 'write-tree']);
  await track();
  expect(commands()).toEqual(['ls-files']);

  const next = await openProject({ folder, root, options: { gitPath } });
  await next.track();
  expect(commands()).toEqual(['ls-files', 'write-tree']);
});

test('a file that was only touched is the same state', async () => {
  const { root, snapshots, track } = await project({ 'a.txt': 'a\n' }, { isRepository: true });
  const before = await track();
  utimesSync(join(root, 'a.txt'), 1_700_000_000, 1_700_000_000);

  expect(await track()).toBe(before);
  expect(await snapshots.changes(before)).toEqual([]);
});

test('calls at the same time are done one after the other, also by two that share the folder', async () => {
  const { folder, root, snapshots, track } = await project({ 'a.txt': 'a\n' });
  const other = await openProject({ folder, root });
  const before = await track();
  plant(root, { 'a.txt': 'A\n' });

  const hashes = await Promise.all([track(), other.track(), snapshots.track(), other.track(), track()]);

  expect(new Set(hashes).size).toBe(1);
  expect(hashes[0]).not.toBe(before);
  expect(await other.snapshots.changes(before, hashes[0])).toHaveLength(1);
});

test('what points the git of outside elsewhere, or changes how it works, does not reach ours', async () => {
  const elsewhere = realpathSync(tempFolder());
  git(elsewhere, 'init', '--quiet');
  const outside = {
    GIT_DIR: join(elsewhere, '.git'),
    GIT_INDEX_FILE: join(elsewhere, 'index'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.autocrlf',
    GIT_CONFIG_VALUE_0: 'true',
    GIT_EXTERNAL_DIFF: '/bin/false',
  };
  Object.assign(process.env, outside);
  try {
    const { root, snapshots, track } = await project({ 'a.txt': 'one\r\n' });
    const before = await track();
    plant(root, { 'a.txt': 'two\n' });
    expect(await snapshots.diff(before, await track())).toContain('-one\r\n+two\n');
    await snapshots.restore(before, ['a.txt']);
    expect(filesOf(root)).toEqual({ 'a.txt': 'one\r\n' });
    expect(filesOf(elsewhere)).toEqual({});
  } finally {
    for (const name of Object.keys(outside)) delete process.env[name];
  }
});

test('a state that is called off says so, and the next one is whole', async () => {
  const { root, snapshots, track } = await project({ 'a.txt': 'a\n' });
  await expect(snapshots.track(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  const stop = new AbortController();
  const tracked = snapshots.track(stop.signal).catch((error: unknown) => error);
  stop.abort();
  expect(await tracked).toMatchObject({ code: 'cancelled' });

  const before = await track();
  plant(root, { 'a.txt': 'A\n' });
  expect(await snapshots.changes(before)).toHaveLength(1);
});

test('a git that does not end is stopped, and is not waited for at every step', async () => {
  const folder = tempFolder();
  const gitPath = join(folder, 'git');
  writeFileSync(gitPath, '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 });
  const { snapshots, warnings } = await project({ 'a.txt': 'a\n' }, { gitPath, timeLimitMs: 50 });

  expect(await snapshots.track()).toBeUndefined();
  expect(await snapshots.track()).toBeUndefined();

  expect(snapshots.refusal).toBe('git took longer than 50 ms.');
  expect(warnings).toEqual(['no snapshot of the files could be made: git took longer than 50 ms.']);
});

test('a folder that has become too full can still go back', async () => {
  const { folder, root, track } = await project({ 'a.txt': 'a\n' });
  const before = await track();
  plant(root, { 'a.txt': 'A\n' });
  const { snapshots } = await openProject({ folder, root, options: { maxFiles: 1 } });
  plant(root, { 'b.txt': 'b\n' });
  expect(await snapshots.track()).toBeUndefined();
  expect(snapshots.refusal).toContain('has 2 files');
  await expect(snapshots.restore(before, ['a.txt'])).rejects.toMatchObject({ code: 'too-large' });

  rmSync(join(root, 'b.txt'));
  expect((await snapshots.restore(before, ['a.txt'])).restored).toEqual(['a.txt']);
});

test('when shared objects are gone, the record of the files is made anew', async () => {
  const { root, snapshots, track, warnings } = await project(
    { 'a.txt': 'a\n', 'b/c.txt': 'c\n' },
    { isRepository: true },
  );
  await track();
  plant(root, { 'a.txt': 'A\n' });
  // The person throws the repository away and starts a new one.
  rmSync(join(root, '.git'), { recursive: true });
  git(root, 'init', '--quiet');

  const before = await track();
  plant(root, { 'b/c.txt': 'C\n' });
  expect(await snapshots.changes(before)).toHaveLength(1);
  await snapshots.restore(before, ['b/c.txt']);
  expect(filesOf(root)).toEqual({ 'a.txt': 'A\n', 'b/c.txt': 'c\n' });
  expect(warnings.every((warning) => warning.startsWith('the record of the files is made anew'))).toBe(true);
});

test('closed snapshots make no more states', async () => {
  const { snapshots, track } = await project({ 'a.txt': 'a\n' });
  const before = await track();
  await snapshots.close();

  expect(await snapshots.track()).toBeUndefined();
  await expect(snapshots.changes(before)).rejects.toMatchObject({ code: 'unavailable' });
});
