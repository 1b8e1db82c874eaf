import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fillDisk, mountSmallDisk, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { folderHolder, isFolderHeld, lockFolder } from './folder-lock.ts';

/** A number that a process had which is gone. */
async function deadProcess(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid!;
}

/** Another process that has the lock, and says nothing of itself, until the test is over. */
async function holdElsewhere(folder: string, ms = 600_000): Promise<void> {
  const program = `const lock = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(join(folder, 'lock'))});
    lock.exec('BEGIN EXCLUSIVE'); console.log('held'); setTimeout(() => process.exit(), ${ms})`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
}

const note = (folder: string, holder: object) => writeFileSync(join(folder, 'holder.json'), JSON.stringify(holder));

test('who holds a folder is known while it does, and leaves no note behind', () => {
  const folder = tempFolder();
  expect(isFolderHeld(folder)).toBe(false);
  const release = lockFolder(folder);

  expect(isFolderHeld(folder)).toBe(true);
  expect(folderHolder(folder)).toMatchObject({ pid: process.pid });
  expect(JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8'))).toMatchObject({ pid: process.pid });
  release();
  expect([isFolderHeld(folder), folderHolder(folder), existsSync(join(folder, 'holder.json'))]).toEqual([
    false,
    undefined,
    false,
  ]);
  lockFolder(folder)();
});

test('looking at a folder that this process holds does not let go of it', async () => {
  const folder = tempFolder();
  const release = lockFolder(folder);
  onTestFinished(release);
  expect(isFolderHeld(folder)).toBe(true);

  const look = `const lock = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(join(folder, 'lock'))});
    lock.exec('BEGIN EXCLUSIVE')`;
  const child = spawn(process.execPath, ['-e', look], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (piece) => (said += String(piece)));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said).toContain('database is locked');
});

test.runIf(process.platform === 'linux')(
  'a process is never taken for the holder because it has the number of an earlier one',
  async () => {
    const folder = tempFolder();
    lockFolder(folder)();
    await holdElsewhere(folder);

    note(folder, { pid: process.pid, birth: 'another', since: 'long ago' });
    expect([isFolderHeld(folder), folderHolder(folder)]).toEqual([true, undefined]);
    note(folder, { pid: await deadProcess(), since: 'long ago' });
    expect([isFolderHeld(folder), folderHolder(folder)]).toEqual([true, undefined]);
    expect(() => lockFolder(folder)).toThrow(`${folder} is in use by another process;`);
  },
);

test('a folder that somebody only looked at in that moment is taken all the same', async () => {
  const folder = tempFolder();
  lockFolder(folder)();
  await holdElsewhere(folder, 20);

  expect(() => lockFolder(folder)()).not.toThrow();
});

test('two that look at a folder at once take nobody for its holder', () => {
  const folder = tempFolder();
  lockFolder(folder)();
  note(folder, { pid: process.pid, birth: 'of a process that is gone', since: 'long ago' });
  const other = new DatabaseSync(join(folder, 'lock'));
  other.exec('BEGIN EXCLUSIVE');

  expect(folderHolder(folder)).toBeUndefined();
  other.close();
});

test('on a full disk it is known who holds a folder, and that nobody does, and it can be taken (needs the right to mount)', async ({
  skip,
}) => {
  const folder = tempFolder();
  if (!mountSmallDisk(folder, 1)) skip('small disks cannot be made here');
  lockFolder(folder)();
  const makeRoom = fillDisk(folder, 0);
  expect(isFolderHeld(folder)).toBe(false);
  expect(() => lockFolder(folder)()).not.toThrow();

  makeRoom();
  await holdElsewhere(folder);
  fillDisk(folder, 0);
  expect([isFolderHeld(folder), folderHolder(folder)]).toEqual([true, undefined]);
});

test('a lock that cannot be taken is not said to be held by another', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'lock'), 'this is not a lock, but what somebody put in its place'.repeat(100));

  expect(() => isFolderHeld(folder)).toThrow('file is not a database');
  expect(() => lockFolder(folder)).toThrow('file is not a database');
});
