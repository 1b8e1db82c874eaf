import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { proposedDiffs } from './edit-diffs.ts';

const proposed = (cwd: string, path: string) =>
  proposedDiffs('Write', { file_path: path, content: 'new\n' }, cwd).map(({ unified }) => unified);

test('a file that would be written over is shown as it is now', () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'a.txt'), 'old\n');

  expect(proposed(cwd, 'a.txt')).toEqual([expect.stringContaining('-old\n+new\n')]);
});

test('what holds secrets is not shown before it is written over, nor is a pipe waited for', () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, '.env'), 'KEY=1\n');
  symlinkSync('.env', join(cwd, 'notes.txt'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(cwd, 'pipe')]);

  for (const path of ['.env', 'notes.txt', 'pipe'])
    expect(proposed(cwd, path)).toEqual([expect.stringMatching(/^(?!.*KEY=1).*\+new\n/s)]);
});
