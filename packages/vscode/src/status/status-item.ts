import * as vscode from 'vscode';
import type { ExtensionParts } from '../extension-parts.ts';
import { statusWords } from './status-words.ts';
import type { WorkspaceIndex } from './workspace-index.ts';

const ICONS = { idle: '$(circle-outline)', starting: '$(sync~spin)', ready: '$(check)', failed: '$(warning)' };

/** The item in the status bar: how the server is and how far the index. A click opens the menu. */
export function showStatusItem({ link }: Pick<ExtensionParts, 'link'>, index: WorkspaceIndex): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('dragoman.status', vscode.StatusBarAlignment.Right, 100);
  const show = () => {
    const words = statusWords.now();
    const { kind, server, reason } = link.state;
    const busy = index.known.find(({ progress }) => progress !== undefined && progress.done < progress.total);
    item.text =
      busy?.progress === undefined
        ? `${ICONS[kind]} Dragoman`
        : `$(sync~spin) Dragoman ${Math.floor((100 * busy.progress.done) / busy.progress.total)} %`;
    item.name = 'Dragoman';
    item.command = 'dragoman.menu';
    item.accessibilityInformation = { label: `Dragoman: ${words.states[kind]}` };
    item.backgroundColor = kind === 'failed' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.tooltip = [
      `Dragoman: ${words.states[kind]}`,
      ...(server === undefined ? [] : [`${server.url} (${words.origins[server.origin]})`]),
      ...(reason === undefined ? [] : [reason]),
      ...index.known.map(({ name, files, progress, problem }) => {
        if (problem !== undefined) return words.indexProblem(name, problem);
        return progress === undefined
          ? words.indexed(name, files)
          : words.indexing(name, progress.done, progress.total);
      }),
    ].join('\n');
    void vscode.commands.executeCommand('setContext', 'dragoman.isReady', kind === 'ready');
  };
  show();
  item.show();
  return vscode.Disposable.from(item, link.onDidChange(show), index.onDidChange(show));
}
