import { realpath } from 'node:fs/promises';
import { type ConsoleClient, createConsoleClient, type WorkspaceInfo } from '@dragoman/protocol/console';
import * as vscode from 'vscode';
import type { ExtensionParts } from '../extension-parts.ts';

/** How far the index of this window's folders is. */
export interface WorkspaceIndex extends vscode.Disposable {
  /** The folders of this window that the server knows. */
  readonly known: readonly WorkspaceInfo[];
  /** Folders of this window that it does not know. */
  readonly unknown: readonly string[];
  readonly onDidChange: vscode.Event<void>;
  /** Has a folder indexed. */
  add(folder: string): Promise<void>;
}

/** How often the server is asked: while it indexes, and otherwise. */
const BUSY_MS = 2_000;
const CALM_MS = 30_000;

/** Asks the server from time to time, while there is one and the window has a folder. */
export function watchWorkspaceIndex({ link, log }: Pick<ExtensionParts, 'link' | 'log'>): WorkspaceIndex {
  const changed = new vscode.EventEmitter<void>();
  const closing = new AbortController();
  let known: WorkspaceInfo[] = [];
  let unknown: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let seen = '';

  const look = async (): Promise<void> => {
    clearTimeout(timer);
    const client = clientOf();
    const folders = await openFolders();
    if (client === undefined || folders.length === 0) {
      tell([], []);
      return;
    }
    try {
      const { workspaces } = await client.listWorkspaces();
      tell(
        workspaces.filter(({ root }) => folders.includes(root)),
        folders.filter((folder) => !workspaces.some(({ root }) => root === folder)),
      );
    } catch (error) {
      log.debug(`The index could not be asked: ${String(error)}`);
    }
    if (closing.signal.aborted) return;
    const isBusy = known.some(({ state }) => state === 'scanning' || state === 'indexing');
    clearTimeout(timer);
    timer = setTimeout(() => void look(), isBusy ? BUSY_MS : CALM_MS).unref();
  };
  const clientOf = (): ConsoleClient | undefined => {
    const { kind, server } = link.state;
    if (kind !== 'ready' || server === undefined || closing.signal.aborted) return undefined;
    return createConsoleClient({ url: server.url, token: server.token, signal: closing.signal });
  };
  const tell = (nowKnown: WorkspaceInfo[], nowUnknown: string[]) => {
    [known, unknown] = [nowKnown, nowUnknown];
    const text = JSON.stringify([known, unknown]);
    if (text === seen || closing.signal.aborted) return;
    seen = text;
    changed.fire();
  };

  const following = [
    link.onDidChange(() => void look()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void look()),
  ];
  void look();
  return {
    get known() {
      return known;
    },
    get unknown() {
      return unknown;
    },
    onDidChange: changed.event,
    async add(folder) {
      const { url, token } = await link.ready();
      await createConsoleClient({ url, token, signal: closing.signal }).addWorkspace({ root: folder });
      await look();
    },
    dispose() {
      closing.abort();
      clearTimeout(timer);
      for (const each of following) each.dispose();
      changed.dispose();
    },
  };
}

/** As the server names them: by their real paths. */
async function openFolders(): Promise<string[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return Promise.all(folders.map(({ uri }) => realpath(uri.fsPath).catch(() => uri.fsPath)));
}
