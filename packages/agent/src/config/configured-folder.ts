import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isBelow } from '../instructions/folders-down.ts';

/** A folder that the configuration names. */
export interface ConfiguredFolder {
  path: string;
  /** The project, where the folder lies in it: then it is what the project brings along. Undefined where it is the person's own. */
  project: string | undefined;
}

/**
 * The folder that is meant by a name in the configuration: absolute, below `~/`, or relative to the project. Whoever works in
 * their home folder, or above it, meets their own folders there.
 */
export function configuredFolder(named: string, { root, home }: { root: string; home: string }): ConfiguredFolder {
  const path = named === '~' || named.startsWith('~/') ? join(home, named.slice(1)) : resolve(root, named);
  const isInside = isBelow(root, path) || isBelow(realPath(root), realPath(path));
  return { path, project: isInside && !isBelow(root, home) ? root : undefined };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
