import { lstatSync, type Stats } from 'node:fs';

/** Undefined when it is not there or may not be looked at. A link is what it is, not what it leads to. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
