import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { DragomanError } from '@dragoman/protocol/error';
import type { Caller } from '@dragoman/server';
import type { BlobView } from '../blob-view.ts';
import { NOTHING_SYNCED } from '../index/answer/answer-question.ts';
import { chooseBlobs, joinViews } from '../routes/choose-blobs.ts';
import type { ContextEngine } from '../routes/context-engine.ts';
import { codeFolder } from '../workspaces/code-folder.ts';
import type { Workspace } from '../sync/workspace-store.ts';
import type { LocalWorkspaces } from '../workspaces/local-workspaces.ts';
import { workspaceSearch } from '../workspaces/workspace-search.ts';
import type { McpEngine } from './mcp-engine.ts';

/** What answers, and where the folders are kept. */
export interface FolderEngineParts {
  engine: ContextEngine;
  workspaces: LocalWorkspaces;
  /** How long a question may wait, for a folder that is being indexed too. */
  limitMs?: number;
}

/** A folder that is asked about. */
interface Home {
  root: string;
  view(signal?: AbortSignal): Promise<BlobView>;
}

/** As long as a question of the console may take. */
const LIMIT_MS = 120_000;

/**
 * Questions over MCP about the folders a client has open on this machine, or that a server on another one has indexed.
 *
 * The client names its folders, and the model names one of them if it likes. A folder that nobody has indexed yet is
 * indexed with the first question, which only admins may cause, as by the call `addWorkspace`. Without folders all that
 * the caller has is searched.
 */
export function folderEngine(
  { engine, workspaces, limitMs = LIMIT_MS }: FolderEngineParts,
  { userId, role }: Pick<Caller, 'userId' | 'role'>,
  folders: readonly string[],
): McpEngine {
  /** The workspace of another machine that a folder is in which is not here. */
  const elsewhere = async (folder: string): Promise<Workspace | undefined> => {
    if (existsSync(folder)) return undefined;
    const known = (await workspaces.listAll(userId)).filter((workspace) => !workspaces.isHere(workspace));
    const root = innermost(
      folder,
      known.map((workspace) => workspace.root),
    );
    return known.find((workspace) => workspace.root === root);
  };

  /** The workspace that a folder is in, or becomes. */
  const homeOf = async (folder: string): Promise<Home> => {
    const away = await elsewhere(folder);
    return away === undefined ? homeHere(await rootOf(folder)) : homeAway(away);
  };
  const homeHere = (root: string): Home => ({ root, view: (signal) => workspaces.view(userId, root, signal) });
  const homeAway = (workspace: Workspace): Home => ({
    root: workspace.root,
    view: (signal) => workspaces.viewOf(workspace, signal),
  });
  const rootOf = async (folder: string): Promise<string> => {
    const real = role === 'admin' ? codeFolder(folder) : unlessWrong(() => codeFolder(folder));
    const around = real && innermost(real, await knownRoots());
    if (around !== undefined) return around;
    if (role === 'admin') return real!;
    // The same for what is not there: what else this machine has is nobody's business.
    throw new DragomanError('forbidden', `${folder} was not indexed yet, and only an admin can have it indexed.`);
  };
  const knownRoots = async () => (await workspaces.list(userId)).map(({ root }) => root);

  const homesOf = async (asked: string | undefined): Promise<Home[]> => {
    const opened = await Promise.all(folders.map(homeOf));
    if (asked === undefined) return [...new Map(opened.map((home) => [home.root, home])).values()];
    const named = resolve(opened[0]?.root ?? '/', asked);
    const at = unlessWrong(() => realpathSync(named));
    // A model names folders as it likes; what may be read is what is open in the client or was indexed by a person. A link
    // that leads out of a folder is not in it.
    const root = at && innermost(at, [...opened.map((home) => home.root), ...(await knownRoots())]);
    if (root !== undefined) return [opened.find((home) => home.root === root) ?? homeHere(root)];
    const away = await elsewhere(named);
    if (away !== undefined) return [homeAway(away)];
    throw new DragomanError(
      'forbidden',
      `${asked} is in no folder that is open here or was indexed; see list-workspaces.`,
    );
  };

  const viewOf = async (asked: string | undefined, signal?: AbortSignal): Promise<BlobView> => {
    const homes = await homesOf(asked);
    if (homes.length === 0) return (await chooseBlobs(engine, userId, undefined)).view;
    return joinViews(await Promise.all(homes.map((home) => home.view(signal))));
  };

  const within = async <Answer>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Answer>) => {
    const late = AbortSignal.timeout(limitMs);
    try {
      return await work(AbortSignal.any([signal, late]));
    } catch (cause) {
      if (!late.aborted || signal.aborted) throw cause;
      const message = `There is no answer after ${limitMs / 1000} seconds; the folder may still be being indexed. Ask again in a minute.`;
      throw new DragomanError('timed-out', message, { cause, isRetryable: true });
    }
  };

  return {
    retrieve: (query, folder, given) =>
      within(given, async (signal) => {
        const view = await viewOf(folder, signal);
        if (view.blobNames.size === 0) return NOTHING_SYNCED;
        return workspaceSearch(engine, () => Promise.resolve(view)).retrieve({ query }, signal);
      }),
    findSymbol: (name, limit, folder, given) =>
      within(given, (signal) =>
        workspaceSearch(engine, (asking) => viewOf(folder, asking)).findSymbol(name, limit, signal),
      ),
    listWorkspaces: async () =>
      (await workspaces.overview(userId)).map(
        ({ workspace: { name, root }, machine, health: { files, progress } }) => ({
          name,
          root,
          machine,
          files,
          pending: progress === undefined ? 0 : progress.total - progress.done,
        }),
      ),
  };
}

/** Of several folders around a path the one nearest to it. */
function innermost(path: string, roots: readonly string[]): string | undefined {
  return roots.filter((root) => isInside(path, root)).sort((one, other) => other.length - one.length)[0];
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way);
}

function unlessWrong(find: () => string): string | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
