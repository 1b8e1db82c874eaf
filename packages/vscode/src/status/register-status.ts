import * as vscode from 'vscode';
import type { ExtensionParts } from '../extension-parts.ts';
import { noticeText } from '../notice-text.ts';
import { followLog } from './follow-log.ts';
import { showMenu } from './menu.ts';
import { openConsole } from './open-console.ts';
import { showStatusItem } from './status-item.ts';
import { statusWords } from './status-words.ts';
import { watchWorkspaceIndex } from './workspace-index.ts';

/** Whether the person has started the server and not stopped it; then every window looks for it by itself. */
const IS_WANTED = 'dragoman.isServerWanted';

/** The status item, the commands about the server, and what restarts it: other settings, and another key. */
export function registerStatus(parts: ExtensionParts): vscode.Disposable {
  const { context, link, log, settings } = parts;
  const index = watchWorkspaceIndex(parts);
  /** What fails is told to whoever asked for it. */
  const command = (name: string, run: () => Promise<unknown>) =>
    vscode.commands.registerCommand(name, async () => {
      try {
        await run();
      } catch (error) {
        await tellFailure(error, log);
      }
    });
  const quietly = (work: Promise<unknown>) => void work.catch(() => {}); // The state of the link tells.

  const start = async () => {
    await context.globalState.update(IS_WANTED, true);
    const { url } = await link.ready();
    void vscode.window.showInformationMessage(statusWords.now().started(url));
  };
  const registered = vscode.Disposable.from(
    index,
    showStatusItem(parts, index),
    followLog(parts),
    command('dragoman.startServer', start),
    command('dragoman.restartServer', async () => {
      await context.globalState.update(IS_WANTED, true);
      await link.restart();
    }),
    command('dragoman.stopServer', async () => {
      await context.globalState.update(IS_WANTED, false);
      await link.stop();
    }),
    command('dragoman.openConsole', async () => openConsole(await link.ready())),
    command('dragoman.menu', () => showMenu(parts, index)),
    vscode.commands.registerCommand('dragoman.showLog', () => log.show()),
    settings.onDidChange(() => {
      const { kind, server } = link.state;
      const isForeign = server !== undefined && server.logFile === undefined;
      if (kind !== 'idle' && !isForeign) quietly(link.restart());
    }),
  );
  if (context.globalState.get(IS_WANTED, false)) quietly(link.ready());
  return registered;
}

async function tellFailure(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  const words = statusWords.now();
  const reason = error instanceof Error ? error.message : String(error);
  log.error(reason);
  const answer = await vscode.window.showErrorMessage(noticeText(words.failed(reason)), words.showLog);
  if (answer === words.showLog) log.show();
}
