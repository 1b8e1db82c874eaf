import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';

/** What tells one state of a file from another. */
export interface FileVersion {
  mtimeMs: number;
  size: number;
  /** Of the whole content; absent when only a piece of the file was read. */
  hash?: string;
}

/** The version of a file that was just looked at, with its bytes when all of them were read. */
export function fileVersion(stats: Pick<Stats, 'mtimeMs' | 'size'>, bytes?: Uint8Array): FileVersion {
  const { mtimeMs, size } = stats;
  return bytes === undefined ? { mtimeMs, size } : { mtimeMs, size, hash: hash('sha256', bytes) };
}

/**
 * Which files a session knows, and as they were when it last saw them.
 *
 * A model edits from memory. This is what keeps it from writing over what a person, a formatter or another agent did in the
 * meantime. Paths are real paths. Content decides where it is known, because clocks are coarse and a touched file is still the
 * same file; else time and size do.
 */
export class SeenFiles {
  readonly #sessions = new Map<string, Map<string, FileVersion>>();

  /** The session has seen this file in this state: it read it, or it wrote it. */
  note(sessionID: string, path: string, version: FileVersion): void {
    let files = this.#sessions.get(sessionID);
    if (files === undefined) this.#sessions.set(sessionID, (files = new Map()));
    files.set(path, version);
  }

  /** Whether the session has seen the file in any state. */
  has(sessionID: string, path: string): boolean {
    return this.#sessions.get(sessionID)?.has(path) === true;
  }

  /** Whether the file is another than the session saw last. One that it never saw has not changed for it. */
  hasChanged(sessionID: string, path: string, now: FileVersion): boolean {
    const seen = this.#sessions.get(sessionID)?.get(path);
    if (seen === undefined) return false;
    if (seen.hash !== undefined && now.hash !== undefined) return seen.hash !== now.hash;
    return seen.mtimeMs !== now.mtimeMs || seen.size !== now.size;
  }

  /** The file is gone from where it was. */
  drop(sessionID: string, path: string): void {
    this.#sessions.get(sessionID)?.delete(path);
  }

  /** The session is over. */
  forget(sessionID: string): void {
    this.#sessions.delete(sessionID);
  }
}
