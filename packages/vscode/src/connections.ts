import { DragomanError } from '@dragoman/protocol';
import * as vscode from 'vscode';
import { augmentWords } from './augment/augment-words.ts';
import { AUGMENT_ID, augmentFields, isOverridden, keepOutOfSync, settingsConnection } from './augment/connect.ts';
import { showGlobals, type UpstreamFacts } from './augment/globals.ts';
import { openOverlay } from './augment/overlay-connection.ts';
import { type ChatAccess, chatAccess } from './chat/allow-chat.ts';
import type { ExtensionParts } from './extension-parts.ts';
import { borrowedSettings } from './settings/borrowed-settings.ts';

/** How the Augment extension is connected: not at all, by its settings, or by an overlay in memory. */
type AugmentMode = 'off' | 'settings' | 'overlay';

/** What the editor was connected to, by the person's wish. */
export interface Connections extends vscode.Disposable {
  readonly chat: ChatAccess;
  isAugmentInstalled(): boolean;
  augmentMode(): Promise<AugmentMode>;
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
  const overlay = openOverlay({ globalState, log });
  const bySettings = settingsConnection(context);
  const borrowed = borrowedSettings(globalState);
  const chat = chatAccess({ globalState, link, borrowed });
  const changed = new vscode.EventEmitter<void>();

  let upstream: UpstreamFacts | undefined;
  const readUpstream = async () => {
    const { baseUrl, model, temperature, maxTokens } = await settings.read();
    upstream = { baseUrl, model, temperature, maxTokens };
  };
  const globals = showGlobals({
    overlay: () => overlay.overlaid(),
    upstream: () => upstream,
    server: () => ({
      url: link.state.server?.url,
      stop: () => link.stop(),
      restart: async () => void (await link.restart()),
    }),
  });

  const connect = async (): Promise<void> => {
    const words = augmentWords.now();
    if (vscode.extensions.getExtension(AUGMENT_ID) === undefined)
      return void vscode.window.showInformationMessage(words.notInstalled);
    if (isOverridden()) throw new DragomanError('forbidden', words.overridden);
    const server = await link.ready();
    const { completionURL, apiToken } = augmentFields(server);
    const detail = words.askDetail(completionURL, `${apiToken.slice(0, 4)}…`);
    const { connect: write, connectNotSynced, inMemory } = words;
    const answer = await vscode.window.showInformationMessage(
      words.ask,
      { modal: true, detail },
      write,
      connectNotSynced,
      inMemory,
    );
    if (answer === inMemory) {
      await bySettings.disconnect();
      await overlay.turnOn(server);
      if (overlay.needsReload()) await offerReload(words.reloadNeeded);
      else void vscode.window.showInformationMessage(words.overlaid);
    } else if (answer === write || answer === connectNotSynced) {
      await overlay.turnOff();
      if (answer === connectNotSynced) await keepOutOfSync(globalState);
      await bySettings.connect(server);
      void vscode.window.showInformationMessage(answer === write ? words.connected : words.connectedNotSynced);
    }
  };
  const disconnect = async (): Promise<void> => {
    const words = augmentWords.now();
    const wasOverlaid = overlay.isOn();
    // What cannot be put back is no reason to leave the rest as it is.
    const undone = await Promise.allSettled([bySettings.disconnect(), overlay.turnOff(), chat.undo()]);
    const failed = undone.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    void vscode.window.showInformationMessage(words.disconnected);
    if (wasOverlaid && vscode.extensions.getExtension(AUGMENT_ID)?.isActive === true)
      await offerReload(words.reloadToLeave);
  };
  /** What fails is told to whoever asked for it. */
  const command = (name: string, run: () => Promise<unknown>) =>
    vscode.commands.registerCommand(name, async () => {
      try {
        await run();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log.error(`${name}: ${reason}`);
        void vscode.window.showErrorMessage(augmentWords.now().failed(reason));
      } finally {
        changed.fire();
      }
    });
  const quietly = (work: Promise<unknown>) =>
    work.catch((error: unknown) => log.warn(error instanceof Error ? error.message : String(error)));

  /** One after the other: two at once would both find the old value and write the new one twice. */
  let following: Promise<unknown> = Promise.resolve();
  const follow = () => {
    following = following.then(() => quietly(followServer()));
    return following;
  };
  const followServer = async () => {
    const { kind, server } = link.state;
    if (kind !== 'ready' || server === undefined) return;
    await overlay.follow(server);
    await bySettings.follow(server);
  };
  /** Takes up what was connected in an earlier window. */
  const resume = async () => {
    await readUpstream();
    const isConnected = await bySettings.isOn();
    if ((isConnected || overlay.isOn()) && isOverridden())
      void vscode.window.showWarningMessage(augmentWords.now().overriddenWarning);
    if (isConnected || overlay.isOn() || chat.isOn()) await link.ready();
  };
  const parts = [
    command('dragoman.connectAugment', connect),
    command('dragoman.disconnect', disconnect),
    command('dragoman.useInChat', () => chat.allow()),
    link.onDidChange(() => void follow()),
    settings.onDidChange(() => void quietly(readUpstream())),
    overlay,
    globals,
    changed,
  ];
  void quietly(follow().then(resume));

  return {
    chat,
    isAugmentInstalled: () => vscode.extensions.getExtension(AUGMENT_ID) !== undefined,
    augmentMode: async () => (overlay.isOn() ? 'overlay' : (await bySettings.isOn()) ? 'settings' : 'off'),
    onDidChange: changed.event,
    dispose: () => void vscode.Disposable.from(...parts).dispose(),
  };
}

async function offerReload(text: string): Promise<void> {
  const { reload } = augmentWords.now();
  const answer = await vscode.window.showInformationMessage(text, reload);
  if (answer === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
