import { editConfig, parseJsoncDocument } from '@dragoman/server/base';
import type { FileEdit } from './file-edit.ts';
import { unreadable } from './unreadable.ts';

/** Sets a value in JSON, with or without comments. */
export function editJson(text: string, { path, value }: Extract<FileEdit, { format: 'json' }>, file: string): string {
  const { problems } = parseJsoncDocument(text, file);
  const [problem] = problems;
  if (problem !== undefined) {
    const { place } = problem;
    throw unreadable('line' in place ? `${file}:${place.line}:${place.column}` : file, problem.message);
  }
  return editConfig(text, [{ path, value }]);
}

/** What stands at a place, or nothing. */
export function readJson(text: string, path: readonly string[]): unknown {
  let { value } = parseJsoncDocument(text, '');
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** How many keys of a path stand there. */
export function standingKeys(text: string, path: readonly string[]): number {
  const missing = path.findIndex((_, at) => readJson(text, path.slice(0, at + 1)) === undefined);
  return missing === -1 ? path.length : missing;
}

/** Puts a value back, or takes it out, and with it the groups on its way behind the first `stood` keys, where they are empty then. */
export function putBackJson(text: string, path: readonly string[], value: unknown, stood: number): string {
  if (value !== undefined) return editConfig(text, [{ path, value }]);
  let current = editConfig(text, [{ path }]);
  for (let depth = path.length - 1; depth > stood; depth--) {
    const group = path.slice(0, depth);
    if (Object.keys(readJson(current, group) as object).length > 0) break;
    current = editConfig(current, [{ path: group }]);
  }
  return current;
}
