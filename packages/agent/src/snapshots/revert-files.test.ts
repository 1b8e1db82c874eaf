import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, plant, project } from './project.fixture.ts';
import { revertFiles, unrevertFiles } from './revert-files.ts';
import { stepSnapshots } from './step-snapshot.ts';

test('every file goes back to its state in the oldest patch that names it, and forth again [FR-18]', async () => {
  const { root, snapshots } = await project(
    { 'a.txt': 'a1\n', 'b.txt': 'b1\n', 'c.txt': 'c1\n' },
    { isRepository: true },
  );
  const steps = stepSnapshots(snapshots);
  const step = async (act: () => void) => {
    await steps.beforeChange();
    act();
    const { before, files } = (await steps.afterStep())!;
    return { hash: before, files };
  };
  const patches = [
    await step(() => plant(root, { 'a.txt': 'a2\n', 'new.txt': 'n1\n' })),
    await step(() => plant(root, { 'a.txt': 'a3\n', 'b.txt': 'b2\n' })),
    await step(() => {
      rmSync(join(root, 'new.txt'));
      plant(root, { 'new.txt/now-a-folder.txt': 'x\n' });
    }),
  ];
  plant(root, { 'c.txt': 'by the person\n' });
  const now = filesOf(root);

  const reverted = await revertFiles(snapshots, patches);
  expect(reverted.skipped).toEqual([]);
  expect(reverted.restored.toSorted()).toEqual(['a.txt', 'b.txt', 'new.txt', 'new.txt/now-a-folder.txt']);
  expect(filesOf(root)).toEqual({ 'a.txt': 'a1\n', 'b.txt': 'b1\n', 'c.txt': 'by the person\n' });

  expect((await unrevertFiles(snapshots, reverted)).skipped).toEqual([]);
  expect(filesOf(root)).toEqual(now);

  await revertFiles(snapshots, patches.slice(1));
  expect(filesOf(root)).toEqual({ 'a.txt': 'a2\n', 'b.txt': 'b1\n', 'c.txt': 'by the person\n', 'new.txt': 'n1\n' });
});

test('where nothing can be put back it is said, not passed over', async () => {
  const { snapshots } = await project({ 'a.txt': 'a\n' }, { gitPath: 'no-such-git' });

  await expect(revertFiles(snapshots, [{ hash: 'a'.repeat(40), files: ['a.txt'] }])).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The git program was not found; without it files cannot be put back.',
  });
});
