import { isDeepStrictEqual } from 'node:util';
import { putBackJson, readJson } from './edit/edit-json.ts';
import { isReadable } from './edit/is-readable.ts';
import type { ChangeStep } from './plan-change.ts';
import { undoChange } from './text-change.ts';

/** A file after its connection was taken back. */
export interface UndoneFile {
  text: string;
  /** Places that somebody changed since, which stay as they are. */
  kept: string[];
}

/**
 * Takes the steps of a connection back, the last one first: to the letter where the text that was put in is still there, else,
 * in JSON, by the place that was set, if it says what was put there. A group that holds the token goes whatever else the client
 * has put there.
 */
export function undoFile(text: string, steps: readonly ChangeStep[], token: string | undefined): UndoneFile {
  const kept: string[] = [];
  let current = text;
  for (const { edit, change, previous, stood = 0 } of steps.toReversed()) {
    const undone = undoChange(current, change);
    if (undone !== undefined && isReadable(edit.format, undone)) {
      current = undone;
      continue;
    }
    if (edit.format === 'json' && isOurs(readJson(current, edit.path), edit.value, token))
      current = putBackJson(current, edit.path, previous, stood);
    else if (edit.format !== 'json' || readJson(current, edit.path) !== undefined) kept.push(placeOf(edit));
  }
  return { text: current, kept };
}

function isOurs(found: unknown, value: unknown, token: string | undefined): boolean {
  if (found === undefined) return false;
  const text = JSON.stringify(found);
  if (typeof found === 'object' && token !== undefined && text.includes(token)) return true;
  return isDeepStrictEqual(JSON.parse(text), value); // What is read from a file has no prototypes.
}

function placeOf(edit: ChangeStep['edit']): string {
  if (edit.format === 'json') return edit.path.join('.');
  if (edit.format === 'env') return edit.name;
  return 'key' in edit ? edit.key : 'table' in edit ? `[${edit.table}]` : edit.list;
}
