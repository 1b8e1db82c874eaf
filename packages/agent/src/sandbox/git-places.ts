import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readProjectFile } from '@dragoman/server/files';

/** Longer ones are read in part; nobody writes them by hand. */
const MAX_BYTES = 256 * 1024;
/** More than anybody has. */
const MOST_FILES = 30;

/**
 * Where else git looks for what it obeys, given a `.git`: the folder that a worktree or submodule refers to, the one it shares, and
 * the hooks and files that their configuration names, and those that these name. None of them has to be there.
 */
export function gitPlaces(dotGit: string): string[] {
  const told = /^gitdir: (.+)$/m.exec(textOf(dotGit))?.[1];
  const own = told === undefined ? dotGit : resolve(dirname(dotGit), told);
  const shared = textOf(join(own, 'commondir')).trim();
  const folders = shared === '' ? [own] : [own, resolve(own, shared)];

  const places = new Set(
    folders.flatMap((folder) => ['hooks', 'config', 'config.worktree'].map((name) => join(folder, name))),
  );
  let read = 0;
  for (const file of places) {
    if (read++ > MOST_FILES) break;
    for (const [, value] of textOf(file).matchAll(CONFIGURED)) {
      const path = value!.trim().replace(/^~(?=\/)/, homedir());
      // Included files are meant from where the configuration is, hooks from where the files are.
      places.add(resolve(dirname(file), path)).add(resolve(dirname(dotGit), path));
    }
  }
  return [...folders, ...places];
}

const CONFIGURED = /^[^\S\n]*(?:\[.*\][^\S\n]*)?(?:path|hooksPath)[^\S\n]*=[^\S\n]*"?([^"\n#;]+)/gim;

/** A link is followed wherever it leads, as git does. */
function textOf(file: string): string {
  try {
    const read = readProjectFile(file, { project: undefined, maxBytes: MAX_BYTES, isBeginningEnough: true });
    return read?.bytes.toString('utf8') ?? '';
  } catch {
    return ''; // A folder, or something that is no file.
  }
}
