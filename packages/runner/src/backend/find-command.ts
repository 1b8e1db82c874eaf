import { resolve } from 'node:path';
import { findProgram } from '@dragoman/server/base';

const KEPT_MS = 10_000;
const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];
const found = new Map<string, { path: string | undefined; at: number }>();

/** Where a program is on the PATH, or nothing. Remembered for a moment, because lists of agents ask for many at once. */
export function findCommand(program: string, path = process.env['PATH'] ?? ''): string | undefined {
  const key = `${program}\n${path}`;
  const known = found.get(key);
  if (known !== undefined && Date.now() - known.at < KEPT_MS) return known.path;
  const place = findProgram(isPlace(program) ? resolve(program) : program, path, ENDINGS);
  found.set(key, { path: place, at: Date.now() });
  return place;
}

/** In words, that a program is not there: on the PATH, or at the place that was named. */
export function missingProgram(program: string): string {
  return isPlace(program)
    ? `there is no program at ${program} on this machine`
    : `"${program}" is not on the PATH of this machine`;
}

function isPlace(program: string): boolean {
  return /[\\/]/.test(program);
}
