import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Where ripgrep is: the editor brings one along and says where (`DRAGOMAN_RIPGREP`); without it, the one on PATH.
 *
 * Throws while it is loaded where there is none, as the package it stands for does on a machine it has no program for.
 */
export const rgPath: string = findRipgrep();

function findRipgrep(): string {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [process.env['DRAGOMAN_RIPGREP'] ?? '', ...folders.map((folder) => join(folder, name))];
  const found = candidates.find((path) => path !== '' && isExecutable(path));
  if (found === undefined) throw new Error('There is no rg on PATH. Install ripgrep and start the server again.');
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
