import * as vscode from 'vscode';

/** The folders of this window that are on the disk of this machine. */
export function openFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
}
