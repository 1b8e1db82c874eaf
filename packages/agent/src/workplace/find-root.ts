import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The project a folder belongs to: the nearest one above it with a `.git` or `.dragoman`, else the folder itself. */
export function findRoot(folder: string, home: string = homedir()): string {
  const start = realpathSync(folder);
  for (let at = start; ; at = dirname(at)) {
    // A home folder under version control does not make everything below it one project.
    if (at !== start && at === home) return start;
    if (existsSync(join(at, '.git')) || existsSync(join(at, '.dragoman'))) return at;
    if (dirname(at) === at) return start;
  }
}
