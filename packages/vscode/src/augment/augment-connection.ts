import { DragomanError } from '@dragoman/protocol';
import * as vscode from 'vscode';
import type { ExtensionParts } from '../extension-parts.ts';
import { noticeText } from '../notice-text.ts';
import type { RunningServer } from '../server/server-link.ts';
import { augmentToken } from './augment-token.ts';
import { augmentWords } from './augment-words.ts';
import { AUGMENT_ID, augmentFields, settingsConnection } from './connect.ts';
import { leadingFiles, onDidChangeLeading } from './leading-settings.ts';
import { oneWindowAtATime } from './one-window-at-a-time.ts';
import type { OverlaidSettings } from './overlay.ts';
import { openOverlay } from './overlay-connection.ts';

/** How the Augment extension is connected: not at all, by its settings, or by an overlay in memory. */
export type AugmentMode = 'off' | 'settings' | 'overlay';

/** The Augment extension on our server, in either mode, with a token of its own. */
export interface AugmentConnection extends vscode.Disposable {
  mode(): Promise<AugmentMode>;
  isInstalled(): boolean;
  overlaid(): OverlaidSettings | undefined;
  /** Asks the person, and does what they choose. */
  connect(): Promise<void>;
  /** Puts everything back and revokes the token. True where the window has to be reloaded for it. */
  disconnect(): Promise<boolean>;
  /** Brings what is connected up to date with the server. */
  follow(server: RunningServer): Promise<void>;
  /** Takes up what an earlier window left. */
  resume(): Promise<void>;
  /** Whether the server is needed, be it only to revoke a token. */
  needsServer(): Promise<boolean>;
  /** After it was taken away because of the workspace. */
  readonly onDidChange: vscode.Event<void>;
}

/** Set from the moment a workspace cost the connection until the person is offered to make it again. */
const TAKEN_AWAY = 'dragoman.augmentTakenAway';

/**
 * Opens what an earlier window connected, and watches this workspace.
 *
 * The setting is the person's and so the same in every window, but a workspace may change what it means in one. The token cannot be taken
 * from that window alone, so it is revoked and taken out of the setting for all. The overlay belongs to one window, and nothing of a workspace stands in it.
 */
export function augmentConnection({
  context,
  log,
  link,
}: Pick<ExtensionParts, 'context' | 'log' | 'link'>): AugmentConnection {
  const { globalState } = context;
  const overlay = openOverlay({ globalState, log });
  const bySettings = settingsConnection(context);
  const token = augmentToken(context);
  const changed = new vscode.EventEmitter<void>();
  let isLed = false;

  /** One after the other: two at once would both find the old value and write the new one twice. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
  const alone = <Result>(work: () => Promise<Result>) => oneWindowAtATime(context.globalStorageUri.fsPath, work);
  const extension = () => vscode.extensions.getExtension(AUGMENT_ID);
  const mode = async (): Promise<AugmentMode> =>
    overlay.isOn() ? 'overlay' : (await bySettings.isOn()) ? 'settings' : 'off';
  /** Whether the token is revoked now. Where the server cannot be reached, it is done when it is back, in this window or the next. */
  const revoke = async (): Promise<boolean> => {
    try {
      await token.revoke(() => link.ready());
      return true;
    } catch (error) {
      log.warn(`The token could not be revoked yet: ${String(error)}`);
      return false;
    }
  };
  const tellUnless = (isRevoked: boolean) => {
    if (!isRevoked) void vscode.window.showWarningMessage(augmentWords.now().notRevoked);
  };
  /** Whether the token is revoked now. What cannot be put back is no reason to leave it alive; then it rejects. */
  const undo = async (): Promise<boolean> => {
    const revoking = revoke();
    try {
      await bySettings.disconnect();
    } finally {
      await revoking;
    }
    return revoking;
  };
  const refuseIfLed = () => {
    const files = leadingFiles();
    if (files.length > 0) throw new DragomanError('forbidden', augmentWords.now().overridden(named(files)));
  };

  const write = async (given: { url: string; token: string }): Promise<void> => {
    const words = augmentWords.now();
    const { completionURL, apiToken } = augmentFields(given);
    const answer = await vscode.window.showInformationMessage(
      words.ask,
      { modal: true, detail: words.askDetail(completionURL, `${apiToken.slice(0, 8)}…`) },
      words.connect,
      words.inMemory,
    );
    if (answer === undefined) return;
    const doIt = async () => {
      refuseIfLed();
      if (answer === words.inMemory) {
        await bySettings.disconnect();
        await overlay.turnOn(given);
      } else {
        await overlay.turnOff();
        await bySettings.connect(given);
      }
      await globalState.update(TAKEN_AWAY, undefined);
    };
    await inTurn(() => alone(doIt));
    if (answer === words.connect) void vscode.window.showInformationMessage(words.connected);
    else if (overlay.needsReload()) await offerReload(words.reloadNeeded);
    else void vscode.window.showInformationMessage(words.overlaid);
  };

  const takeAway = async (files: readonly string[]): Promise<void> => {
    const words = augmentWords.now();
    await globalState.update(TAKEN_AWAY, true);
    try {
      const isRevoked = await alone(undo);
      const text = (isRevoked ? words.takenAway : words.takenAwayNotRevoked)(named(files));
      void offerSettings(vscode.window.showErrorMessage(text, words.openSettings));
    } catch (error) {
      throw new DragomanError('conflict', `${words.overridden(named(files))} ${String(error)}`, { cause: error });
    } finally {
      changed.fire();
    }
  };
  /** Not waited for: what else there is to do does not depend on the answer. */
  const offerAgain = async (): Promise<void> => {
    if (globalState.get<boolean>(TAKEN_AWAY) !== true || (await mode()) !== 'off' || extension() === undefined) return;
    await globalState.update(TAKEN_AWAY, undefined);
    const words = augmentWords.now();
    const answer = await vscode.window.showInformationMessage(words.offerAgain, words.connect);
    if (answer === words.connect) await vscode.commands.executeCommand('dragoman.connectAugment');
  };
  const look = () =>
    inTurn(async () => {
      const words = augmentWords.now();
      const files = leadingFiles();
      const wasLed = isLed;
      isLed = files.length > 0;
      if (!isLed) {
        if (wasLed) void offerAgain();
      } else if (await bySettings.isOn()) await takeAway(files);
      else if (overlay.isOn() && !wasLed)
        void offerSettings(vscode.window.showWarningMessage(words.notFollowed(named(files)), words.openSettings));
    }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.error(reason);
      void vscode.window.showErrorMessage(noticeText(augmentWords.now().failed(reason)));
    });
  const watching = onDidChangeLeading(() => void look());

  return {
    mode,
    isInstalled: () => extension() !== undefined,
    overlaid: () => overlay.overlaid(),
    onDidChange: changed.event,
    async connect() {
      if (extension() === undefined) return void vscode.window.showInformationMessage(augmentWords.now().notInstalled);
      refuseIfLed();
      const server = await link.ready();
      try {
        await write({ url: server.url, token: await inTurn(() => alone(() => token.of(server))) });
      } finally {
        if ((await mode()) === 'off') tellUnless(await revoke());
      }
    },
    disconnect: () =>
      inTurn(() =>
        alone(async () => {
          const wasOverlaid = overlay.isOn();
          await globalState.update(TAKEN_AWAY, undefined);
          // While the server is there, the token ends before the Augment extension hears of anything.
          if (link.state.kind === 'ready') await revoke();
          await overlay.turnOff();
          tellUnless(await undo());
          return wasOverlaid && extension()?.isActive === true;
        }),
      ),
    follow: (server) =>
      inTurn(() =>
        alone(async () => {
          // It moved on while this waited for its turn, and is followed there.
          if (link.state.server?.url !== server.url) return;
          const now = await mode();
          if (now === 'off' || (now === 'settings' && leadingFiles().length > 0)) {
            await token.clearUp(server);
            return;
          }
          const given = { url: server.url, token: await token.of(server) };
          await overlay.follow(given);
          await bySettings.follow(given);
          // Another window may have ended it meanwhile.
          if ((await mode()) === 'off') await revoke();
        }),
      ),
    async resume() {
      await look();
      if (!isLed) void offerAgain();
    },
    needsServer: async () => token.isLeft() || (await mode()) !== 'off',
    dispose: () => vscode.Disposable.from(watching, overlay, changed).dispose(),
  };
}

/** Tells the person that something is seen only in a new window, and makes one if they like. */
export async function offerReload(text: string): Promise<void> {
  const { reload } = augmentWords.now();
  const answer = await vscode.window.showInformationMessage(text, reload);
  if (answer === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}

/** Where what leads the Augment extension away can be removed. */
async function offerSettings(asked: Thenable<string | undefined>): Promise<void> {
  if ((await asked) === augmentWords.now().openSettings)
    await vscode.commands.executeCommand('workbench.action.openWorkspaceSettingsFile');
}

function named(files: readonly string[]): string {
  return files.map((file) => (file === '' ? augmentWords.now().workspace : `“${file}”`)).join(', ');
}
