import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, parse } from 'node:path';
import { DragomanError } from '@dragoman/protocol/error';

/**
 * The real path of a folder that is to be indexed because somebody asked for it from afar. It has to be named in full,
 * as no folder is the one they are in.
 */
export function codeFolder(given: string): string {
  const path = /^~(?=$|[/\\])/.test(given) ? join(homedir(), given.slice(1)) : given;
  if (!isAbsolute(path))
    throw new DragomanError('bad-request', `${given} is not a full path; begin it with / or with ~/.`);
  if (!isFolder(path)) throw new DragomanError('bad-request', `${path} is not a folder of this machine.`);
  const folder = realpathSync(path);
  if (isMoreThanCode(folder))
    throw new DragomanError('bad-request', `${folder} is more than a code base. Name the folder in it that you mean.`);
  if (!mayRead(folder))
    throw new DragomanError('bad-request', `${folder} cannot be read. Let the user that runs the server read it.`);
  return folder;
}

/** A whole disk or a person's whole home. Nobody means all of that when they speak of code. */
export function isMoreThanCode(folder: string): boolean {
  return folder === parse(folder).root || folder === realHome();
}

/** The home folder as other real paths are compared with it. */
export function realHome(): string {
  const home = homedir();
  return existsSync(home) ? realpathSync(home) : home;
}

/** Also false where the way to it may not be gone. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function mayRead(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
