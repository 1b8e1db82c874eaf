import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const KEPT_MS = 7 * 86_400_000;

/** Deletes outputs that were too long to be shown, once nobody will read them any more. */
export function sweepOutputs(folder: string, now: number): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > KEPT_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Nothing was too long yet.
  }
}
