import type { DataFolder } from '../config/data-folder.ts';
import { isAlive } from './is-alive.ts';
import { judgeHolder } from './judge-holder.ts';
import { readLock } from './lock-note.ts';
import type { RunningServer } from './server-runs-error.ts';

/** The server that runs on this data folder, for commands that only want to name it. One whose process is gone is none. */
export function findRunning(folder: DataFolder): RunningServer | undefined {
  const note = readLock(folder.lockFile)?.note;
  if (note?.url === undefined || note.isStopping === true || !isAlive(note.pid)) return undefined;
  return { url: note.url, pid: note.pid };
}

/** The server that runs on this data folder and has proved that it is the one, for commands that trust it with something. */
export async function findProven(folder: DataFolder): Promise<RunningServer | undefined> {
  const note = readLock(folder.lockFile)?.note;
  const holder = note === undefined ? undefined : await judgeHolder(note);
  return holder?.state === 'running' ? { url: holder.url, pid: note!.pid } : undefined;
}
