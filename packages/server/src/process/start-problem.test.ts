import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { asOrdinaryUser, closedFolder, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { findProgram } from './find-program.ts';
import { explainStart, type FailedStart, startProblem } from './start-problem.ts';

/** Starts something that cannot be, and tells the error of the system and what we make of it. */
function failing(command: string, { cwd = '/', searchPath = '' }: Partial<FailedStart> = {}) {
  return asOrdinaryUser(async () => {
    const child = spawn(command, { cwd, env: { PATH: searchPath }, stdio: 'ignore' });
    const error = await new Promise<NodeJS.ErrnoException>((resolve, reject) => {
      child.once('error', resolve);
      child.once('exit', () => reject(new Error(`${command} was started`)));
    });
    const start = { command, cwd, searchPath };
    return { code: error.code, problem: startProblem(error, start), words: explainStart(error, start) };
  });
}

/** A folder that everybody may enter, with a file of that mode in it. */
function folderWith(name: string, mode: number, text = '#!/bin/sh\n'): string {
  const folder = tempFolder();
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), mode);
  return folder;
}

const missing = { problem: 'program-missing', words: 'there is no such program' };

test('a program that is nowhere is missing, also where a folder of the PATH may not be entered', async () => {
  const searchPath = [closedFolder(), tempFolder(), '/usr/bin'].join(delimiter);

  expect(await failing('no-such-program', { searchPath: '/usr/bin' })).toEqual({ code: 'ENOENT', ...missing });
  expect(await failing('no-such-program', { searchPath })).toEqual({ code: 'EACCES', ...missing });
});

test('and so is one in whose place there is a folder', async () => {
  const folder = folderWith('other', 0o755);
  mkdirSync(join(folder, 'tool'));

  expect(await failing('tool', { searchPath: folder })).toEqual({ code: 'EACCES', ...missing });
  expect(await failing(join(folder, 'tool'))).toEqual({ code: 'EACCES', ...missing });
});

test('a file that is there and may not be run is told as such, on the PATH, by its whole path and by one from the folder', async () => {
  const folder = folderWith('tool', 0o644);
  const notExecutable = { code: 'EACCES', problem: 'not-executable', words: 'there is no permission to run the file' };

  expect(await failing('tool', { searchPath: [closedFolder(), folder].join(delimiter) })).toEqual(notExecutable);
  expect(await failing(join(folder, 'tool'))).toEqual(notExecutable);
  expect(await failing('./tool', { cwd: folder })).toEqual(notExecutable);
});

test('a script whose interpreter is missing is not called missing itself', async () => {
  const folder = folderWith('tool', 0o755, '#!/no/such/interpreter\n');

  expect(await failing(join(folder, 'tool'))).toEqual({
    code: 'ENOENT',
    problem: 'interpreter-missing',
    words: 'the program named in its first line was not found',
  });
});

test('a folder to start in that is missing or closed is told before the program', async () => {
  expect(await failing('/bin/sh', { cwd: '/no/such/folder' })).toEqual({
    code: 'ENOENT',
    problem: 'folder-missing',
    words: 'there is no such folder',
  });
  expect(await failing('/bin/sh', { cwd: closedFolder() })).toEqual({
    code: 'EACCES',
    problem: 'folder-closed',
    words: 'there is no permission to open the folder',
  });
});

test('what is no matter of finding something is told in the words of the system', () => {
  const error = Object.assign(new Error('spawn E2BIG'), { code: 'E2BIG' });

  expect(explainStart(error, { command: 'cat', cwd: '/', searchPath: '/bin' })).toBe('spawn E2BIG');
});

test('a program is found behind folders that may not be entered, are missing or hold a folder of its name', async () => {
  const folder = folderWith('tool', 0o755);
  const decoy = tempFolder();
  mkdirSync(join(decoy, 'tool'));
  const searchPath = [closedFolder(), '/no/such/folder', decoy, folderWith('tool', 0o644), folder].join(delimiter);

  expect(await asOrdinaryUser(() => findProgram('tool', searchPath))).toBe(join(folder, 'tool'));
  expect(findProgram(join(folder, 'tool'), '')).toBe(join(folder, 'tool'));
  expect(findProgram('tool', ['.', '', 'bin', tempFolder()].join(delimiter))).toBeUndefined();
});
