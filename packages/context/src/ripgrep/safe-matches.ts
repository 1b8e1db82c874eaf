import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { redactSourceLine, type Turns } from '@dragoman/protocol/secrets';
import { isUnsafePath } from '../sync/filter/built-in-rules.ts';

/** What rg writes after a path. */
const AFTER_PATH = /:(?:\d+:| binary file matches)/g;
/** No path is longer. */
const MAX_PATH_LENGTH = 4_096;

/**
 * The lines of rg that may be shown: none of a file that the safety rules leave out, and none with a secret in it.
 *
 * An index never has those files, but rg reads what is on the disk. A piece at a time.
 */
export function* safeMatches(lines: readonly string[], root: string): Turns<string[]> {
  const unsafe = new Map<string, boolean>();
  const isUnsafe = (path: string) => {
    let known = unsafe.get(path);
    if (known === undefined) unsafe.set(path, (known = isUnsafePath(path)));
    return known;
  };
  const safe: string[] = [];
  for (const line of lines) {
    yield;
    const ends = [...line.slice(0, MAX_PATH_LENGTH).matchAll(AFTER_PATH)];
    const [first] = ends;
    if (first === undefined) {
      safe.push(yield* redactSourceLine(line));
      continue;
    }
    const path = line.slice(0, first.index);
    if (isUnsafe(path)) continue;
    // A path may itself look like a place; which one is meant only the disk can say.
    const longer = ends.slice(1).map(({ index }) => line.slice(0, index));
    if (longer.some((other) => isUnsafePath(other) && existsSync(join(root, other)))) continue;
    const textStart = first.index + first[0].length;
    safe.push(line.slice(0, textStart) + (yield* redactSourceLine(line.slice(textStart), path)));
  }
  return safe;
}
