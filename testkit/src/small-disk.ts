import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Puts a file system of that size at a folder until the test ends; false where this machine does not let us. */
export function mountSmallDisk(folder: string, megabytes: number): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder);
  } catch {
    return false;
  }
  onTestFinished(() => run('umount', '-l', folder));
  return true;
}

/** Fills the disk but for so many kilobytes; the answer makes room again. */
export function fillDisk(disk: string, leftKilobytes: number): () => void {
  const file = join(disk, 'filling');
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - leftKilobytes * 1024)));
  return () => rmSync(file);
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}
