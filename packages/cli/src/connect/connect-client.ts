import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Client, Connection, Surroundings } from './client.ts';
import { readClientFile, removeClientFile, writeClientFile } from './client-file.ts';
import {
  type ConnectionRecord,
  type ConnectionRecords,
  findToken,
  type RecordedFile,
  withToken,
} from './connection-records.ts';
import { planChange, type PlannedFile } from './plan-change.ts';
import { undoFile } from './undo-file.ts';

/** This machine, as its programs see it. */
export function thisMachine(): Surroundings {
  const home = process.env['HOME'] || process.env['USERPROFILE'] || homedir();
  return { home, env: process.env, platform: process.platform, exists: existsSync };
}

/** What becomes of each file of a client. Nothing is written. */
export function planConnection(client: Client, connection: Connection, around: Surroundings): PlannedFile[] {
  return client.plan(connection, around).map(({ path, edits }) => planChange(path, readClientFile(path)?.text, edits));
}

/** Writes what was planned: the way back first, then the files. Where one cannot be written, all are as they were. */
export function writeConnection(
  files: readonly PlannedFile[],
  token: string,
  records: ConnectionRecords,
  about: Omit<ConnectionRecord, 'files'>,
): void {
  const recorded = files.map((file): RecordedFile => {
    const mode = readClientFile(file.path)?.mode;
    return {
      path: file.path,
      isNew: file.before === undefined,
      ...(mode === undefined ? {} : { mode }),
      steps: file.steps,
    };
  });
  records.write({ ...about, files: recorded }, token);
  const written: PlannedFile[] = [];
  try {
    for (const [place, file] of files.entries()) {
      const mode = recorded[place]!.mode;
      // What holds a token is its owner's alone.
      const narrow = file.after.includes(token) ? (mode ?? 0o600) & 0o700 : mode;
      written.push(file);
      writeClientFile(file.path, file.after, narrow);
    }
  } catch (error) {
    for (const file of written) restore(file, recorded.find(({ path }) => path === file.path)?.mode);
    records.remove(about.client);
    throw error;
  }
}

function restore({ path, before }: PlannedFile, mode: number | undefined): void {
  if (before === undefined) removeClientFile(path);
  else writeClientFile(path, before, mode);
}

/** A file after its connection was undone. */
export interface UndonePlan {
  path: string;
  before: string;
  /** Undefined where the file goes. */
  after: string | undefined;
  mode: number | undefined;
  kept: string[];
}

/** What undoing would do to each file that is still there. */
export function planUndo(record: ConnectionRecord): UndonePlan[] {
  const current = record.files.map(({ path }) => readClientFile(path)?.text);
  const token = findToken(
    record,
    current.flatMap((text) => text ?? []),
  );
  const { files } = token === undefined ? record : withToken(record, token);
  return files.flatMap(({ path, isNew, mode, steps }, place) => {
    const before = current[place];
    if (before === undefined) return [];
    const { text, kept } = undoFile(before, steps, token);
    return [{ path, before, after: isNew && EMPTY.test(text) ? undefined : text, mode, kept }];
  });
}

/** A file that says nothing, in any of the formats. */
const EMPTY = /^\s*(?:\{\s*\}\s*)?$/;

/** Writes what was planned. */
export function writeUndo(plans: readonly UndonePlan[]): void {
  for (const { path, before, after, mode } of plans) {
    if (after === undefined) removeClientFile(path);
    else if (after !== before || mode !== undefined) writeClientFile(path, after, mode);
  }
}
