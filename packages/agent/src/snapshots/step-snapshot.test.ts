import { expect, test } from 'vitest';
import { countedGit } from './counted-git.fixture.ts';
import { plant, project } from './project.fixture.ts';
import { stepSnapshots } from './step-snapshot.ts';
import { tempFolder } from '@dragoman/testkit';

test('a step that changed files has the states before and after it, and the files [FR-18]', async () => {
  const { root, snapshots, track } = await project({ 'a.txt': 'a\n', 'b.txt': 'b\n' }, { isRepository: true });
  const steps = stepSnapshots(snapshots);
  const before = await track();

  await Promise.all([steps.beforeChange(), steps.beforeChange()]);
  plant(root, { 'b.txt': 'B\n', 'new/c.txt': 'c\n' });
  await steps.beforeChange();

  expect(await steps.afterStep()).toEqual({ before, after: await track(), files: ['b.txt', 'new/c.txt'] });
  expect(await steps.afterStep()).toBeUndefined();
});

test('a step without a tool that changes files runs no process, and one that changed nothing has no patch [FR-18]', async () => {
  const { gitPath, commands } = countedGit(tempFolder());
  const { root, snapshots, track } = await project({ 'a.txt': 'a\n' }, { gitPath });
  const steps = stepSnapshots(snapshots);

  plant(root, { 'a.txt': 'edited by a person\n' });
  expect(await steps.afterStep()).toBeUndefined();
  expect(commands()).toEqual([]);

  await track();
  commands();
  await steps.beforeChange();
  expect(await steps.afterStep()).toBeUndefined();
  expect(commands()).toEqual(['ls-files', 'ls-files']);
});

test('where there are no snapshots a step goes on without a patch', async () => {
  const { root, snapshots } = await project({ 'a.txt': 'a\n' }, { gitPath: 'no-such-git' });
  const steps = stepSnapshots(snapshots);

  await steps.beforeChange();
  plant(root, { 'a.txt': 'A\n' });
  expect(await steps.afterStep()).toBeUndefined();
});

test('a first state that was cancelled is told once, and the step has no patch', async () => {
  const { snapshots } = await project({ 'a.txt': 'a\n' });
  const steps = stepSnapshots(snapshots);

  await expect(steps.beforeChange(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  expect(await steps.afterStep()).toBeUndefined();
  await steps.beforeChange();
});

test('changes that cannot be told are logged and stop nothing', async () => {
  const { root, snapshots } = await project({ 'a.txt': 'a\n' });
  const warnings: string[] = [];
  const steps = stepSnapshots(
    { track: snapshots.track, changes: () => Promise.reject(new Error('the disk is full')) },
    { warn: (_, message) => warnings.push(message) },
  );
  await steps.beforeChange();
  plant(root, { 'a.txt': 'A\n' });

  expect(await steps.afterStep()).toBeUndefined();
  expect(warnings).toEqual(['what a step changed could not be told']);
});
