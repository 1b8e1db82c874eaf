import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isSoak, rounds, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { expectRight } from './expect-right.fixture.ts';
import { plantTree, randomFrom } from './planted-tree.fixture.ts';

const PROGRAM = fileURLToPath(new URL('index-and-edit.fixture.ts', import.meta.url));
const FILES = isSoak() ? 400 : 30;
/** So many that the small segments they make are merged. */
const EDITS = 10;

interface Place {
  home: string;
  root: string;
}

/** Runs the program until it has printed so many lines, or to its end: the lines. */
async function runUntil(lines: number, { home, root }: Place, seed: number): Promise<string[]> {
  const program = spawn(
    process.execPath,
    ['--conditions=@dragoman/source', PROGRAM, home, root, `${seed}`, `${EDITS}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => program.once('close', resolve));
  const seen: string[] = [];
  for await (const line of createInterface({ input: program.stdout })) {
    seen.push(line);
    if (seen.length >= lines) program.kill('SIGKILL');
  }
  await ended;
  return seen;
}

test('wherever indexing is killed, the next process answers as a fresh index does', async () => {
  const random = randomFrom(4747);
  const newPlace = (): Place => {
    const folder = realpathSync(tempFolder());
    mkdirSync(join(folder, 'root'));
    plantTree(join(folder, 'root'), FILES);
    return { home: join(folder, 'home'), root: join(folder, 'root') };
  };
  let place = newPlace();
  const whole = await runUntil(Infinity, place, 1);
  expect(whole.at(-1)).toBe('done');
  expect(whole.filter((line) => /^(?:warning|error)/.test(line))).toEqual([]);
  expect(whole).toContain('segments were merged');
  if (isSoak()) await expectRight(place.home, place.root);

  const kills = rounds(50);
  for (let kill = 0; kill < kills; kill++) {
    // Every other time a process goes on where another one ended.
    if (kill % 2 === 1) place = newPlace();
    const lines = 1 + Math.floor(((kill + random()) / kills) * whole.length);
    const seen = await runUntil(lines, place, kill + 2);
    expect(seen.filter((line) => line.startsWith('error'))).toEqual([]);
    await expectRight(place.home, place.root);
  }
});
