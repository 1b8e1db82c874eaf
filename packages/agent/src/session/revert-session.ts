import { DragomanError, type Message, type PatchPart, type ToolStateCompleted } from '@dragoman/protocol';
import type { Snapshots } from '../snapshots/open-snapshots.ts';
import { revertFiles, unrevertFiles } from '../snapshots/revert-files.ts';
import type { Session } from './session.ts';

/**
 * Takes messages back, from one on, and puts the files that they changed back to how they were. It is final with the next
 * prompt, and can be taken back until then.
 */
export async function revertSession(
  session: Session,
  messageID: string,
  snapshots: Snapshots | undefined,
): Promise<{ files: string[]; skipped: string[] }> {
  const { messages, revert } = session.state;
  const start = messages.findIndex(({ info }) => info.id === messageID);
  if (start === -1) throw new DragomanError('not-found', `Session ${session.id} has no message ${messageID}.`);
  const patches = messages
    .slice(start)
    .flatMap(({ parts }) => parts.filter((part): part is PatchPart => part.type === 'patch'));
  if (patches.length > 0 && snapshots === undefined)
    throw new DragomanError(
      'unavailable',
      'Files have changed since then, and there are no snapshots to restore them from.',
    );
  const done = patches.length === 0 ? undefined : await revertFiles(snapshots!, patches);
  const files = [...new Set([...(revert?.files ?? []), ...(done?.restored ?? [])])];
  // A revert on top of another one is taken back to where the first began.
  const snapshot = revert?.snapshot ?? done?.snapshot;
  session.append({ type: 'reverted', messageID, files, ...(snapshot === undefined ? {} : { snapshot }) });
  await session.stored();
  const skipped = (done?.skipped ?? []).map(({ path, reason }) => `${path}: ${reason}`);
  return {
    files,
    skipped: [
      ...skipped,
      ...notKept(messages.slice(start), [...files, ...(done?.skipped ?? []).map(({ path }) => path)]),
    ],
  };
}

/** Files that a tool says it changed and that no snapshot has: ignored by git, too large, or outside the project. */
function notKept(messages: readonly Message[], known: readonly string[]): string[] {
  const changed = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool' && part.state.status === 'completed' ? filesOf(part.state) : [])),
  );
  return [...new Set(changed)]
    .filter((path) => !known.includes(path))
    .map((path) => `${path}: not in a snapshot (ignored by git, too large or outside the project)`);
}

function filesOf({ metadata }: ToolStateCompleted): string[] {
  const files = metadata?.['files'];
  return Array.isArray(files) ? files.filter((path) => typeof path === 'string') : [];
}

/** Brings back what was taken back. */
export async function unrevertSession(
  session: Session,
  snapshots: Snapshots | undefined,
): Promise<{ files: string[] }> {
  const { revert } = session.state;
  if (revert === undefined) throw new DragomanError('conflict', `There is no revert to undo in session ${session.id}.`);
  const restored =
    revert.snapshot === undefined || snapshots === undefined
      ? []
      : (await unrevertFiles(snapshots, { snapshot: revert.snapshot, restored: [...revert.files] })).restored;
  session.append({ type: 'unreverted' });
  await session.stored();
  return { files: restored };
}
