import { closeSync, openSync, readSync } from 'node:fs';
import { findProgram } from '@dragoman/server/base';

const LONGEST_FIRST_LINE = 256;

/** The program that the first line of a script names, where it is not there. */
export function missingInterpreter(place: string, path: string | undefined = process.env['PATH']): string | undefined {
  const [, program = '', argument] = /^#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(firstBytes(place)) ?? [];
  if (program === '') return undefined;
  if (findProgram(program, '') === undefined) return program;
  const isByName = program.endsWith('/env') && argument !== undefined && /^[\w.-]+$/.test(argument);
  return isByName && findProgram(argument, path) === undefined ? argument : undefined;
}

function firstBytes(place: string): string {
  const bytes = Buffer.alloc(LONGEST_FIRST_LINE);
  try {
    const file = openSync(place, 'r');
    try {
      return bytes.toString('latin1', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return ''; // It can be run all the same, perhaps.
  }
}
