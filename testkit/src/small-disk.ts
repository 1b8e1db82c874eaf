import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readSql, runSql } from './store-location.ts';

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

/**
 * Lets the tables of an empty PostgreSQL database be made in a small file system until the test ends, which is answered;
 * undefined where this machine does not let us.
 */
export async function tablesOnSmallDisk(databaseUrl: string, megabytes: number): Promise<string | undefined> {
  const question = `select setting as folder from pg_settings where name = 'data_directory'`;
  const [{ folder }] = (await readSql(databaseUrl, question)) as [{ folder: string }];
  const disk = mkdtempSync(join(dirname(folder), 'small-'));
  if (!mountSmallDisk(disk, megabytes)) return undefined;
  const tables = join(disk, 'tables');
  mkdirSync(tables);
  const { uid, gid } = statSync(folder);
  for (const one of [disk, tables]) chownSync(one, uid, gid);
  const space = `small_${randomBytes(4).toString('hex')}`;
  await runSql(databaseUrl, `create tablespace ${space} location '${tables}'`);
  await runSql(
    databaseUrl,
    `alter database ${new URL(databaseUrl).pathname.slice(1)} set default_tablespace = ${space}`,
  );
  onTestFinished(async () => {
    await runSql(databaseUrl, 'drop schema public cascade; create schema public');
    await runSql(databaseUrl, `drop tablespace ${space}`);
  });
  return disk;
}

/** Fills the disk but for so many kilobytes; the answer makes room again. */
export function fillDisk(disk: string, leftKilobytes: number): () => void {
  const file = join(disk, 'filling');
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - leftKilobytes * 1024)));
  } catch (error) {
    // Somebody else wrote meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  return () => rmSync(file);
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}
