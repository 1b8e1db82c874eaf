import * as vscode from 'vscode';
import { isSame } from '../augment/merge-setting.ts';
import { changedJsonc } from './edit-jsonc.ts';
import { editUserSettings } from './edit-user-settings.ts';

/** A setting of the editor that we changed. */
interface Borrowed {
  /** As it was found; without a value it was not set. */
  before: { value?: unknown };
  ours: unknown;
}

/** Settings of the editor that were changed for the person, to be put back when they say so. */
export interface BorrowedSettings {
  /** Writes it where it is different. False where the editor refuses it. */
  change(name: string, value: unknown): Promise<boolean>;
  /** The same for a setting that the editor refuses from extensions: then its line in settings.json is written. */
  changeHidden(name: string, value: unknown): Promise<void>;
  /** Puts back those of the names that still are as we left them. Rejects after the last where one could not be. */
  restore(names: readonly string[]): Promise<void>;
}

const KEPT_AS = 'dragoman.borrowedSettings';

/** What was there before is kept in `globalState`, noted before the setting is written. None of it is a secret. */
export function borrowedSettings(globalState: vscode.Memento): BorrowedSettings {
  const notes = () => globalState.get<Record<string, Borrowed>>(KEPT_AS) ?? {};
  const note = (name: string, borrowed: Borrowed | undefined) => {
    const { [name]: _left, ...others } = notes();
    return globalState.update(KEPT_AS, borrowed === undefined ? others : { ...others, [name]: borrowed });
  };
  const change = async (name: string, value: unknown, write: typeof writeUserValue): Promise<void> => {
    const current = userValue(name);
    if (isSame(current, value)) return;
    const earlier = notes()[name];
    const isStillOurs = earlier !== undefined && isSame(current, earlier.ours);
    const before = current === undefined ? {} : { value: current };
    await note(name, { before: isStillOurs ? earlier.before : before, ours: value });
    try {
      await write(name, value);
    } catch (error) {
      await note(name, earlier);
      throw error;
    }
  };
  return {
    change: (name, value) =>
      change(name, value, writeUserValue).then(
        () => true,
        () => false,
      ),
    changeHidden: (name, value) => change(name, value, writeHiddenValue),
    async restore(names) {
      const problems: unknown[] = [];
      for (const name of names) {
        const borrowed = notes()[name];
        if (borrowed === undefined) continue;
        try {
          if (isSame(userValue(name), borrowed.ours)) await writeHiddenValue(name, borrowed.before.value);
          await note(name, undefined);
        } catch (error) {
          problems.push(error);
        }
      }
      if (problems.length > 0) throw problems[0];
    },
  };
}

/** A setting as it stands in the person's own settings, whatever a workspace says. */
export function userValue(name: string): unknown {
  return vscode.workspace.getConfiguration().inspect(name)?.globalValue;
}

/** Writes to the person's own settings; nothing removes it from there. Rejects where no extension declares it. */
export async function writeUserValue(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}

/** By the editor's own way where it lets us, in its file where it does not. */
async function writeHiddenValue(name: string, value: unknown): Promise<void> {
  try {
    await writeUserValue(name, value);
  } catch {
    await editUserSettings(name, (text) => changedJsonc(text, name, value));
  }
}
