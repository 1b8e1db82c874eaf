import { DragomanError } from '@dragoman/protocol';
import * as vscode from 'vscode';
import type { RunningServer } from '../server/server-link.ts';
import { userValue, writeUserValue } from '../settings/borrowed-settings.ts';
import { augmentWords } from './augment-words.ts';
import { isSame, type MergeNote, mergeSetting, undoMerge } from './merge-setting.ts';

/** The Augment extension, by the name it has in the marketplaces. */
export const AUGMENT_ID = 'augment.vscode-augment';

/** Mode A: the Augment extension's own setting leads to our server. */
export interface SettingsConnection {
  isOn(): Promise<boolean>;
  /** Writes the two fields where they are different. */
  connect(server: RunningServer): Promise<void>;
  /** Brings the fields up to date after the server moved; does nothing while it is off. */
  follow(server: RunningServer): Promise<void>;
  /** Puts back what was found. */
  disconnect(): Promise<void>;
}

const SETTING = 'augment.advanced';
/** With the secrets, because what was found there may be a token of the person's account. */
const KEPT_AS = 'dragoman.augmentBefore';
const IGNORED = 'settingsSync.ignoredSettings';
const IGNORED_BY_US = 'dragoman.ignoredInSync';

/** The one object setting is written whole, merged with what is there, and only when it is different. */
export function settingsConnection({
  secrets,
  globalState,
}: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>): SettingsConnection {
  const noted = async (): Promise<MergeNote | undefined> => {
    const text = await secrets.get(KEPT_AS);
    return text === undefined ? undefined : (JSON.parse(text) as MergeNote);
  };
  const keep = (note: MergeNote | undefined) =>
    note === undefined ? secrets.delete(KEPT_AS) : secrets.store(KEPT_AS, JSON.stringify(note));
  const write = async (server: RunningServer): Promise<void> => {
    const fields = augmentFields(server);
    const earlier = await noted();
    const { value, note, isDifferent } = mergeSetting(userValue(SETTING), fields, earlier);
    // Noted first: a window that is gone in between must still be able to undo.
    if (!isSame(note, earlier)) await keep(note);
    if (!isDifferent) return;
    try {
      await writeUserValue(SETTING, value);
    } catch (error) {
      await keep(earlier);
      throw error;
    }
  };
  return {
    isOn: async () => (await noted()) !== undefined,
    connect: write,
    async follow(server) {
      const note = await noted();
      // Somebody who wrote other values since has taken the connection back.
      if (note !== undefined && isStillOurs(userValue(SETTING), note)) await write(server);
    },
    async disconnect() {
      const note = await noted();
      if (note !== undefined) {
        const current = userValue(SETTING);
        const value = undoMerge(current, note);
        if (!isSame(value, current)) await writeUserValue(SETTING, value);
        await keep(undefined);
      }
      await syncAgain(globalState);
    },
  };
}

/** The two fields that lead to a server. */
export function augmentFields({ url, token }: Pick<RunningServer, 'url' | 'token'>): {
  apiToken: string;
  completionURL: string;
} {
  // The Augment extension sends it in capitals, whatever it was.
  if (token !== token.toUpperCase()) throw new DragomanError('config-invalid', augmentWords.now().tokenInLowerCase);
  return {
    apiToken: token,
    completionURL: url.replace(/^http:\/\/localhost(?=[:/]|$)/, 'http://127.0.0.1').replace(/\/*$/, '/'),
  };
}

/** Keeps the setting on this machine: its address and token mean nothing on another. */
export async function keepOutOfSync(globalState: vscode.Memento): Promise<void> {
  const current = userValue(IGNORED);
  const names = Array.isArray(current) ? (current as unknown[]) : [];
  if (names.includes(SETTING)) return;
  await globalState.update(IGNORED_BY_US, { wasThere: current !== undefined });
  await writeUserValue(IGNORED, [...names, SETTING]);
}

async function syncAgain(globalState: vscode.Memento): Promise<void> {
  const note = globalState.get<{ wasThere: boolean }>(IGNORED_BY_US);
  if (note === undefined) return;
  const current = userValue(IGNORED);
  if (Array.isArray(current)) {
    const names = (current as unknown[]).filter((name) => name !== SETTING);
    await writeUserValue(IGNORED, names.length === 0 && !note.wasThere ? undefined : names);
  }
  await globalState.update(IGNORED_BY_US, undefined);
}

/** Fields that lead somewhere, or open something. */
const LEADING = ['completionURL', 'apiToken', 'oauth', 'chat', 'nextEdit', 'smartPaste', 'remoteAgent'];

/**
 * Whether the settings of this workspace say where the Augment extension sends what it is asked. A repository that
 * does so would get the conversation, and our token with it.
 */
export function isOverridden(): boolean {
  const found = vscode.workspace.getConfiguration().inspect<Record<string, unknown>>(SETTING);
  return [found?.workspaceValue, found?.workspaceFolderValue].some(
    (value) => typeof value === 'object' && value !== null && LEADING.some((name) => name in value),
  );
}

function isStillOurs(current: unknown, { ours }: MergeNote): boolean {
  const found = (current ?? {}) as Record<string, unknown>;
  return Object.entries(ours).every(([name, values]) => values.includes(found[name]));
}
