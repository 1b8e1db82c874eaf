import * as vscode from 'vscode';

import { AUGMENT_ID, augmentFields, type AugmentServer } from './connect.ts';
import { hookLoader, type LoaderHook } from './hook-loader.ts';
import { type OverlaidSettings, overlayApi } from './overlay.ts';

/** Mode D: the Augment extension sees our server in its settings, and nothing is written. */
export interface OverlayConnection extends vscode.Disposable {
  isOn(): boolean;
  /** What is overlaid now. */
  overlaid(): OverlaidSettings | undefined;
  /** Whether the Augment extension started before us, so that it sees its real settings until the window is reloaded. */
  needsReload(): boolean;
  turnOn(server: AugmentServer): Promise<void>;
  follow(server: AugmentServer): Promise<void>;
  turnOff(): Promise<void>;
}

const IS_ON = 'dragoman.overlayIsOn';
/** The last address; no token is kept with it. */
const ADDRESS = 'dragoman.overlayAddress';
/** Shown until the server is there: with it nothing is opened anywhere, and nothing is asked of another address. */
const NOT_YET = 'STARTING';

/**
 * Opens what was on in an earlier window. The loader is wrapped before this returns, because the Augment extension
 * starts a moment later.
 */
export function openOverlay({
  globalState,
  log,
  loader,
}: {
  globalState: vscode.Memento;
  log: Pick<vscode.LogOutputChannel, 'warn'>;
  loader?: LoaderHook['loader'];
}): OverlayConnection {
  const changed = new vscode.EventEmitter<void>();
  const extension = () => vscode.extensions.getExtension(AUGMENT_ID);
  let fields: { apiToken: string; completionURL: string } | undefined;
  let hook: { dispose(): void } | undefined;
  let isLate = false;

  const isOn = () => globalState.get<boolean>(IS_ON) === true;
  const overlaid = (): OverlaidSettings | undefined =>
    isOn() && fields !== undefined ? { augment: { advanced: { ...fields } } } : undefined;
  const wrap = () => {
    if (hook !== undefined) return;
    isLate = extension()?.isActive ?? false;
    hook = hookLoader({
      folder: () => extension()?.extensionPath,
      replace: (api) =>
        overlayApi(api as typeof vscode, {
          read: overlaid,
          onDidChange: changed.event,
          onFailure: (error) => log.warn(`The overlay failed, so the real settings apply: ${String(error)}`),
        }),
      ...(loader !== undefined && { loader }),
    });
  };
  const show = async (server: AugmentServer) => {
    const shown = augmentFields(server);
    const isDifferent = shown.apiToken !== fields?.apiToken || shown.completionURL !== fields.completionURL;
    fields = shown;
    if (globalState.get(ADDRESS) !== shown.completionURL) await globalState.update(ADDRESS, shown.completionURL);
    if (isDifferent) changed.fire();
  };

  if (isOn()) {
    const address = globalState.get<string>(ADDRESS);
    if (address !== undefined) fields = { apiToken: NOT_YET, completionURL: address };
    wrap();
  }
  return {
    isOn,
    overlaid,
    needsReload: () => isLate,
    async turnOn(server) {
      wrap();
      await globalState.update(IS_ON, true);
      await show(server);
    },
    async follow(server) {
      if (isOn()) await show(server);
    },
    async turnOff() {
      if (!isOn()) return;
      await globalState.update(IS_ON, undefined);
      await globalState.update(ADDRESS, undefined);
      fields = undefined;
      changed.fire();
    },
    dispose() {
      hook?.dispose();
      changed.dispose();
    },
  };
}
