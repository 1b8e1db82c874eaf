import type * as vscode from 'vscode';
import type { ServerLink } from './server/server-link.ts';
import type { SettingsStore } from './settings/settings-store.ts';

/** What every part of the extension is handed: a part is a function `register…(parts)` that returns what undoes it. */
export interface ExtensionParts {
  context: vscode.ExtensionContext;
  log: vscode.LogOutputChannel;
  link: ServerLink;
  settings: SettingsStore;
}
