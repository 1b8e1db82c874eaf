import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** With less than this a disk counts as full: a prompt with its files would not fit. */
const ROOM_BYTES = 256 * 1024;
/** Whoever asks more often gets the last answer. */
const FRESH_MS = 1_000;

/** Whether there is room in a folder of ours, found out when somebody asks. */
export class DiskRoom {
  readonly #folder: string;
  #hasFailed = false;
  #isFull = false;
  #lookedAt = -Infinity;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A write failed for want of room, or perhaps for that. */
  noteFailed(): void {
    this.#hasFailed = true;
    if (!this.#isFull) this.#lookedAt = -Infinity;
  }

  isFull(now = performance.now()): boolean {
    if (now - this.#lookedAt < FRESH_MS) return this.#isFull;
    this.#isFull = (this.#hasFailed || isScarce(this.#folder)) && !canWrite(this.#folder);
    this.#hasFailed &&= this.#isFull;
    this.#lookedAt = performance.now();
    return this.#isFull;
  }
}

function isScarce(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < 2 * ROOM_BYTES;
  } catch {
    return false; // Some file systems do not say.
  }
}

/** What a file system says to be free may be kept for some, and a quota may be reached while much is free. */
function canWrite(folder: string): boolean {
  const file = join(folder, `.room-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(ROOM_BYTES), { mode: 0o600 });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(file, { force: true });
  }
}
