import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isProgram, places } from './find-program.ts';

/** What stands in the way of a start; `other` is what only the system can tell. */
export type StartProblem = keyof typeof START_PROBLEMS | 'other';

/** The same in words. */
export const START_PROBLEMS = {
  'folder-missing': 'there is no such folder',
  'folder-closed': 'there is no permission to open the folder',
  'program-missing': 'there is no such program',
  'not-executable': 'there is no permission to run the file',
  'interpreter-missing': 'the program named in its first line was not found',
} as const;

/** What was to be started. */
export interface FailedStart {
  command: string;
  cwd: string;
  /** The PATH that it was to be started with. */
  searchPath: string | undefined;
}

/**
 * Why a program could not be started, from the error of `spawn` and from what is there.
 *
 * The error alone does not tell. The system names a folder that is missing like a program that is; and with a folder on
 * the PATH that may not be entered, a program that is nowhere is EACCES, as if it were there and might not be run.
 */
export function startProblem(error: Error, { command, cwd, searchPath = '' }: FailedStart): StartProblem {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !CODES.has(code)) return 'other';
  const folder = folderProblem(cwd);
  if (folder !== undefined) return folder;
  const files = places(/[\\/]/.test(command) ? resolve(cwd, command) : command, searchPath).filter(isFile);
  if (files.length === 0) return 'program-missing';
  if (!files.some(isProgram)) return 'not-executable';
  return code === 'ENOENT' ? 'interpreter-missing' : 'other';
}

/** Why a program could not be started, in words: ours, or else the system's. */
export function explainStart(error: Error, start: FailedStart): string {
  const problem = startProblem(error, start);
  return problem === 'other' ? error.message : START_PROBLEMS[problem];
}

const CODES = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

function folderProblem(cwd: string): StartProblem | undefined {
  try {
    statSync(`${cwd}/.`); // With the dot, to be in it is tried and not only to see it.
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' ? 'folder-closed' : 'folder-missing';
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
