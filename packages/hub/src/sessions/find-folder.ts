import { posix, win32 } from 'node:path';
import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import type { HubParts } from '../hub-parts.ts';
import { askRunner } from '../runners/ask-runner.ts';
import type { RunnerRow } from '../runners/runner-access.ts';

/** The folder of a session as a whole path. Where the home folder is, only the machine knows, so it is asked. */
export async function findFolder(
  parts: HubParts,
  runner: RunnerRow,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  if (folder.includes('\0')) throw new DragomanError('bad-request', 'folder: a path holds no NUL character.');
  if (folder !== '~' && !folder.startsWith('~/')) return checkFolder(runner, folder);
  const listing = await askRunner(parts, runner, { method: 'list-folder', path: folder }, signal);
  const { success, data } = HUB_CALLS.listFolder.answer.safeParse(listing);
  if (success) return data.path; // What it may not work in, the machine has refused.
  throw new DragomanError(
    'unavailable',
    `The machine ${runner.name} does not tell where ${folder} is; give the whole path.`,
  );
}

/** How long a machine may take to look; a session starts all the same where it does not answer. */
const LOOK_MS = 5_000;
const REFUSALS: readonly DragomanErrorCode[] = ['bad-request', 'forbidden', 'not-found'];

/**
 * Refuses a folder that its machine does not have, or does not let agents work in. Where the machine is away or says
 * nothing, nobody knows, and the session finds out when it starts.
 */
export async function checkFolderIsThere(
  parts: HubParts,
  runner: RunnerRow,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  if (!parts.presence.isConnected(runner)) return;
  try {
    await askRunner(parts, runner, { method: 'list-folder', path: folder }, signal, LOOK_MS);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DragomanError) || REFUSALS.includes(error.code)) throw error;
  }
}

/**
 * The folder in its normal form. Refuses one that is outside of what the machine allows, as far as the name tells;
 * whether it is there, and where its links lead, only the machine itself can see.
 */
function checkFolder(runner: RunnerRow, folder: string): string {
  const path = /^[A-Za-z]:[\\/]|^\\\\/.test(folder) ? win32 : posix;
  if (!path.isAbsolute(folder))
    throw new DragomanError(
      'bad-request',
      `folder: expected the whole path of a folder on ${runner.name}, or one that begins with "~/".`,
    );
  const normal = path.resolve(folder);
  const allowed = JSON.parse(runner.folders_json) as string[];
  const isInside = (root: string) => {
    const way = path.relative(root, normal);
    return way === '' || (!way.startsWith('..') && !path.isAbsolute(way)) || /^\.\.[^\\/]/.test(way);
  };
  if (allowed.length === 0 || allowed.some(isInside)) return normal;
  throw new DragomanError(
    'forbidden',
    `folder: agents on ${runner.name} may work in ${allowed.join(', ')}; add the folder to "runner.folders" there.`,
  );
}
