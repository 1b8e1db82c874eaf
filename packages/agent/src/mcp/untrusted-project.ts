import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A project that nobody said they trust. Programs such as npx look into the folder they are started in for what to run, so a
 * server is started elsewhere, and is not found in the project.
 */
export interface UntrustedProject {
  root: string;
  /** An empty folder, where servers start that name none. */
  startIn: string;
}

/** Makes the empty folder, in the data folder of Dragoman. */
export function untrustedProject(root: string, dataFolder: string): UntrustedProject {
  const startIn = join(dataFolder, 'mcp');
  mkdirSync(startIn, { recursive: true, mode: 0o700 });
  return { root, startIn };
}
