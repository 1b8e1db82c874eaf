import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rounds } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { bytesOf, filesOf, git, openProject, plant, project } from './project.fixture.ts';

const PROGRAM = fileURLToPath(new URL('track-for-ever.fixture.ts', import.meta.url));

/** Kills it so many turns of the event loop after it started on its last state; alone, or git with it. */
async function killAfter(lines: number, turns: number, withGit: boolean, folder: string, root: string): Promise<void> {
  const program = spawn(process.execPath, ['--conditions=@dragoman/source', PROGRAM, folder, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = new Promise((resolve) => program.once('exit', resolve));
  onTestFinished(() => void program.kill('SIGKILL'));
  let seen = 0;
  for await (const line of createInterface({ input: program.stdout })) {
    expect(line).toMatch(/^tracking/);
    if (++seen < lines) continue;
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    process.kill(withGit ? -program.pid! : program.pid!, 'SIGKILL');
    break;
  }
  await ended;
}

test('wherever a state is killed, the next one is whole, and the repository of the person untouched [FR-18]', async () => {
  const { folder, root } = await project({ 'a.txt': 'a\n' }, { isRepository: true });
  const repository = bytesOf(join(root, '.git'));
  const kills = rounds(100);
  for (let kill = 0; kill < kills; kill++) {
    await killAfter(1 + (kill % 3), (kill * 7_919) % 3_000, kill % 2 === 0, join(folder, 'snapshots'), root);

    const { snapshots, track, warnings } = await openProject({ folder, root });
    const files = filesOf(root);
    const before = await track();
    plant(root, Object.fromEntries(Object.keys(files).map((path) => [path, 'overwritten\n'])));
    const changes = await snapshots.changes(before);
    expect(changes).toHaveLength(Object.keys(files).length);
    expect(
      (
        await snapshots.restore(
          before,
          changes.map(({ path }) => path),
        )
      ).skipped,
    ).toEqual([]);
    expect(filesOf(root)).toEqual(files);
    expect(warnings).toEqual([]);
    await snapshots.collectGarbage({ keepDays: 0 });
    await snapshots.close();
  }
  expect(bytesOf(join(root, '.git'))).toEqual(repository);
  expect(git(root, 'fsck')).toBe('');
});
