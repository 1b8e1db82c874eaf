import { z } from 'zod';
import { type PlainFile, readPlainFile } from './read-plain-file.ts';

const lockNoteSchema = z.object({
  pid: z.int().positive(),
  /** When that process was started; see `ProcessIdentity`. */
  birth: z.string().optional(),
  /** Where it listens; not there while it starts. */
  url: z.url({ protocol: /^http$/ }).optional(),
  /** In milliseconds. */
  startedAt: z.number(),
  /** What it proves with that it is the one; see `lockProof`. */
  secret: z.string().min(32),
  version: z.string(),
  /** It takes no more calls and is about to let go of the lock. */
  isStopping: z.literal(true).optional(),
});

/** What `server.lock` says of the server that has the data folder. */
export type LockNote = z.infer<typeof lockNoteSchema>;

/** The lock as it was read. A file that does not say who holds it has no note. */
export interface ReadLock extends PlainFile {
  note: LockNote | undefined;
}

/** Reads the lock of a data folder; nothing where there is none. Throws where it is no plain file of this user. */
export function readLock(file: string): ReadLock | undefined {
  const found = readPlainFile(file);
  return found && { ...found, note: parseNote(found.text) };
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
