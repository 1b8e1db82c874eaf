import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess, isProcessAlive, type ProcessIdentity, replaceFile } from '@dragoman/server/base';

/** Notes beside the runner why this process is to be replaced, or that it is not. */
export function noteOldProcess(folder: string, why: string | undefined): void {
  try {
    if (why === undefined) rmSync(noteFile(folder), { force: true });
    else replaceFile(noteFile(folder), JSON.stringify({ ...identifyProcess(process.pid), why }), 0o600);
  } catch {
    // A full disk keeps nobody from anything else.
  }
}

/** Why the process that hosts the agents is to be replaced, as a sentence; nothing where it is not. */
export function describeOldProcess(folder: string): string | undefined {
  try {
    const { why, ...identity } = JSON.parse(readFileSync(noteFile(folder), 'utf8')) as ProcessIdentity & {
      why: string;
    };
    if (!isProcessAlive(identity)) return undefined;
    return `agents are still at work in an older process (${identity.pid}): ${why}; it is replaced when none of them is`;
  } catch {
    return undefined;
  }
}

function noteFile(folder: string): string {
  return join(folder, 'old-process.json');
}
