import { readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { findPlaces } from '../load-setup.ts';
import { describeOldProcess, noteOldProcess } from './old-process.ts';
import { differsFromServer, noteProgram, type RunsWith } from './program-note.ts';

const HOME = join(tmpdir(), 'never-made');
const runsWith = (env: Record<string, string>, program = 'one'): RunsWith => ({
  ...findPlaces({}, [], { DRAGOMAN_HOME: HOME, ...env }),
  program,
});

test('a process knows whether the server that has its folder runs with something else', () => {
  const folder = join(tempFolder(), 'server');
  const mine = runsWith({ KEY: 'old', OTHER: 'mine' });
  expect(differsFromServer(folder, mine)).toBeUndefined();

  noteProgram(folder, runsWith({ KEY: 'old', OTHER: 'theirs' }), ['KEY', 'UNSET']);
  expect(differsFromServer(folder, mine)).toBeUndefined();
  noteProgram(folder, runsWith({ KEY: 'new', NEW: 'one' }), ['KEY', 'NEW']);
  expect(differsFromServer(folder, mine)).toBe('the environment has new values (KEY, NEW)');
  noteProgram(folder, runsWith({ DRAGOMAN_DATABASE_URL: 'postgres://a/b' }), []);
  expect(differsFromServer(folder, mine)).toBe('the server uses other files or another database');
  noteProgram(folder, runsWith({}, 'two'), []);
  expect(differsFromServer(folder, mine)).toBe('Dragoman was upgraded');
});

test('what the environment holds cannot be read from the note', () => {
  const folder = tempFolder();

  noteProgram(folder, runsWith({ KEY: 'the key itself' }), ['KEY']);

  expect(readFileSync(join(folder, 'program.json'), 'utf8')).not.toContain('the key itself');
  expect(statSync(join(folder, 'program.json')).mode & 0o777).toBe(0o600);
});

test('a process that is to be replaced is told of while it is there', () => {
  const folder = tempFolder();
  expect(describeOldProcess(folder)).toBeUndefined();

  noteOldProcess(folder, 'Dragoman was upgraded');
  expect(describeOldProcess(folder)).toBe(
    `agents are still at work in an older process (${process.pid}): Dragoman was upgraded; it is replaced when none of them is`,
  );
  noteOldProcess(folder, undefined);
  expect(describeOldProcess(folder)).toBeUndefined();
});
