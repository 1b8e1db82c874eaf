import * as vscode from 'vscode';
import type { ExtensionParts } from '../extension-parts.ts';
import { openFolders } from '../open-folders.ts';
import { type Lease, takeLease } from './lease.ts';
import { isOwnServer } from './server-link.ts';

/** As many as a server takes, each with as many characters. */
const MAX_FOLDERS = 32;
const MAX_PATH = 4096;

/**
 * Tells the editor's own server which folders are open in this window, with a lease of their own: it is gone with the
 * window, however that ends. Whether they are searched is a setting of the server.
 */
export function tellFolders({ link, log }: Pick<ExtensionParts, 'link' | 'log'>): vscode.Disposable {
  let told: { what: string; lease: Lease } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const tell = async (): Promise<void> => {
    const { kind, server } = link.state;
    const folders = openFolders()
      .filter((folder) => folder.length <= MAX_PATH)
      .slice(0, MAX_FOLDERS);
    const isWanted = !isClosed && kind === 'ready' && server !== undefined && isOwnServer(server);
    const what = isWanted && folders.length > 0 ? JSON.stringify([server.url, server.token, folders]) : undefined;
    if (what === told?.what) return;
    const before = told;
    told = undefined;
    if (what !== undefined) {
      const answer = await takeLease({ ...server!, folders });
      if (answer.kind === 'held') follow({ what, lease: answer.lease });
      else log.warn(`The server was not told which folders are open (${answer.kind}).`);
    }
    before?.lease.close();
  };
  const follow = (now: { what: string; lease: Lease }) => {
    told = now;
    void now.lease.ended.then(() => {
      if (told !== now) return;
      told = undefined;
      look();
    });
  };
  /** One after the other: the last one sees how things are in the end. */
  const look = (): void => {
    last = last.then(tell).catch((error: unknown) => log.warn(String(error)));
  };

  const following = [link.onDidChange(look), vscode.workspace.onDidChangeWorkspaceFolders(look)];
  look();
  return new vscode.Disposable(() => {
    isClosed = true;
    for (const each of following) each.dispose();
    look();
  });
}
