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

/** Sets a value, or takes it out. */
export function putJson(text: string, path: readonly string[], value: unknown): string {
  return editConfig(text, [value === undefined ? { path } : { path, value }]);
}
