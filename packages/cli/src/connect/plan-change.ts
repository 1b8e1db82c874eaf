import { readJson, standingKeys } from './edit/edit-json.ts';
import { editText } from './edit/edit-text.ts';
import type { FileEdit } from './edit/file-edit.ts';
import { changeOf, type TextChange } from './text-change.ts';

/** A file as it is and as it will be. */
export interface PlannedFile {
  path: string;
  /** Undefined where there is none yet. */
  before: string | undefined;
  after: string;
  steps: ChangeStep[];
}

/** One edit, and what it did to the text. */
export interface ChangeStep {
  edit: FileEdit;
  change: TextChange;
  /** What stood at the place of a JSON file; absent where nothing did. */
  previous?: unknown;
  /** How many keys on the way to that place stood there; the groups behind them were made. */
  stood?: number;
}

/** What becomes of a file. Nothing is written. */
export function planChange(path: string, before: string | undefined, edits: readonly FileEdit[]): PlannedFile {
  const steps: ChangeStep[] = [];
  let text = before ?? '';
  for (const edit of edits) {
    const edited = editText(text, edit, path);
    if (edited !== text)
      steps.push({
        edit,
        change: changeOf(text, edited),
        ...(edit.format === 'json'
          ? { previous: readJson(text, edit.path), stood: standingKeys(text, edit.path) }
          : {}),
      });
    text = edited;
  }
  return { path, before, after: text, steps };
}
