import { readFileSync } from 'node:fs';
import { z } from 'zod';

const lockNoteSchema = z.object({
  pid: z.int().positive(),
  /** Where it listens; not there while it starts. */
  url: z.url({ protocol: /^http$/ }).optional(),
  /** In milliseconds; `/health` tells the same, so that no other server is taken for this one. */
  startedAt: z.number(),
  version: z.string(),
  /** It takes no more calls and is about to let go of the lock. */
  isStopping: z.literal(true).optional(),
});

/** What `server.lock` says of the server that has the data folder. */
export type LockNote = z.infer<typeof lockNoteSchema>;

/** The lock as it was read. A file that does not say who holds it has no note. */
export interface ReadLock {
  text: string;
  note: LockNote | undefined;
}

/** Reads the lock of a data folder; nothing where there is none. */
export function readLock(file: string): ReadLock | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return { text, note: parseNote(text) };
}

/** The text of a lock: one line of JSON. */
export function lockText(note: LockNote): string {
  return `${JSON.stringify(note)}\n`;
}

function parseNote(text: string): LockNote | undefined {
  try {
    return lockNoteSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
