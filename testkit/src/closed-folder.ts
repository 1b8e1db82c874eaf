import { chmodSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.ts';

/** A folder that nobody but root may enter, gone when the test is over. */
export function closedFolder(): string {
  const folder = tempFolder();
  onTestFinished(() => chmodSync(folder, 0o700)); // Else it could not be removed.
  chmodSync(folder, 0);
  return folder;
}
