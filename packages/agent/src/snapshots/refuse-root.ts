import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, sep } from 'node:path';

/** Why no snapshots are made of a folder, or undefined. Such folders are not projects, and have no end. */
export function refuseRoot(root: string, home: string = homedir()): string | undefined {
  if (dirname(root) === root) return `${root} is the whole disk; snapshots are made of project folders only.`;
  const realHome = realPath(home);
  if (root === realHome) return `${root} is the home folder; snapshots are made of project folders only.`;
  if (realHome.startsWith(root + sep))
    return `${root} has the home folder in it; snapshots are made of project folders only.`;
  return undefined;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
