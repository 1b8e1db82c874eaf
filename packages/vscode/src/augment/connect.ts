import { DragomanError } from '@dragoman/protocol';
import type * as vscode from 'vscode';
import type { RunningServer } from '../server/server-link.ts';
import { userValue, writeUserValue } from '../settings/borrowed-settings.ts';
import { readJsonc } from '../settings/edit-jsonc.ts';
import { editUserSettings } from '../settings/edit-user-settings.ts';
import { augmentWords } from './augment-words.ts';
import { ignoreByEditor, isIgnored, stopIgnoringByEditor, withIgnored } from './ignore-by-editor.ts';
import { isInForce } from './is-in-force.ts';
import { isSame, type MergeNote, mergeSetting, undoMerge } from './merge-setting.ts';
import { IGNORED, putIntoText, SETTING, takeOutOfText, type WrittenNote } from './put-into-text.ts';

/** The Augment extension, by the name it has in the marketplaces. */
export const AUGMENT_ID = 'augment.vscode-augment';

/** Where the Augment extension is led, and the token it is given for it. */
export type AugmentServer = Pick<RunningServer, 'url' | 'token'>;

/** Mode A: the Augment extension's own setting leads to our server. */
export interface SettingsConnection {
  isOn(): Promise<boolean>;
  /** Writes the two fields where they are different, and keeps the setting out of Settings Sync. Rejects, with all put back, where something else stays in force. */
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
    const current = userValue(SETTING);
    const { value, note, isDifferent } = mergeSetting(current, fields, earlier);
    const { texts, blank, elsewhere } = earlier ?? {};
    let kept: WrittenNote = {
      ...note,
      ...(texts !== undefined && { texts }),
      ...(blank !== undefined && { blank }),
      ...(elsewhere !== undefined && { elsewhere }),
    };
    // Noted first: a window that is gone in between must still be able to undo.
    if (!isSame(kept, earlier)) await keep(kept);
    if (!isDifferent && isIgnored()) return;
    let put: ReturnType<typeof putIntoText>;
    const edit = async (text: string) => {
      if (text === put?.text) return text; // Written, and not saved yet.
      if (earlier === undefined && isElsewhere(text)) kept = { ...kept, elsewhere: { value: current } };
      put = putIntoText(text, fields, earlier, current);
      if (put !== undefined) await keep({ ...kept, ...put.note });
      return put?.text;
    };
    try {
      await inFileOrWhole(edit, async () => {
        await keep(withIgnored(kept));
        await ignoreByEditor();
        await writeUserValue(SETTING, value);
      });
    } catch (error) {
      await keep(earlier);
      throw error;
    }
  };
  const disconnect = async (): Promise<void> => {
    const note = await noted();
    if (note === undefined) return;
    const current = userValue(SETTING);
    const value = undoMerge(current, note);
    const isOurs = !isSame(value, current);
    if (isOurs || note.texts?.[IGNORED] !== undefined)
      await inFileOrWhole(
        (text) => (isOurs && isElsewhere(text) ? undefined : takeOutOfText(text, note)),
        async () => {
          const isCopy = note.elsewhere !== undefined && isSame(value, note.elsewhere.value);
          if (isOurs) await writeUserValue(SETTING, isCopy ? undefined : value);
          await stopIgnoringByEditor(note);
        },
      );
    await keep(undefined);
  };
  return {
    isOn: async () => (await noted()) !== undefined,
    async connect(server) {
      const before = userValue(SETTING);
      await write(server);
      if (await isInForce(augmentFields(server), before)) return;
      await disconnect();
      throw new DragomanError('conflict', augmentWords.now().notInForce);
    },
    async follow(server) {
      const note = await noted();
      // Somebody who wrote other values since has taken the connection back.
      if (note !== undefined && isStillOurs(userValue(SETTING), note)) await write(server);
    },
    disconnect,
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

function isStillOurs(current: unknown, { ours }: MergeNote): boolean {
  const found = (current ?? {}) as Record<string, unknown>;
  return Object.entries(ours).every(([name, values]) => values.includes(found[name]));
}
