import { findProgram, isProgram } from '@dragoman/server/beside';

/**
 * Where ripgrep is: the editor brings one along and says where (`DRAGOMAN_RIPGREP`); without it, the one on PATH.
 *
 * Throws while it is loaded where there is none, as the package it stands for does on a machine it has no program for.
 */
export const rgPath: string = findRipgrep();

function findRipgrep(): string {
  const named = process.env['DRAGOMAN_RIPGREP'];
  const found = named !== undefined && isProgram(named) ? named : findProgram('rg');
  if (found === undefined) throw new Error('There is no rg on PATH. Install ripgrep and start the server again.');
  return found;
}
