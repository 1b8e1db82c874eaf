import { DragomanError } from '@dragoman/protocol';
import type * as vscode from 'vscode';
import type { RunningServer } from '../server/server-link.ts';
import { userValue, writeUserValue } from '../settings/borrowed-settings.ts';
import { readJsonc } from '../settings/edit-jsonc.ts';
import { editUserSettings } from '../settings/edit-user-settings.ts';
import { augmentWords } from './augment-words.ts';
import { isSame, type MergeNote, mergeSetting, undoMerge } from './merge-setting.ts';
import { IGNORED, putIntoText, SETTING, takeOutOfText, type WrittenNote } from './put-into-text.ts';

/** The Augment extension, by the name it has in the marketplaces. */
export const AUGMENT_ID = 'augment.vscode-augment';

/** Where the Augment extension is led, and the token it is given for it. */
export type AugmentServer = Pick<RunningServer, 'url' | 'token'>;

/** Mode A: the Augment extension's own setting leads to our server. */
export interface SettingsConnection {
  isOn(): Promise<boolean>;
  /** Writes the two fields where they are different, and keeps the setting out of Settings Sync. */
  connect(server: AugmentServer): Promise<void>;
  /** Brings the fields up to date after the server moved; does nothing while it is off. */
  follow(server: AugmentServer): Promise<void>;
  /** Puts back what was found. */
  disconnect(): Promise<void>;
}

/** With the secrets, because what was found there may be a token of the person's account. */
const KEPT_AS = 'dragoman.augmentBefore';

/** Only what is ours is written, in its place in settings.json, and only when it is different. */
export function settingsConnection({ secrets }: Pick<vscode.ExtensionContext, 'secrets'>): SettingsConnection {
  const noted = async (): Promise<WrittenNote | undefined> => {
    const text = await secrets.get(KEPT_AS);
    return text === undefined ? undefined : (JSON.parse(text) as WrittenNote);
  };
  const keep = (note: WrittenNote | undefined) =>
    note === undefined ? secrets.delete(KEPT_AS) : secrets.store(KEPT_AS, JSON.stringify(note));
  const write = async (server: AugmentServer): Promise<void> => {
    const fields = augmentFields(server);
    const earlier = await noted();
    const { value, note, isDifferent } = mergeSetting(userValue(SETTING), fields, earlier);
    const kept: WrittenNote = { ...note, ...(earlier?.texts !== undefined && { texts: earlier.texts }) };
    // Noted first: a window that is gone in between must still be able to undo.
    if (!isSame(kept, earlier)) await keep(kept);
    if (!isDifferent && isIgnored()) return;
    let put: ReturnType<typeof putIntoText>;
    const edit = async (text: string) => {
      if (text === put?.text) return text; // Written, and not saved yet.
      put = isElsewhere(text) ? undefined : putIntoText(text, fields, earlier);
      if (put !== undefined) await keep({ ...note, texts: put.texts });
      return put?.text;
    };
    try {
      await inFileOrWhole(edit, async () => {
        await writeUserValue(SETTING, value);
        await keep(kept);
      });
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
      if (note === undefined) return;
      const current = userValue(SETTING);
      const value = undoMerge(current, note);
      if (!isSame(value, current) || note.texts?.[IGNORED] !== undefined)
        await inFileOrWhole(
          (text) => (isElsewhere(text) ? undefined : takeOutOfText(text, note)),
          () => writeUserValue(SETTING, value),
        );
      await keep(undefined);
    },
  };
}

/** The two fields that lead to a server. */
export function augmentFields({ url, token }: AugmentServer): { apiToken: string; completionURL: string } {
  // The Augment extension sends it in capitals, whatever it was.
  if (token !== token.toUpperCase()) throw new DragomanError('config-invalid', augmentWords.now().tokenInLowerCase);
  return {
    apiToken: token,
    completionURL: url.replace(/^http:\/\/localhost(?=[:/]|$)/, 'http://127.0.0.1').replace(/\/*$/, '/'),
  };
}

/** In the person's file, where comments stay; by the editor's own way where the file cannot be had, or says it in other words. */
async function inFileOrWhole(edit: Parameters<typeof editUserSettings>[1], whole: () => Promise<void>): Promise<void> {
  try {
    await editUserSettings(SETTING, edit);
  } catch {
    await whole();
  }
}

/** Whether the setting is there and yet not under its name: `"augment": { "advanced": … }` is the same to the editor. */
function isElsewhere(text: string): boolean {
  return userValue(SETTING) !== undefined && readJsonc(text, SETTING) === undefined;
}

function isIgnored(): boolean {
  const names = userValue(IGNORED);
  return Array.isArray(names) && names.includes(SETTING);
}

function isStillOurs(current: unknown, { ours }: MergeNote): boolean {
  const found = (current ?? {}) as Record<string, unknown>;
  return Object.entries(ours).every(([name, values]) => values.includes(found[name]));
}
