import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { guardedSchema, settleGuarded } from './settle-guarded.ts';

const noteSchema = z.object({
  pid: z.number(),
  /** When that process began, since numbers of processes are used again. */
  began: z.string(),
  guarded: guardedSchema,
  /** Empty folders that stand in for what is not there. */
  places: z.array(z.string()),
});
type Note = z.infer<typeof noteSchema>;

/** Notes down a command that is about to run; gives back how to forget it. */
export function noteRunning(folder: string, running: Pick<Note, 'guarded' | 'places'>): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.json`);
  const note: Note = { pid: process.pid, began: beganOf(process.pid) ?? '', ...running };
  writeFileSync(path, JSON.stringify(note), { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** Does what processes that were killed while a command ran had still to do. */
export async function settleLeftBehind(folder: string): Promise<void> {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const note = readNote(path);
    if (note !== undefined && beganOf(note.pid) === note.began) continue;
    rmSync(path, { force: true }); // First, so that nobody else does it too.
    if (note === undefined) continue;
    await settleGuarded(note.guarded);
    for (const place of note.places) removeEmpty(place);
  }
}

function readNote(path: string): Note | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined; // It was being written when its process ended, before the command began.
  }
}

/** The time at which a process began, in the system's own count; nothing where it is gone. */
function beganOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // No command has run yet.
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody has put something into it, or it is gone.
  }
}
