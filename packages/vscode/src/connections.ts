import * as vscode from 'vscode';
import { augmentConnection, type AugmentMode, offerReload } from './augment/augment-connection.ts';
import { augmentWords } from './augment/augment-words.ts';
import { showGlobals, type UpstreamFacts } from './augment/globals.ts';
import { type ChatAccess, chatAccess } from './chat/allow-chat.ts';
import type { ExtensionParts } from './extension-parts.ts';
import { noticeText } from './notice-text.ts';
import { borrowedSettings } from './settings/borrowed-settings.ts';

/** What the editor was connected to, by the person's wish. */
export interface Connections extends vscode.Disposable {
  readonly chat: ChatAccess;
  isAugmentInstalled(): boolean;
  augmentMode(): Promise<AugmentMode>;
  /** When what was connected in an earlier window has been taken up, as far as that went. */
  readonly resumed: Promise<void>;
  /** After one was made or undone. */
  readonly onDidChange: vscode.Event<void>;
}

/**
 * The connections that a person makes and undoes: the commands for them, and what follows from the server moving.
 *
 * Everything that has to happen before other extensions start happens before this returns.
 */
export function registerConnections({ context, log, link, settings }: ExtensionParts): Connections {
  const { globalState } = context;
  const augment = augmentConnection({ context, log, link });
  const borrowed = borrowedSettings(globalState);
  const chat = chatAccess({ globalState, link, borrowed });
  const changed = new vscode.EventEmitter<void>();

  let upstream: UpstreamFacts | undefined;
  const readUpstream = async () => {
    const { baseUrl, model, temperature, maxTokens } = await settings.read();
    upstream = { baseUrl, model, temperature, maxTokens };
  };
  const globals = showGlobals({
    overlay: () => augment.overlaid(),
    upstream: () => upstream,
    server: () => ({
      url: link.state.server?.url,
      stop: () => link.stop(),
      restart: async () => void (await link.restart()),
    }),
  });

  const disconnect = async (): Promise<void> => {
    const words = augmentWords.now();
    // What cannot be put back is no reason to leave the rest as it is; one after the other, as both are in one file.
    const [augmentUndone] = await Promise.allSettled([augment.disconnect()]);
    await chat.undo();
    if (augmentUndone.status === 'rejected') throw augmentUndone.reason;
    void vscode.window.showInformationMessage(words.disconnected);
    if (augmentUndone.value) await offerReload(words.reloadToLeave);
  };
  /** What fails is told to whoever asked for it. */
  const command = (name: string, run: () => Promise<unknown>) =>
    vscode.commands.registerCommand(name, async () => {
      try {
        await run();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log.error(`${name}: ${reason}`);
        void vscode.window.showErrorMessage(noticeText(augmentWords.now().failed(reason)));
      } finally {
        changed.fire();
      }
    });
  const quietly = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      log.warn(error instanceof Error ? error.message : String(error));
    }
  };
  const follow = async () => {
    const { kind, server } = link.state;
    if (kind === 'ready' && server !== undefined) await quietly(augment.follow(server));
  };
  /** Takes up what was connected in an earlier window. */
  const resume = async () => {
    await readUpstream();
    await augment.resume();
    await follow();
    if (chat.isOn() || (await augment.needsServer())) await link.ready();
  };
  const parts = [
    command('dragoman.connectAugment', () => augment.connect()),
    command('dragoman.disconnect', disconnect),
    command('dragoman.useInChat', () => chat.allow()),
    link.onDidChange(() => void follow()),
    settings.onDidChange(() => void quietly(readUpstream())),
    augment.onDidChange(() => changed.fire()),
    augment,
    globals,
    changed,
  ];
  const resumed = quietly(resume());

  return {
    chat,
    resumed,
    isAugmentInstalled: () => augment.isInstalled(),
    augmentMode: () => augment.mode(),
    onDidChange: changed.event,
    dispose: () => void vscode.Disposable.from(...parts).dispose(),
  };
}
