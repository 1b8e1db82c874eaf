import type { DataFolder } from '../config/data-folder.ts';
import { judgeHolder, type PassingState } from './judge-holder.ts';
import { readLock } from './lock-note.ts';
import { lockToken } from './lock-proof.ts';
import { isProcessAlive, isProcessProven, type ProcessIdentity } from './process-identity.ts';
import type { RunningServer } from './server-runs-error.ts';

/** The server that has a data folder, in whatever state it is. */
export interface ServerHolder {
  process: ProcessIdentity;
  state: 'running' | PassingState;
  /** Where it listens, once it does. */
  url: string | undefined;
}

/** A server starts or stops for no longer than this. */
const PASSING_MS = 60_000;

/** The server that runs on this data folder, for commands that only want to name it. One whose process is gone is none. */
export function findRunning(folder: DataFolder): RunningServer | undefined {
  const note = readLock(folder.lockFile)?.note;
  if (note?.url === undefined || note.isStopping === true || !isProcessAlive(note)) return undefined;
  return { url: note.url, pid: note.pid };
}

/**
 * The server that has this data folder, for a command that ends it. The process in a lock that was left behind may be
 * another program by now: one that did not prove to be the server is taken for it only where its start or its port says so.
 */
export async function findHolder(folder: Pick<DataFolder, 'lockFile'>): Promise<ServerHolder | undefined> {
  const held = readLock(folder.lockFile);
  if (held?.note === undefined) return undefined;
  const { pid, birth, url } = held.note;
  const { state } = await judgeHolder(held.note);
  if (state === 'gone') return undefined;
  const isPassing = state === 'starting' || state === 'stopping';
  if (isPassing && !isProcessProven({ pid, birth }) && Date.now() - held.writtenAt > PASSING_MS) return undefined;
  return { process: { pid, birth }, state, url };
}

/** The server that runs on this data folder and has proved that it is the one, for commands that trust it with something. */
export async function findProven(
  folder: Pick<DataFolder, 'lockFile'>,
): Promise<(RunningServer & { runnerToken: string }) | undefined> {
  const note = readLock(folder.lockFile)?.note;
  const holder = note === undefined ? undefined : await judgeHolder(note);
  if (note === undefined || holder?.state !== 'running') return undefined;
  return { url: holder.url, pid: note.pid, runnerToken: lockToken(note) };
}
