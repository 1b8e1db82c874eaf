import { closeSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { WaitingUsage } from './usage-row.ts';

/** A segment that is read whole must hold nobody up. */
const MAX_ROWS = 500;
/** About what a row takes in a file; only to tell how many there are before the file is read. */
const ROW_BYTES = 420;

/**
 * Some rows that wait to be stored, in the order they came: in memory, and in a file with one row a line.
 *
 * Each row is in the file when `add` returns, so the end of the process loses none of them.
 */
export class UsageSegment {
  readonly #file: string | undefined;
  #descriptor: number | undefined;
  /** Undefined while they are in the file alone. */
  #rows: WaitingUsage[] | undefined;
  #inFile = 0;
  #taken = 0;
  #isOpen = true;

  private constructor(file: string | undefined, rows: WaitingUsage[] | undefined) {
    this.#file = file;
    this.#rows = rows;
  }

  /** A new one with a file. Throws when that cannot be made. */
  static create(file: string, { isInMemory }: { isInMemory: boolean }): UsageSegment {
    const segment = new UsageSegment(file, isInMemory ? [] : undefined);
    segment.#descriptor = openSync(file, 'ax', 0o600);
    return segment;
  }

  /** A new one without a file, for when there is no room on the disk. */
  static inMemory(): UsageSegment {
    return new UsageSegment(undefined, []);
  }

  /** The file of a process that is gone. */
  static leftBehind(file: string): UsageSegment {
    const segment = new UsageSegment(file, undefined);
    segment.#isOpen = false;
    segment.#inFile = Math.ceil((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / ROW_BYTES);
    return segment;
  }

  get file(): string | undefined {
    return this.#file;
  }

  /** Whether it takes one more. */
  get hasRoom(): boolean {
    return this.#isOpen && this.#length < MAX_ROWS;
  }

  /** Whether its file is still written to, or could be. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How many are yet to be stored; about, for a file that was not read yet. */
  get waiting(): number {
    return this.#length - this.#taken;
  }

  get inMemory(): number {
    return this.#rows?.length ?? 0;
  }

  /** Takes a row. Throws when the file does not take it; it takes nothing more then. */
  add(row: WaitingUsage): void {
    if (this.#descriptor !== undefined) {
      const line = Buffer.from(`${JSON.stringify(row)}\n`);
      try {
        for (let at = 0; at < line.length;) at += writeSync(this.#descriptor, line, at);
      } catch (error) {
        this.#seal();
        throw error;
      }
    }
    this.#inFile++;
    this.#rows?.push(row);
  }

  /** The oldest rows that wait. Where they have to be read from the file, no more are added to it. */
  async peek(count: number): Promise<readonly WaitingUsage[]> {
    if (this.#rows === undefined) {
      this.#seal();
      this.#rows = readRows(await readFile(this.#file!, 'utf8').catch(toNothing));
    }
    return this.#rows.slice(this.#taken, this.#taken + count);
  }

  /** So many are stored. */
  take(count: number): void {
    this.#taken += count;
  }

  /** Forgets its rows, all of which are stored, for those that come next. */
  empty(): void {
    if (this.#descriptor !== undefined) ftruncateSync(this.#descriptor, 0);
    this.#rows = [];
    this.#inFile = this.#taken = 0;
  }

  /** Takes nothing more. The file stays for as long as something waits. */
  close(): void {
    this.#seal();
    if (this.#file !== undefined && this.waiting <= 0) rmSync(this.#file, { force: true });
  }

  get #length(): number {
    return this.#rows?.length ?? this.#inFile;
  }

  #seal(): void {
    this.#isOpen = false;
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** What can be read: the last line of a process that was ended while it wrote may be half a row. */
function readRows(text: string): WaitingUsage[] {
  return text.split('\n').flatMap((line) => {
    try {
      const row = JSON.parse(line) as WaitingUsage | null;
      return typeof row?.id === 'string' ? [row] : [];
    } catch {
      return [];
    }
  });
}

/** Another process has stored and removed it. */
function toNothing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
