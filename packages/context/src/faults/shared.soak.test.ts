import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSoak, rounds, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { expectRight, expectRightIn } from './expect-right.fixture.ts';
import { answersOf, openHouse, USER } from './house.fixture.ts';
import { plantedWord, plantFile, plantTree } from './planted-tree.fixture.ts';

const ONCE = fileURLToPath(new URL('index-once.fixture.ts', import.meta.url));

function runOnce(home: string, root: string): Promise<string> {
  const program = spawn(process.execPath, ['--conditions=@dragoman/source', ONCE, home, root]);
  let output = '';
  program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  program.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => program.once('close', () => resolve(output)));
}

test('processes that index the same folder on the same data at once all end well, and the index is right', async () => {
  for (let round = 0; round < rounds(20); round++) {
    const folder = realpathSync(tempFolder());
    const [home, root] = [join(folder, 'home'), join(folder, 'root')];
    mkdirSync(root);
    plantTree(root, isSoak() ? 400 : 40);
    const house = await openHouse(home);
    onTestFinished(house.close);
    const others = [runOnce(home, root), runOnce(home, root)];
    await house.context.workspaces.view(USER, root);

    expect(await Promise.all(others)).toEqual(['done\n', 'done\n']);
    await house.close();
    await expectRight(home, root);
    rmSync(folder, { recursive: true });
  }
});

test('a workspace that is removed frees what only it had, and another that shares files with it still answers', async () => {
  const folder = realpathSync(tempFolder());
  const [home, kept, removed] = ['home', 'kept', 'removed'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(kept);
  plantTree(kept, 20);
  cpSync(kept, removed, { recursive: true });
  for (let file = 100; file < 180; file++) plantFile(removed, file, 0);
  const house = await openHouse(home);
  onTestFinished(house.close);
  for (const root of [kept, removed]) await house.context.workspaces.view(USER, root);
  const space = async () => ({
    blobs: (await house.context.engine.blobs.stats()).blobs,
    bytes: (await house.segments()).reduce((sum, segment) => sum + statSync(segment).size, 0),
  });
  const before = await space();
  expect(before.blobs).toBe(100);

  expect(await house.context.workspaces.remove(USER, removed)).toBe(true);
  expect(await house.context.workspaces.remove(USER, removed)).toBe(false);

  const after = await space();
  expect(after.blobs).toBe(20);
  expect(after.bytes).toBeLessThan(before.bytes / 2);
  const gone = plantedWord(100, 0);
  expect(await answersOf(house, kept, [gone])).toEqual({ [gone]: [] });
  await expectRightIn(house, kept);

  // It can come back at any time.
  await expectRightIn(house, removed);
  expect((await space()).blobs).toBe(100);
});
