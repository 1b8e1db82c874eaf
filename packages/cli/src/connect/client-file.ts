import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '@dragoman/server/base';
import { unreadable } from './edit/unreadable.ts';

/** Larger files are nobody's settings. */
const MOST_BYTES = 5 * 1024 * 1024;

/** The text of a client's file to the letter; undefined where there is none. */
export function readClientFile(path: string): { text: string; mode: number } | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw unreadable(path, 'this is not a file');
  if (found.size > MOST_BYTES) throw unreadable(path, `it has ${found.size} bytes; the limit is ${MOST_BYTES}`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return { text, mode: found.mode & 0o777 };
  } catch (error) {
    if (error instanceof TypeError) throw unreadable(path, 'it is not UTF-8');
    throw error;
  }
}

/** Puts a text in its place, whole or not at all. */
export function writeClientFile(path: string, text: string, mode: number | undefined): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFile(path, text, mode);
}

export function removeClientFile(path: string): void {
  rmSync(path, { force: true });
}
