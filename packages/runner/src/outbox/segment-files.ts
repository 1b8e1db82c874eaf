import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { OutboxRecord } from '@dragoman/protocol';

/** What was appended at once. The first of its records has the number `first`; a record that cannot be read is null. */
export interface OutboxEntry {
  first: number;
  records: readonly (OutboxRecord | null)[];
  /** How long it is in the file. */
  bytes: number;
}

interface Segment {
  first: number;
  path: string;
}

const SEGMENT_NAME = /^(\d{15})\.jsonl$/;

/**
 * Entries in files, in the order they came. A line is `[number, record, …]`; a file is named after the number of its
 * first record, so names alone tell which files hold nothing that is still needed, and the last file tells the next
 * number even when it is empty.
 *
 * A line is one write to the system, which keeps it when this process is killed. A write that was cut short leaves a
 * line that cannot be read at the end of the last file: it is cut off when the files are opened again. Whoever wrote it
 * was never told that it was kept.
 */
export class SegmentFiles {
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #segments: Segment[];
  #next: number;
  #file: number;
  #fileBytes: number;

  constructor(folder: string, segmentBytes: number) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    this.#segments = readdirSync(folder)
      .flatMap((name) => {
        const match = SEGMENT_NAME.exec(name);
        return match === null ? [] : [{ first: Number(match[1]), path: join(folder, name) }];
      })
      .toSorted((a, b) => a.first - b.first);
    if (this.#segments.length === 0) this.#segments.push(this.#segment(1));
    const last = this.#segments.at(-1)!;
    this.#file = openSync(last.path, 'a+', 0o600);
    const { next, bytes } = findEnd(last);
    this.#next = next;
    this.#fileBytes = bytes;
    if (fstatSync(this.#file).size > bytes) ftruncateSync(this.#file, bytes);
  }

  /** The number of the oldest record that is still in a file. */
  get first(): number {
    return this.#segments[0]!.first;
  }

  /** The number that the next record gets. */
  get next(): number {
    return this.#next;
  }

  /** Writes an entry. When this throws, nothing of it was written. */
  append(records: readonly OutboxRecord[]): OutboxEntry {
    // Made into text first: what cannot be written as JSON throws here and touches nothing.
    const line = Buffer.from(`${JSON.stringify([this.#next, ...records])}\n`);
    if (this.#fileBytes >= this.#segmentBytes) this.rotate();
    try {
      for (let at = 0; at < line.length;) at += writeSync(this.#file, line, at);
    } catch (error) {
      ftruncateSync(this.#file, this.#fileBytes);
      throw error;
    }
    const entry = { first: this.#next, records, bytes: line.length };
    this.#next += records.length;
    this.#fileBytes += line.length;
    return entry;
  }

  /** Every entry of the file that holds this number. */
  read(number: number): OutboxEntry[] {
    const index = this.#segments.findLastIndex((segment) => segment.first <= number);
    const segment = this.#segments[index];
    if (segment === undefined) return [];
    return readEntries(segment, this.#segments[index + 1]?.first ?? this.#next);
  }

  /** Removes files whose records are all at or below this number. */
  dropUpTo(number: number): void {
    const isAllDone = number >= this.#next - 1;
    if (isAllDone && this.#fileBytes >= this.#segmentBytes / 16) this.rotate();
    while (this.#segments.length > 1 && this.#segments[1]!.first <= number + 1)
      rmSync(this.#segments.shift()!.path, { force: true });
  }

  /** Goes on in a new file. */
  rotate(): void {
    const segment = this.#segment(this.#next);
    if (segment.path === this.#segments.at(-1)!.path) return;
    const file = openSync(segment.path, 'a', 0o600);
    closeSync(this.#file);
    this.#file = file;
    this.#fileBytes = 0;
    this.#segments.push(segment);
  }

  close(): void {
    closeSync(this.#file);
  }

  #segment(first: number): Segment {
    return { first, path: join(this.#folder, `${String(first).padStart(15, '0')}.jsonl`) };
  }
}

/** Where the last file ends: behind its last good line. */
function findEnd(segment: Segment): { next: number; bytes: number } {
  let next = segment.first;
  let bytes = 0;
  eachLine(readFileSync(segment.path), (line, end) => {
    const entry = parseLine(line);
    if (entry === undefined || entry.first < next) return;
    next = entry.first + entry.records.length;
    bytes = end;
  });
  return { next, bytes };
}

/** Numbers stay without a gap: where a line in the middle was damaged, its records are null. */
function readEntries(segment: Segment, next: number): OutboxEntry[] {
  const entries: OutboxEntry[] = [];
  let expected = segment.first;
  const fill = (until: number) => {
    if (until > expected)
      entries.push({ first: expected, records: Array.from({ length: until - expected }, () => null), bytes: 0 });
    expected = until;
  };
  eachLine(readFileSync(segment.path), (line) => {
    const entry = parseLine(line);
    if (entry === undefined || entry.first < expected || entry.first + entry.records.length > next) return;
    fill(entry.first);
    entries.push(entry);
    expected += entry.records.length;
  });
  fill(next);
  return entries;
}

function eachLine(bytes: Buffer, onLine: (line: Buffer, end: number) => void): void {
  let start = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, start)) {
    onLine(bytes.subarray(start, at), at + 1);
    start = at + 1;
  }
}

function parseLine(line: Buffer): OutboxEntry | undefined {
  try {
    const value: unknown = JSON.parse(line.toString());
    if (!Array.isArray(value) || value.length < 2 || !Number.isSafeInteger(value[0])) return undefined;
    const [first, ...records] = value as [number, ...OutboxRecord[]];
    return { first, records, bytes: line.length + 1 };
  } catch {
    return undefined;
  }
}
