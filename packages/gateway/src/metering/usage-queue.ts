import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '@dragoman/server/base';
import type { WaitingUsage } from './usage-row.ts';
import { UsageSegment } from './usage-segment.ts';

/** Beyond these, rows wait in files alone. */
const MAX_IN_MEMORY = 5_000;
/** Where no file takes them, so many are kept at most. */
const MAX_UNSAVED = 20_000;

/** When it was made, by which process, and its number there. */
const FILE_NAME = /^(\d{13})-(\d+)-(\d+)\.jsonl$/;

/** About how many rows wait in a data folder that no process works on, to be stored by the next. */
export function countLeftBehind(dataFolder: string): number {
  return leftBehind(usageFolder(dataFolder)).reduce((total, file) => total + UsageSegment.leftBehind(file).waiting, 0);
}

/** Where rows wait, in a data folder. */
export function usageFolder(dataFolder: string): string {
  return join(dataFolder, 'usage');
}

/** The files of this process that are in use. */
const inUse = new Set<string>();
let made = 0;

/**
 * What waits to be stored, the oldest first. With a folder it survives the process: what one left behind that is gone
 * comes first in the next.
 */
export class UsageQueue {
  readonly #folder: string | undefined;
  readonly #segments: UsageSegment[] = [];
  #problem: unknown;

  constructor(folder: string | undefined) {
    this.#folder = folder;
    if (folder !== undefined) this.#segments.push(...leftBehind(folder).map((file) => adopt(file)));
  }

  /** How many rows wait; about, where files of an earlier process were not read yet. */
  get size(): number {
    return this.#segments.reduce((total, { waiting }) => total + waiting, 0);
  }

  /** Why what is added now is in memory alone; undefined when it is in a file. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Keeps a row. Throws when there is no room for it. */
  add(row: WaitingUsage): void {
    try {
      this.#openSegment().add(row);
    } catch (error) {
      if (this.#inMemory >= MAX_UNSAVED) throw error;
      this.#problem = error;
      const segment = UsageSegment.inMemory();
      segment.add(row);
      this.#segments.push(segment);
    }
  }

  /** The oldest rows, `count` at most; none when nothing waits. */
  async peek(count: number): Promise<readonly WaitingUsage[]> {
    for (let first = this.#segments[0]; first !== undefined; first = this.#segments[0]) {
      const rows = await first.peek(count);
      if (rows.length > 0) return rows;
      if (this.#segments.length === 1 && first.isOpen) return [];
      this.#removeFirst();
    }
    return [];
  }

  /** So many of the oldest are stored. */
  take(count: number): void {
    const [first] = this.#segments;
    first?.take(count);
    if (first === undefined || first.waiting > 0) return;
    if (this.#segments.length === 1 && first.isOpen) first.empty();
    else this.#removeFirst();
  }

  /** What waits stays in its files. */
  close(): void {
    for (const segment of this.#segments.splice(0)) letGo(segment);
  }

  get #inMemory(): number {
    return this.#segments.reduce((total, { inMemory }) => total + inMemory, 0);
  }

  #openSegment(): UsageSegment {
    const last = this.#segments.at(-1);
    if (last?.hasRoom === true) return last;
    const segment = this.#folder === undefined ? this.#boundedSegment() : createSegment(this.#folder, this.#inMemory);
    this.#segments.push(segment);
    this.#problem = undefined;
    return segment;
  }

  #boundedSegment(): UsageSegment {
    if (this.#inMemory >= MAX_UNSAVED) throw new Error(`${MAX_UNSAVED} records are already waiting`);
    return UsageSegment.inMemory();
  }

  #removeFirst(): void {
    const first = this.#segments.shift();
    if (first !== undefined) letGo(first);
  }
}

function createSegment(folder: string, rowsInMemory: number): UsageSegment {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${Date.now()}-${process.pid}-${made++}.jsonl`);
  const segment = UsageSegment.create(file, { isInMemory: rowsInMemory < MAX_IN_MEMORY });
  inUse.add(file);
  return segment;
}

function adopt(file: string): UsageSegment {
  inUse.add(file);
  return UsageSegment.leftBehind(file);
}

function letGo(segment: UsageSegment): void {
  segment.close();
  if (segment.file !== undefined) inUse.delete(segment.file);
}

/** The files of processes that are gone, the oldest first. Rows are stored once each, so two that take the same do no harm. */
function leftBehind(folder: string): string[] {
  return listFiles(folder)
    .filter(({ file, pid }) => !inUse.has(file) && (pid === process.pid || !isAlive(pid)))
    .map(({ file }) => file);
}

function listFiles(folder: string): { file: string; pid: number }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return []; // There is none yet.
  }
  return names
    .flatMap((name) => {
      const [, at, pid, number] = FILE_NAME.exec(name) ?? [];
      return at === undefined
        ? []
        : [{ file: join(folder, name), at: Number(at), pid: Number(pid), number: Number(number) }];
    })
    .toSorted((one, other) => one.at - other.at || one.number - other.number);
}
