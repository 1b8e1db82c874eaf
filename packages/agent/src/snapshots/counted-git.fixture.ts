import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '@dragoman/server/base';

/** A git that writes down each of its starts, for a person who asks what it costs. */
export function countedGit(folder: string): { gitPath: string; commands(): string[] } {
  const gitPath = join(folder, 'git');
  const log = join(folder, 'starts');
  writeFileSync(log, '');
  writeFileSync(gitPath, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nexec '${findProgram('git')}' "$@"\n`);
  chmodSync(gitPath, 0o755);
  return {
    gitPath,
    commands() {
      const lines = readFileSync(log, 'utf8').trim().split('\n');
      writeFileSync(log, '');
      // What follows the settings.
      return lines.filter((line) => line !== '').map((line) => line.replace(/^(?:-c \S+ )*/, '').split(' ')[0]!);
    },
  };
}
