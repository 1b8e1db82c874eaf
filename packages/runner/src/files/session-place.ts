import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { DragomanError, type SessionSpec } from '@dragoman/protocol';
import type { AllowedFolders } from '../folders/allowed-folders.ts';
import { relativeTo } from './inside-path.ts';

/** Where a session works. */
export interface SessionPlace {
  /** A real path. */
  root: string;
  /** The session will work in a worktree that is not made yet, so this is only what it will begin with. */
  isBefore: boolean;
}

/** The folder of a session, by the rules that hold for its agent: inside what the runner may work in, or its own worktree. */
export async function sessionPlace(
  { sessionId, folder, worktree, cwd }: SessionSpec,
  { folders, worktrees }: { folders: AllowedFolders; worktrees: string },
): Promise<SessionPlace> {
  if (worktree !== true) return { root: await folders.resolve(cwd ?? folder), isBefore: false };
  const place = await folders.resolve(folder);
  if (cwd === undefined) return { root: place, isBefore: true };
  if (!/^\w+$/.test(sessionId)) throw new DragomanError('bad-request', `"${sessionId}" is no id of a session`);
  const [own, root] = await Promise.all(
    [join(worktrees, sessionId), cwd].map((path) => realpath(path).catch(() => undefined)),
  );
  if (own === undefined || root === undefined)
    throw new DragomanError('not-found', `the worktree ${cwd} is not there; the next prompt makes it again`);
  if (relativeTo(own, root) === undefined)
    throw new DragomanError('forbidden', `${cwd} is not the worktree of the session ${sessionId}`);
  return { root, isBefore: false };
}
