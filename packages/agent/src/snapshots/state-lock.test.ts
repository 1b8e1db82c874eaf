import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openProject, plant, project } from './project.fixture.ts';

test('a lock that a killed git left is cleared away', async () => {
  const { folder, root, track } = await project({ 'a.txt': 'a\n' });
  const before = await track();
  const gitDir = join(folder, 'snapshots', readdirSync(join(folder, 'snapshots'))[0]!);
  writeFileSync(join(gitDir, 'index.lock'), 'half an index');
  plant(root, { 'a.txt': 'A\n' });

  expect(await track()).not.toBe(before);
  expect(existsSync(join(gitDir, 'index.lock'))).toBe(false);
});

test('a git that outlived its parent is waited for before its lock is cleared away', async () => {
  const { folder, root, track } = await project({ 'a.txt': 'a\n' });
  await track();
  const gitDir = join(folder, 'snapshots', readdirSync(join(folder, 'snapshots'))[0]!);
  const orphan = spawn('git', ['cat-file', '--batch'], { env: { ...process.env, GIT_DIR: gitDir }, stdio: 'pipe' });
  onTestFinished(() => void orphan.kill());
  writeFileSync(join(gitDir, 'index.lock'), 'its work');
  writeFileSync(join(gitDir, 'git.pid'), `${orphan.pid}`);
  orphan.stdin.write('HEAD\n');
  await new Promise((resolve) => orphan.stdout.once('data', resolve));

  const hasty = await openProject({ folder, root, options: { timeLimitMs: 20 } });
  expect(await hasty.snapshots.track()).toBeUndefined();
  expect(hasty.warnings).toEqual([
    `no snapshot of the files could be made: Another process has worked on ${gitDir} for more than 20 ms.`,
  ]);
  expect(hasty.snapshots.refusal).toBeUndefined();
  expect(existsSync(join(gitDir, 'index.lock'))).toBe(true);

  const ended = new Promise((resolve) => orphan.once('exit', resolve));
  orphan.stdin.end();
  await ended;
  expect(await track()).toMatch(/^[0-9a-f]{40}$/);
  expect(existsSync(join(gitDir, 'index.lock'))).toBe(false);
});
