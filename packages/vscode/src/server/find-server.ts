import { get } from 'node:http';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

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
const MAX_ANSWER = 10_000;

/** The server that has this data folder. The lock alone is not enough: it counts if the same server answers. */
export async function findServer(home: string, signal?: AbortSignal): Promise<FoundServer | undefined> {
  const note = await readLock(home);
  return note !== undefined && (await isWell(note, signal)) ? note : undefined;
}

/** What the lock says, whether or not it is still true. One that names no address is of a server that starts. */
export async function readLock(home: string): Promise<FoundServer | undefined> {
  const note = await readNote(home);
  const { url, pid, startedAt, version = '', isStopping } = note ?? {};
  const isWhole = typeof pid === 'number' && pid > 0 && typeof startedAt === 'number' && isStopping !== true;
  return isWhole && typeof url === 'string' && url.startsWith('http://') ? { url, pid, startedAt, version } : undefined;
}

/** Whether a server has the folder, or had it when it died; is about to end in good order; or has left no lock behind. */
export async function lockState(home: string): Promise<'held' | 'stopping' | 'none'> {
  const note = await readNote(home);
  if (note === undefined) return existsSync(lockFile(home)) ? 'held' : 'none';
  return note.isStopping === true ? 'stopping' : 'held';
}

async function readNote(home: string): Promise<Partial<FoundServer & { isStopping: boolean }> | undefined> {
  try {
    const note = JSON.parse(await readFile(lockFile(home), 'utf8')) as object | null;
    return note ?? undefined;
  } catch {
    return undefined;
  }
}

function lockFile(home: string): string {
  return join(home, 'server.lock');
}

/** The data folder of a server that a person runs, as the command line chooses it. */
export function personsHome(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (env['DRAGOMAN_HOME']) return env['DRAGOMAN_HOME'];
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local'), 'dragoman');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'dragoman');
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'dragoman');
}

function isWell({ url, startedAt }: FoundServer, signal?: AbortSignal): Promise<boolean> {
  const limit = AbortSignal.timeout(ANSWER_MS);
  return new Promise((resolve) => {
    const request = get(
      `${url}/health`,
      { agent: false, signal: signal === undefined ? limit : AbortSignal.any([limit, signal]) },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
          if (text.length > MAX_ANSWER) request.destroy();
        });
        response.on('end', () => resolve(tellsStart(text) === startedAt));
        response.on('error', () => resolve(false));
      },
    );
    request.on('error', () => resolve(false));
    request.on('close', () => resolve(false));
  });
}

function tellsStart(text: string): unknown {
  try {
    return (JSON.parse(text) as { startedAt?: unknown } | null)?.startedAt;
  } catch {
    return undefined;
  }
}
