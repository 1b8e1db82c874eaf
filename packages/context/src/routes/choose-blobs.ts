import { DragomanError } from '@dragoman/protocol/error';
import { z } from 'zod';
import type { BlobView } from '../blob-view.ts';
import { digestOfSet } from '../index/blobs/packed-names.ts';
import type { AskedWorkspace, ContextEngine } from './context-engine.ts';

/** A folder's name, id or path; no system has longer paths. */
export const workspaceNameSchema = z.string().max(4096, 'it is longer than any path').nullish();

export interface ChosenBlobs {
  view: BlobView;
  /** The folders that these are the files of; none where a client synced them. */
  workspaces: { workspace: AskedWorkspace; view: BlobView }[];
}

/**
 * What a question without a set of blobs is about: the folder that was named by its name, path or id, else all the user
 * has. A user who has none is asked about what a client synced last.
 */
export async function chooseBlobs(
  engine: ContextEngine,
  userId: string,
  named: string | null | undefined,
): Promise<ChosenBlobs> {
  const known = await engine.workspaces(userId);
  const chosen = named === null || named === undefined || named === '' ? known : [findWorkspace(known, named)];
  if (chosen.length === 0) return { view: await lastSynced(engine, userId), workspaces: [] };
  const workspaces = await Promise.all(chosen.map(async (workspace) => ({ workspace, view: await workspace.view() })));
  return { view: joinViews(workspaces.map(({ view }) => view)), workspaces };
}

function findWorkspace(known: readonly AskedWorkspace[], named: string): AskedWorkspace {
  const path = withoutLastSlashes(named);
  const byName = known.filter(({ name }) => name === named);
  const found = known.find(({ id, root }) => id === named || root === named || root === path) ?? byName[0];
  if (found !== undefined && (found !== byName[0] || byName.length === 1)) return found;
  if (byName.length > 1)
    throw new DragomanError(
      'bad-request',
      `workspace: ${byName.length} are named ${JSON.stringify(named)}; expected one of their paths, ${byName
        .slice(0, 20)
        .map(({ root }) => JSON.stringify(root))
        .join(', ')}.`,
    );
  const names = known.map(({ name }) => JSON.stringify(name));
  throw new DragomanError(
    'bad-request',
    `workspace: ${JSON.stringify(named.slice(0, 200))} is not one of yours; ${
      names.length === 0 ? 'there is none' : `expected ${names.slice(0, 20).join(', ')}`
    }. A folder becomes one with the command "dragoman index FOLDER", or on the Context page of the console.`,
  );
}

function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && '/\\'.includes(path[end - 1]!)) end--;
  return path.slice(0, end);
}

async function lastSynced({ checkpoints }: ContextEngine, userId: string): Promise<BlobView> {
  const newest = await checkpoints.newest(userId);
  if (newest !== undefined && newest.view.blobNames.size > 0) return newest.view;
  return checkpoints.everything(userId);
}

/** What several views have together. */
export function joinViews(views: readonly BlobView[]): BlobView {
  if (views.length === 1) return views[0]!;
  const blobNames = new Set<string>();
  for (const view of views) for (const name of view.blobNames) blobNames.add(name);
  return { key: digestOfSet(blobNames), blobNames };
}
