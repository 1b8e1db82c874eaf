import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { askHealth, isAlive, type LockNote, readLock as readLockFile } from '@dragoman/server/beside';

/** A server that answers, as the lock of its data folder names it. */
export interface FoundServer {
  url: string;
  pid: number;
  /** Tells one start from another. */
  startedAt: number;
  version: string;
}

/** A busy machine lets a living server wait; where nothing listens, that is known at once. */
const ANSWER_MS = 5_000;

/**
 * The server that has this data folder. The lock alone is not enough, nor that somebody answers at its address: its
 * process lives, and whoever answers proves to know the secret of the lock. Before that, nobody is shown a token.
 */
export async function findServer(home: string, signal?: AbortSignal): Promise<FoundServer | undefined> {
  const note = readNote(home);
  const found = toFound(note);
  if (note === undefined || found === undefined || !isAlive(found.pid)) return undefined;
  const verdict = await askHealth({ url: found.url, secret: note.secret }, { answerMs: ANSWER_MS, signal });
  return verdict === 'well' ? found : undefined;
}

/** What the lock says, whether or not it is still true. One that names no address is of a server that starts. */
export function readLock(home: string): FoundServer | undefined {
  return toFound(readNote(home));
}

/** Whether a server has the folder, or had it when it died; is about to end in good order; or has left no lock behind. */
export function lockState(home: string): 'held' | 'stopping' | 'none' {
  const note = readNote(home);
  if (note === undefined) return existsSync(lockFile(home)) ? 'held' : 'none';
  return note.isStopping === true ? 'stopping' : 'held';
}

/** The data folder of a server that a person runs, as the command line chooses it. */
export function personsHome(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (env['DRAGOMAN_HOME']) return env['DRAGOMAN_HOME'];
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local'), 'dragoman');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'dragoman');
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'dragoman');
}

/** A lock that cannot be read, or is no plain file of this user, says nothing; a server that starts there says why. */
function readNote(home: string): LockNote | undefined {
  try {
    return readLockFile(lockFile(home))?.note;
  } catch {
    return undefined;
  }
}

function toFound(note: LockNote | undefined): FoundServer | undefined {
  if (note?.url === undefined || note.isStopping === true) return undefined;
  const { url, pid, startedAt, version } = note;
  return { url, pid, startedAt, version };
}

function lockFile(home: string): string {
  return join(home, 'server.lock');
}
