import { delimiter, isAbsolute, join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { findProgram, isProgram } from '@dragoman/server/beside';
import type { RunningServer } from './server-link.ts';
import { serverWords } from './server-words.ts';

/** A program that can be started as a server. */
export interface ServerProgram {
  origin: Extract<RunningServer['origin'], 'path' | 'bundled'>;
  command: string;
  /** What comes before `serve`. */
  args: readonly string[];
  /** The command is the editor itself. */
  isEditor: boolean;
}

/** Where programs are looked for. */
export interface ProgramPlaces {
  /** The setting `dragoman.serverCommand`. */
  serverCommand: string;
  searchPath: string;
  /** The server inside the extension. */
  bundled: string;
  /** The program this host runs on. */
  editor: string;
  platform?: NodeJS.Platform;
}

/**
 * The programs to be tried, in order: the one that was set, alone; else `dragoman` of the person, then the copy in the
 * extension. A `dragoman` that is too old, or whose Node is, says so and ends, and the next one is tried.
 *
 * Only whole paths count. A search path may hold `.`, which would be a folder that somebody else wrote.
 */
export function serverPrograms(places: ProgramPlaces): ServerProgram[] {
  const { serverCommand, searchPath, bundled, editor, platform = process.platform } = places;
  if (serverCommand !== '') {
    if (!isAbsolute(serverCommand) || !isProgram(serverCommand))
      throw new DragomanError('config-invalid', serverWords.now().commandMissing(serverCommand));
    return [{ origin: 'path', command: serverCommand, args: [], isEditor: false }];
  }
  const found = platform === 'win32' ? installedOnWindows(searchPath) : installed(searchPath);
  return [...found, { origin: 'bundled', command: editor, args: [bundled], isEditor: true }];
}

function installed(searchPath: string): ServerProgram[] {
  const command = findProgram('dragoman', searchPath);
  return command === undefined ? [] : [{ origin: 'path', command, args: [], isEditor: false }];
}

/** There, npm makes a script for the shell; what it would run is run without one, so that nothing is quoted wrongly. */
function installedOnWindows(searchPath: string): ServerProgram[] {
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  const node = folders.map((folder) => join(folder, 'node.exe')).find(isProgram);
  const script = folders
    .map((folder) => join(folder, 'node_modules', '@dragoman', 'cli', 'bin', 'dragoman.js'))
    .find(isProgram);
  return node === undefined || script === undefined
    ? []
    : [{ origin: 'path', command: node, args: [script], isEditor: false }];
}
