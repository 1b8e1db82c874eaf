import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { writeWhole } from './shadow-repository.ts';

/** A state that can be gone back to. */
export interface KeptState {
  hash: string;
  usedAtMs: number;
}

/**
 * The states that are kept. Each is a ref of our git directory, written here rather than by a process, so that git
 * knows what is still wanted; its time of change is when the state was last seen.
 */
export interface KeptStates {
  remember(hash: string, leftOut: readonly string[]): Promise<void>;
  /** Files that were there in that state and are not in its tree. */
  leftOut(hash: string): Promise<ReadonlySet<string>>;
  /** The one used longest ago comes first. */
  list(): Promise<KeptState[]>;
  forget(hash: string): Promise<void>;
}

/** The states that are kept in a git directory of ours. */
export function keptStates(gitDir: string, now: () => number = Date.now): KeptStates {
  const ref = (hash: string) => join(gitDir, 'refs', 'states', hash);
  const leftOut = async (hash: string) => {
    const text = await readFile(join(gitDir, 'left-out', hash), 'utf8').catch(() => '');
    return new Set(text.split('\0').filter((path) => path !== ''));
  };
  return {
    leftOut,
    async remember(hash, paths) {
      const known = paths.length === 0 ? undefined : await leftOut(hash);
      // The same tree can be seen with other files beside it; all of them are worth a warning.
      if (known !== undefined && paths.some((path) => !known.has(path)))
        await writeWhole(gitDir, join('left-out', hash), [...new Set([...known, ...paths])].join('\0'));
      const seconds = now() / 1_000;
      await utimes(ref(hash), seconds, seconds).catch(async () => {
        await writeWhole(gitDir, join('refs', 'states', hash), `${hash}\n`);
        await utimes(ref(hash), seconds, seconds);
      });
    },
    async list() {
      const names = await readdir(join(gitDir, 'refs', 'states'));
      const states = await Promise.all(
        names.map(async (hash) => ({ hash, usedAtMs: (await stat(ref(hash))).mtimeMs })),
      );
      return states.toSorted((one, other) => one.usedAtMs - other.usedAtMs);
    },
    async forget(hash) {
      await rm(ref(hash), { force: true });
      await rm(join(gitDir, 'left-out', hash), { force: true });
    },
  };
}

/** Throws what is not the name of a state; it would otherwise reach git as an option or a path. */
export function checkHash(hash: string): string {
  if (/^[0-9a-f]{40}$/.test(hash)) return hash;
  throw new DragomanError('bad-request', `"${hash}" is not the hash of a state: that has 40 digits from 0 to f.`);
}
