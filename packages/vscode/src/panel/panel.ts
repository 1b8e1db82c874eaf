import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Connections } from '../connections.ts';
import type { ExtensionParts } from '../extension-parts.ts';
import { isOwnServer } from '../server/server-link.ts';
import { checkSettingsChange } from '../settings/check-settings-change.ts';
import { pageHtml } from './page-html.ts';
import { type PanelMessage, type PanelNews, readPanelMessage } from './panel-message.ts';
import { panelState } from './panel-state.ts';
import { panelWords } from './panel-words.ts';
import { testSettings } from './test-settings.ts';

/** What the panel needs beside the parts that all have. */
type PanelParts = ExtensionParts & { connections: Connections };

/** A test waits for a model; the server itself ends it after a minute. */
const TEST_MS = 90_000;

/** `Augment: BYOK Settings...`: one panel for a window, with the eight items, the switch and what can be done with them. */
export function registerPanel(parts: PanelParts): vscode.Disposable {
  let open: vscode.WebviewPanel | undefined;
  const command = vscode.commands.registerCommand('dragoman.settings', () => {
    if (open !== undefined) return open.reveal();
    const panel = openPanel(parts);
    open = panel;
    panel.onDidDispose(() => (open = undefined));
  });
  return vscode.Disposable.from(command, { dispose: () => open?.dispose() });
}

function openPanel(parts: PanelParts): vscode.WebviewPanel {
  const { context, link, settings, connections, log } = parts;
  const folder = vscode.Uri.joinPath(context.extensionUri, 'media', 'panel');
  const panel = vscode.window.createWebviewPanel(
    'dragoman.settings',
    panelWords.now().title,
    vscode.ViewColumn.Active,
    // Kept while hidden: whoever goes to another tab to copy a key finds the form as they left it.
    { enableScripts: true, localResourceRoots: [folder], retainContextWhenHidden: true },
  );
  const { webview } = panel;
  const closing = new AbortController();
  let isClosed = false;
  const tell = (news: PanelNews) => {
    if (!isClosed) void webview.postMessage(news);
  };
  const tellState = async () => tell(await panelState(parts));
  const answering = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.error(`The settings panel: ${reason}`);
      tell({ type: 'told', kind: 'bad', text: panelWords.now().failed(reason) });
    });
  const listening = [
    webview.onDidReceiveMessage((received: unknown) => {
      const message = readPanelMessage(received);
      if (message !== undefined)
        void answering(answerPage(message, parts, { tell, tellState, signal: closing.signal }));
    }),
    link.onDidChange(() => void answering(tellState())),
    settings.onDidChange(() => void answering(tellState())),
    connections.onDidChange(() => void answering(tellState())),
  ];
  panel.onDidDispose(() => {
    isClosed = true;
    closing.abort();
    for (const each of listening) each.dispose();
  });
  webview.html = pageHtml({
    cspSource: webview.cspSource,
    nonce: randomBytes(24).toString('base64url'),
    script: webview.asWebviewUri(vscode.Uri.joinPath(folder, 'page.js')).toString(),
    style: webview.asWebviewUri(vscode.Uri.joinPath(folder, 'page.css')).toString(),
    language: vscode.env.language,
  });
  return panel;
}

/** How the page is answered. */
interface PageLine {
  tell(news: PanelNews): void;
  tellState(): Promise<void>;
  /** Aborted when the panel is closed. */
  signal: AbortSignal;
}

async function answerPage(message: PanelMessage, { settings, link }: PanelParts, line: PageLine): Promise<void> {
  const words = panelWords.now();
  const { tell, tellState, signal } = line;
  switch (message.type) {
    case 'ready':
      return tellState();
    case 'run':
      await vscode.commands.executeCommand(message.command);
      return tellState();
    case 'remove':
      await settings.save({ [message.item]: undefined });
      return useSaved(words.removed);
    case 'save':
      if (!(await isRight())) return;
      await settings.save(message.change);
      return useSaved(words.saved);
    case 'test': {
      if (!(await isRight())) return;
      tell({ type: 'told', kind: 'busy', text: words.testing });
      const asked = { ...(await settings.read()), ...message.change };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TEST_MS)]);
      const { isWell, text } = await testSettings(await link.ready(), asked, limit);
      return tell({ type: 'told', kind: isWell ? 'well' : 'bad', text });
    }
  }

  /** Tells what is wrong, beside the fields it is wrong with. */
  async function isRight(): Promise<boolean> {
    const change = 'change' in message ? message.change : {};
    const found = checkSettingsChange(await settings.read(), change);
    tell({ type: 'problems', problems: Object.fromEntries(found.map(({ item, sentence }) => [item, sentence])) });
    if (found.length > 0) tell({ type: 'told', kind: 'bad', text: words.checkFields });
    return found.length === 0;
  }

  /** A server of ours takes new settings by starting anew, on the same port with the same token. */
  async function useSaved(done: string): Promise<void> {
    tell({ type: 'told', kind: 'well', text: done, isSaved: true });
    await tellState();
    const { kind, server } = link.state;
    if (kind === 'ready' && server !== undefined && !isOwnServer(server))
      return tell({ type: 'told', kind: 'well', text: words.savedForeign });
    tell({ type: 'told', kind: 'busy', text: words.savedRestarting });
    const ready = await (kind === 'ready' ? link.restart() : link.ready());
    tell({ type: 'told', kind: 'well', text: isOwnServer(ready) ? words.savedReady : words.savedForeign });
    await tellState();
  }
}
