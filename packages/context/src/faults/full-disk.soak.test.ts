import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DragomanError } from '@dragoman/protocol';
import { rounds, tempFolder } from '@dragoman/testkit';
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

/** A file system of that size, where this machine lets us make one. */
function smallDisk(megabytes: number): string | undefined {
  const folder = tempFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

/** Fills the disk but for so many kilobytes; the answer makes room again. */
function fill(disk: string, leftKilobytes: number): () => void {
  const file = join(disk, 'filling');
  const { available } = freeBytes(disk);
  writeFileSync(file, Buffer.alloc(Math.max(0, available - leftKilobytes * 1024)));
  return () => rmSync(file);
}

function freeBytes(disk: string): { available: number } {
  const [, line] = execFileSync('df', ['-B1', '--output=avail', disk], { encoding: 'utf8' }).split('\n');
  return { available: Number(line) };
}

/** What a refresh says that cannot do its work: one of our errors, in a sentence that names the reason. */
async function troubleOf(refresh: Promise<unknown>): Promise<string> {
  const error = await refresh.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DragomanError);
  return (error as DragomanError).message;
}

test('a full disk is told in a sentence wherever it fills up, and once there is room the index becomes right', async ({
  skip,
}) => {
  const disk = smallDisk(24);
  if (disk === undefined) skip('no file system can be mounted here');
  const root = plantedFolder(120);
  let told = 0;
  const tries = rounds(100);
  for (let attempt = 0; attempt < tries; attempt++) {
    const home = join(disk!, `home${attempt}`);
    const house = await openHouse(home);
    onTestFinished(house.close);
    const makeRoom = fill(disk!, 8 + Math.floor((attempt / tries) * 900));
    const opened = house.context.workspaces.open(USER, root).then((sync) => sync.refresh());
    const message = await opened.then(
      () => undefined,
      () => troubleOf(opened),
    );
    if (message !== undefined) {
      told++;
      expect(message).toMatch(
        /^(?:The index could not be written|Files cannot be stored|The workspace at \S+ cannot be opened|What is stored cannot be looked at|Files cannot be indexed): .*(?:ENOSPC|disk is full|disk I\/O error)/,
      );
      expect(message).not.toContain('\n');
    }
    makeRoom();

    await expectRightIn(house, root);
    await house.close();
    rmSync(home, { recursive: true });
  }
  expect(told).toBeGreaterThan(0);
});

test('a process that may not write files beyond a size ends with the reason and no stack, and another one gets it right', async () => {
  const root = plantedFolder(40);
  // In blocks of 512 bytes: from hardly more than the empty database to nearly enough.
  for (const blocks of rounds(50) === 1 ? [420] : [200, 300, 360, 420, 480, 560]) {
    const home = join(tempFolder(), 'home');
    mkdirSync(home);
    await (await openHouse(home)).close();
    const { status, stdout, stderr } = await runLimited(blocks, home, root);
    expect({ blocks, stderr }).toEqual({ blocks, stderr: '' });
    if (status !== 0)
      expect(stdout).toMatch(
        /^unavailable: (?:Files cannot|The index could not|The workspace at|What is stored)[^\n]*\n$/,
      );
    else expect(stdout).toBe('done\n');

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
