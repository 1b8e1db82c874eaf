import { devNull } from 'node:os';

/**
 * The environment of a git that works on our own directory: nothing from outside points it elsewhere, no setting of the
 * person or the machine reaches it, it never asks and never fetches.
 */
export function gitEnvironment(place: { gitDir: string; workTree: string; indexFile: string }): NodeJS.ProcessEnv {
  return {
    ...withoutGit(process.env),
    GIT_DIR: place.gitDir,
    GIT_WORK_TREE: place.workTree,
    GIT_INDEX_FILE: place.indexFile,
    // Older versions look for the person's settings here only.
    HOME: place.gitDir,
    XDG_CONFIG_HOME: place.gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    ...QUIET,
  };
}

/** The environment of a git that reads the project's own repository as the person's git would, and writes nothing. */
export function readerEnvironment(place: { gitDir: string; workTree: string; indexFile: string }): NodeJS.ProcessEnv {
  return {
    ...withoutGit(process.env),
    GIT_DIR: place.gitDir,
    GIT_WORK_TREE: place.workTree,
    GIT_INDEX_FILE: place.indexFile,
    ...QUIET,
  };
}

const QUIET = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  LC_ALL: 'C',
};

/** Settings for every start of git: bytes are kept as they are, and no program but git itself runs. */
export function gitSettings(excludesFile: string = devNull): string[] {
  return [
    'core.bare=false',
    'core.autocrlf=false',
    'core.safecrlf=false',
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    'core.splitIndex=false',
    'core.sparseCheckout=false',
    `core.hooksPath=${devNull}`,
    `core.attributesFile=${devNull}`,
    `core.excludesFile=${excludesFile}`,
    'core.quotePath=false',
    ...(process.platform === 'win32' ? ['core.longPaths=true'] : ['core.protectNTFS=false']),
    'gc.auto=0',
    'maintenance.auto=false',
    'protocol.allow=never',
    'safe.directory=*',
  ].flatMap((setting) => ['-c', setting]);
}

/** Settings for a git that reads the project's own repository: no program that it names is run. */
export const READER_SETTINGS: readonly string[] = ['-c', 'core.fsmonitor=false', '-c', 'safe.directory=*'];

/**
 * For `info/attributes` of our directory, where it outranks every `.gitattributes`: no line ending, filter, keyword or
 * encoding is converted, so that a file comes back byte for byte.
 */
export const KEEP_BYTES = '* -text !eol -ident -filter !working-tree-encoding\n';

function withoutGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('GIT_')));
}
