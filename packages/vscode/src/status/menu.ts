import * as vscode from 'vscode';
import type { ExtensionParts } from '../extension-parts.ts';
import { findPersons, namedUrl } from '../server/reach-server.ts';
import { forgetForeignToken, keepForeignToken } from '../server/server-token.ts';
import { statusWords } from './status-words.ts';
import type { WorkspaceIndex } from './workspace-index.ts';

interface MenuEntry extends vscode.QuickPickItem {
  run(): unknown;
}

/** What can be done now, and only that. */
export async function showMenu(parts: ExtensionParts, index: WorkspaceIndex): Promise<void> {
  const entries = await menuEntries(parts, index);
  const chosen = await vscode.window.showQuickPick(entries, { title: statusWords.now().menuTitle });
  await chosen?.run();
}

async function menuEntries(parts: ExtensionParts, index: WorkspaceIndex): Promise<MenuEntry[]> {
  const { menu: words, origins, states } = statusWords.now();
  const { kind, server } = parts.link.state;
  const isOwn = server?.logFile !== undefined;
  const command = (label: string, name: string, ...given: unknown[]): MenuEntry => ({
    label,
    run: () => vscode.commands.executeCommand(name, ...given),
  });
  const named = namedOrNothing();
  const persons = named === undefined && server?.origin !== 'found' ? await findPersons({}) : undefined;
  const tokenUrl = named ?? persons?.url;
  return [
    ...(kind === 'ready'
      ? [
          {
            ...command(words.console, 'dragoman.openConsole'),
            ...(server && { description: `${server.url} · ${origins[server.origin]}` }),
          },
        ]
      : [{ ...command(words.start, 'dragoman.startServer'), description: states[kind] }]),
    command(words.settings, 'dragoman.settings'),
    command(words.chat, 'dragoman.useInChat'),
    command(words.augment, 'dragoman.connectAugment'),
    ...index.unknown.map((folder) => ({
      label: words.index(folder.split(/[\\/]/).at(-1) ?? folder),
      description: folder,
      run: () => index.add(folder),
    })),
    ...(tokenUrl === undefined
      ? []
      : [
          {
            label: named === undefined ? words.useOwn(tokenUrl) : words.token(tokenUrl),
            run: () => enterToken(parts, tokenUrl),
          },
        ]),
    ...(server?.origin === 'found'
      ? [{ label: words.leaveOwn, run: () => forgetForeignToken(parts.context.secrets) }]
      : []),
    ...(isOwn ? [command(words.restart, 'dragoman.restartServer'), command(words.stop, 'dragoman.stopServer')] : []),
    command(words.disconnect, 'dragoman.disconnect'),
    command(words.log, 'dragoman.showLog'),
    command(
      words.walkthrough,
      'workbench.action.openWalkthrough',
      `${parts.context.extension.id}#dragoman.start`,
      false,
    ),
  ];
}

/** Asked for by hand only, because it is kept and sent to that address from then on. */
async function enterToken({ context, link }: ExtensionParts, url: string): Promise<void> {
  const words = statusWords.now();
  const token = await vscode.window.showInputBox({
    prompt: words.tokenPrompt(url),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (/^[\w.-]+$/.test(text.trim()) ? undefined : words.tokenShape),
  });
  if (token === undefined) return;
  await keepForeignToken(context.secrets, url, token.trim());
  // A link that is at work hears of the token by itself.
  if (link.state.kind === 'idle') await vscode.commands.executeCommand('dragoman.startServer');
}

/** A wrong address is told when the server is looked for. */
function namedOrNothing(): string | undefined {
  try {
    return namedUrl();
  } catch {
    return undefined;
  }
}
