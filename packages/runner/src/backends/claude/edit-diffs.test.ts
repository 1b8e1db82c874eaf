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

test('what lies outside the project is not shown, by its own path nor by a link', () => {
  const [cwd, outside] = [tempFolder(), tempFolder()];
  writeFileSync(join(outside, 'private.txt'), 'private old\n');
  symlinkSync(join(outside, 'private.txt'), join(cwd, 'notes.md'));
  const edit = { old_string: 'old', new_string: 'new' };

  for (const file_path of ['notes.md', join(outside, 'private.txt')]) {
    expect(proposed(cwd, file_path)).toEqual([expect.not.stringContaining('private old')]);
    const [shown] = proposedDiffs('Edit', { file_path, ...edit }, cwd);
    expect(shown!.unified).toMatch(/^-old$[^]*^\+new$/m);
    expect(shown!.unified).not.toContain('private old');
  }
});

test('what holds secrets is not shown before it is written over, nor is a pipe waited for', () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, '.env'), 'KEY=1\n');
  symlinkSync('.env', join(cwd, 'notes.txt'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(cwd, 'pipe')]);

  for (const path of ['.env', 'notes.txt', 'pipe'])
    expect(proposed(cwd, path)).toEqual([expect.stringMatching(/^(?!.*KEY=1).*\+new\n/s)]);
});
