import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DragomanError } from '@dragoman/protocol';
import { fillDisk, isSoak, mountSmallDisk, rounds, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { expectRight, expectRightIn } from './expect-right.fixture.ts';
import { openHouse, USER } from './house.fixture.ts';
import { plantTree } from './planted-tree.fixture.ts';

const PROGRAM = fileURLToPath(new URL('index-once.fixture.ts', import.meta.url));

function plantedFolder(files: number): string {
  const root = realpathSync(tempFolder());
  plantTree(root, files);
  return root;
}

const FULL = 'The disk of the server is full. Free up some space there, then try again.';

test.for([
  { what: 'the data folder is on', disk: '.', megabytes: 16, most: 900 },
  { what: 'the index is on', disk: 'home/index', megabytes: 2, most: 200 },
])(
  'when the disk $what is full that is told in a sentence, and once there is room the index becomes right (needs the right to mount)',
  async ({ disk, megabytes, most }, { skip }) => {
    const folder = realpathSync(tempFolder());
    const home = join(folder, 'home');
    skip(!mountSmallDisk(join(folder, disk), megabytes), 'no file system can be mounted here');
    const root = plantedFolder(isSoak() ? 120 : 30);
    const told: string[] = [];
    const tries = rounds(50);
    for (let attempt = 0; attempt < tries; attempt++) {
      const house = await openHouse(home);
      onTestFinished(house.close);
      const makeRoom = fillDisk(join(folder, disk), Math.floor((attempt / tries) * most));
      await house.context.workspaces.view(USER, root).catch((error: unknown) => {
        told.push(error instanceof DragomanError ? error.message : String((error as Error).stack));
      });
      makeRoom();

      await expectRightIn(house, root);
      await house.context.workspaces.remove(USER, root);
      await house.close();
    }
    expect([...new Set(told)]).toEqual([FULL]);
  },
);

test('a process that may not write files beyond a size ends with the reason and no stack, and another one gets it right', async () => {
  const root = plantedFolder(isSoak() ? 40 : 30);
  // In blocks of 512 bytes: from hardly more than the empty database to nearly enough.
  for (const blocks of isSoak() ? [200, 300, 360, 420, 480, 560] : [420]) {
    const home = join(tempFolder(), 'home');
    mkdirSync(home);
    await (await openHouse(home)).close();
    const { status, stdout, stderr } = await runLimited(blocks, home, root);
    expect({ blocks, stderr }).toEqual({ blocks, stderr: '' });
    expect(stdout).toMatch(/^(?:done|unavailable: (?:Files cannot|The index could not|The workspace at)[^\n]*)\n$/);
    expect(status === 0).toBe(stdout === 'done\n');

    await expectRight(home, root);
  }
});

function runLimited(
  blocks: number,
  home: string,
  root: string,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const program = spawn('sh', [
    '-c',
    `ulimit -f ${blocks} && exec "$0" --conditions=@dragoman/source "$@"`,
    process.execPath,
    PROGRAM,
    home,
    root,
  ]);
  const output = { stdout: '', stderr: '' };
  program.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  program.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  return new Promise((resolve) => program.once('close', (status) => resolve({ status, ...output })));
}
