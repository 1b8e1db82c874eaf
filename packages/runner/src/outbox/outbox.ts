import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DragomanError, newId, type OutboxBatch, type OutboxRecord } from '@dragoman/protocol';
import type { RunnerLog } from '../runner-log.ts';
import { lockFolder } from './folder-lock.ts';
import { type OutboxEntry, SegmentFiles } from './segment-files.ts';

/** Sizes of an outbox; the defaults are for everyone but tests. */
export interface OutboxLimits {
  /** How much of a file is written before the next one is begun. */
  segmentBytes: number;
  /** What is kept in memory of what the hub does not have yet; the rest is read from the files when its turn comes. */
  memoryBytes: number;
}

const LIMITS: OutboxLimits = { segmentBytes: 1024 * 1024, memoryBytes: 4 * 1024 * 1024 };

/** Set aside for what is said last on a full disk; and as much again has to be free before anything else is kept after that. */
const ROOM_BYTES = 256 * 1024;
const RESERVE_FILE = 'reserve';

/** Of so many sessions it is known what the hub had, the latest ones. */
const MOST_SESSIONS = 1_000;

/** What is kept beside the files: who we are, and how numbers in the files relate to those the hub is told. */
interface OutboxState {
  runnerId: string;
  outboxId: string;
  /** The number in the files that comes before the hub's number 1. */
  base: number;
  /** The last number, in the files, of each session that the hub had when a file was last removed. */
  lastOf: Readonly<Record<string, number>>;
}

/**
 * Everything that happened here and that the hub may not have yet, on disk and in order.
 *
 * `append` returns when the system has it: it is sent sooner or later, even if this process is killed in the next
 * moment. It is on the path of every token, and costs one write to the system. One process holds the folder.
 */
export class Outbox {
  readonly runnerId: string;
  readonly #folder: string;
  readonly #limits: OutboxLimits;
  readonly #log: RunnerLog;
  readonly #unlock: () => void;
  readonly #files: SegmentFiles;
  #state: OutboxState;
  /** The last number, in the files, that the hub has. */
  #acked: number;
  /** The newest entries; older ones than the first are in the files only. */
  #recent: OutboxEntry[] = [];
  #recentBytes = 0;
  /** Entries of an older file that are being sent. */
  #reread: OutboxEntry[] = [];
  #onAppend: (records: readonly OutboxRecord[]) => void = () => {};
  #isClosed = false;
  /** The last number of each session that the hub had, in the files' counting; the latest session last. */
  readonly #lastOf = new Map<string, number>();

  constructor(
    folder: string,
    log: RunnerLog,
    limits: Partial<OutboxLimits> = {},
    newRunnerId: () => string = () => newId('run'),
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#unlock = lockFolder(folder);
    try {
      this.#folder = folder;
      this.#log = log;
      this.#limits = { ...LIMITS, ...limits };
      this.#files = new SegmentFiles(folder, this.#limits.segmentBytes);
      const known = readState(folder);
      for (const [sessionId, last] of Object.entries(known?.lastOf ?? {})) this.#lastOf.set(sessionId, last);
      this.#state = known ?? this.#newState(newRunnerId(), this.#files.first - 1);
      this.#acked = this.#files.first - 1;
      this.runnerId = this.#state.runnerId;
      this.#keepReserve();
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  /** What the runner of a folder is called; one that was never opened gets its name now. */
  static runnerIdIn(folder: string, log: RunnerLog): string {
    const known = readState(folder)?.runnerId;
    if (known !== undefined) return known;
    const outbox = new Outbox(folder, log);
    outbox.close();
    return outbox.runnerId;
  }

  /** The name of the runner of a folder; nothing where none ever was. */
  static knownRunnerIdIn(folder: string): string | undefined {
    return readState(folder)?.runnerId;
  }

  /** Lets a folder be that of a known runner, as a restored backup needs it. What waited there for another one stays behind. */
  static takeRunnerId(folder: string, runnerId: string, log: RunnerLog): void {
    const outbox = new Outbox(folder, log, {}, () => runnerId);
    try {
      if (outbox.runnerId === runnerId) return;
      outbox.#files.rotate();
      outbox.ack(outbox.last);
      outbox.#newState(runnerId, outbox.#files.next - 1);
    } finally {
      outbox.close();
    }
  }

  /** Names this outbox to the hub; numbers count within it. */
  get outboxId(): string {
    return this.#state.outboxId;
  }

  /** The number of the last record, as the hub counts. */
  get last(): number {
    return this.#files.next - 1 - this.#state.base;
  }

  /** How many records the hub does not have yet, as far as we know. */
  get pending(): number {
    return this.#files.next - 1 - this.#acked;
  }

  /** Keeps records, all or none of them. Throws when they cannot be kept, such as when the disk is full. */
  append(records: readonly OutboxRecord[]): void {
    if (this.#isClosed) throw new DragomanError('unavailable', `the outbox in ${this.#folder} is closed`);
    if (records.length === 0) return;
    let entry: OutboxEntry;
    try {
      entry = this.#files.append(records);
    } catch (error) {
      throw notKept(this.#folder, error);
    }
    this.#recent.push(entry);
    this.#recentBytes += entry.bytes;
    if (this.#recentBytes > this.#limits.memoryBytes) this.#forgetOldest();
    this.#onAppend(records);
  }

  /** Gives up the room that was set aside, so that a few records more can be kept on a full disk. */
  useReserve(): void {
    rmSync(join(this.#folder, RESERVE_FILE), { force: true });
  }

  /** Whether records can be kept again after they could not: there is room for more than a few of them. */
  hasRoom(): boolean {
    if (this.#isClosed || !this.#keepReserve()) return false;
    const file = join(this.#folder, 'room');
    const isThere = fill(file);
    rmSync(file, { force: true });
    return isThere;
  }

  /** Is called at every append with what was kept; one listener at a time. */
  set onAppend(listener: (records: readonly OutboxRecord[]) => void) {
    this.#onAppend = listener;
  }

  /** The oldest records that the hub does not have, as many as fit, and at least one; nothing when it has all. */
  read(maxRecords: number, maxBytes: number): OutboxBatch | undefined {
    if (this.pending === 0) return undefined;
    const first = this.#acked + 1;
    const records: (OutboxRecord | null)[] = [];
    let bytes = 0;
    for (const entry of this.#entriesFrom(first)) {
      if (records.length > 0 && (bytes + entry.bytes > maxBytes || records.length + entry.records.length > maxRecords))
        break;
      records.push(...(entry.first < first ? entry.records.slice(first - entry.first) : entry.records));
      bytes += entry.bytes;
    }
    // A record that was damaged on disk still has its number; the hub passes it over, and tells it.
    return { outboxId: this.outboxId, first: first - this.#state.base, records: records as OutboxRecord[] };
  }

  /** The hub has everything up to this number of its counting. */
  ack(number: number): void {
    const acked = Math.min(number + this.#state.base, this.#files.next - 1);
    if (acked <= this.#acked) return;
    this.#noteLast(acked);
    this.#acked = acked;
    this.#recent = this.#dropDone(this.#recent);
    this.#recentBytes = this.#recent.reduce((sum, entry) => sum + entry.bytes, 0);
    this.#reread = this.#dropDone(this.#reread);
    try {
      const { first } = this.#files;
      this.#files.dropUpTo(acked);
      if (this.#files.first > first) this.#keepState(this.#state);
    } catch (error) {
      this.#log.warn({ err: error }, 'acknowledged records could not be removed from the outbox');
    }
  }

  /** The sessions of which the hub had more than up to this number of its counting. */
  sessionsBeyond(acked: number): string[] {
    const number = acked + this.#state.base;
    return [...this.#lastOf].flatMap(([sessionId, last]) => (last > number ? [sessionId] : []));
  }

  /**
   * Agrees with the hub where to go on. When the two cannot be made to agree, because one of them was set back to an
   * earlier state, what is here goes on under a new name from number 1; true then.
   */
  agree(acked: number): boolean {
    const { last } = this;
    const first = this.#files.first - this.#state.base;
    if (acked > last) {
      // What is here is the beginning of what the hub has: the end was lost with a disk that lost power.
      this.#log.warn({ acked, last }, 'the hub has more of the outbox than this disk; going on with a new one');
      this.#files.rotate();
      this.ack(last);
      this.#state = this.#newState(this.runnerId, this.#files.next - 1);
      return true;
    }
    if (acked < first - 1) {
      this.#log.warn({ acked, first }, 'the hub knows less of the outbox than before; going on with a new one');
      this.#state = this.#newState(this.runnerId, this.#acked);
      return true;
    }
    // Files may hold more than what we believed to be waiting; a number we know to be there is not sent again.
    const number = acked + this.#state.base;
    if (number < this.#acked) this.#rewind(number);
    else this.ack(acked);
    return false;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#files.close();
    this.#unlock();
  }

  #keepReserve(): boolean {
    const file = join(this.#folder, RESERVE_FILE);
    return statSync(file, { throwIfNoEntry: false })?.size === ROOM_BYTES || fill(file);
  }

  #noteLast(acked: number): void {
    for (const { first, records } of this.#entriesFrom(this.#acked + 1)) {
      if (first > acked) return;
      for (const [index, record] of records.entries())
        if (first + index <= acked && record !== null && 'sessionId' in record)
          this.#noteLastOf(record.sessionId, first + index);
    }
  }

  #noteLastOf(sessionId: string, number: number): void {
    this.#lastOf.delete(sessionId);
    this.#lastOf.set(sessionId, number);
    const [oldest] = this.#lastOf.keys();
    if (this.#lastOf.size > MOST_SESSIONS) this.#lastOf.delete(oldest!);
  }

  #rewind(number: number): void {
    this.#acked = number;
    this.#reread = [];
  }

  #entriesFrom(first: number): readonly OutboxEntry[] {
    const isRecent = this.#recent[0] !== undefined && this.#recent[0].first <= first;
    if (isRecent) return this.#recent;
    if (this.#reread[0] === undefined || this.#reread[0].first > first)
      this.#reread = this.#dropDone(this.#files.read(first));
    return this.#reread;
  }

  #dropDone(entries: OutboxEntry[]): OutboxEntry[] {
    const start = entries.findIndex((entry) => entry.first + entry.records.length - 1 > this.#acked);
    if (start === -1) return [];
    return start === 0 ? entries : entries.slice(start);
  }

  #forgetOldest(): void {
    let count = 0;
    // Some room is made at once, so that this is not done at every append.
    while (this.#recentBytes > this.#limits.memoryBytes / 2 && count < this.#recent.length - 1)
      this.#recentBytes -= this.#recent[count++]!.bytes;
    this.#recent.splice(0, count);
  }

  #newState(runnerId: string, base: number): OutboxState {
    return this.#keepState({ runnerId, outboxId: randomUUID(), base });
  }

  #keepState(numbers: Omit<OutboxState, 'lastOf'>): OutboxState {
    const state = { ...numbers, lastOf: Object.fromEntries(this.#lastOf) };
    writeState(this.#folder, state);
    return state;
  }
}

/** Takes room on the disk, with what no file system makes smaller; false, and nothing of it, where there is not enough. */
function fill(file: string): boolean {
  try {
    writeFileSync(file, randomBytes(ROOM_BYTES), { mode: 0o600 });
    return true;
  } catch {
    rmSync(file, { force: true });
    return false;
  }
}

const STATE_FILE = 'outbox.json';

function readState(folder: string): OutboxState | undefined {
  try {
    const { runnerId, outboxId, base, lastOf } = JSON.parse(readFileSync(join(folder, STATE_FILE), 'utf8')) as Record<
      string,
      unknown
    >;
    if (typeof runnerId !== 'string' || typeof outboxId !== 'string' || typeof base !== 'number') return undefined;
    return { runnerId, outboxId, base, lastOf: (lastOf as OutboxState['lastOf'] | undefined) ?? {} };
  } catch {
    return undefined;
  }
}

/** Put in its place as a whole, so that a kill leaves the old one or the new one. */
function writeState(folder: string, state: OutboxState): void {
  const file = join(folder, STATE_FILE);
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function notKept(folder: string, error: unknown): Error {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) return error as Error; // What could not be written as JSON is the caller's.
  const what =
    code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full; make room' : `it cannot be written (${code})`;
  return new DragomanError('data-folder', `nothing can be kept in ${folder}: ${what}`, {
    cause: error,
    isRetryable: true,
  });
}
