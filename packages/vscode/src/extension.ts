import * as vscode from 'vscode';
import { registerModels } from './chat/models.ts';
import { registerTools } from './chat/tools.ts';
import { registerConnections } from './connections.ts';
import type { ExtensionParts } from './extension-parts.ts';
import { registerPanel } from './panel/panel.ts';
import { openServerLink } from './server/open-server-link.ts';
import { tellFolders } from './server/tell-folders.ts';
import { openSettingsStore } from './settings/settings-store.ts';
import { registerStatus } from './status/register-status.ts';
import { welcome } from './status/welcome.ts';

/** Puts the extension together. What has to be there before other extensions start is done before the first wait. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Dragoman', { log: true });
  const settings = openSettingsStore(context);
  const link = openServerLink({ context, settings, log });
  const parts: ExtensionParts = { context, log, link, settings };

  const connections = registerConnections(parts);
  context.subscriptions.push(
    log,
    link,
    connections,
    registerPanel({ ...parts, connections }),
    registerModels({ ...parts, isWanted: () => connections.chat.isOn() }),
    registerTools(parts),
    registerStatus(parts),
    tellFolders(parts),
  );
  void welcome(context);
}

/** Nothing depends on this being called: the lease tells the server that a window is gone. */
export function deactivate(): void {}
