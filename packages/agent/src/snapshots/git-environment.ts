import { devNull } from 'node:os';
import { gitEnvironment, type GitSetting } from '@dragoman/server/base';

interface GitPlace {
  gitDir: string;
  workTree: string;
  indexFile: string;
}

/**
 * The environment of a git that works on our own directory: nothing from outside points it elsewhere, no setting of the
 * person or the machine reaches it, it never asks and never fetches.
 */
export function shadowEnvironment(place: GitPlace, excludesFile: string): Record<string, string> {
  return {
    ...placedEnvironment(place, shadowSettings(excludesFile)),
    // Older versions look for the person's settings here only.
    HOME: place.gitDir,
    XDG_CONFIG_HOME: place.gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
  };
}

/** The environment of a git that reads the project's own repository as the person's git would, and writes nothing. */
export function readerEnvironment(place: GitPlace): Record<string, string> {
  return placedEnvironment(place, [['safe.directory', '*']]);
}

function placedEnvironment(
  { gitDir, workTree, indexFile }: GitPlace,
  settings: readonly GitSetting[],
): Record<string, string> {
  return {
    ...gitEnvironment(process.env, { folder: workTree, settings }),
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    GIT_INDEX_FILE: indexFile,
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

/** Bytes are kept as they are. */
function shadowSettings(excludesFile: string): GitSetting[] {
  return [
    ['core.bare', 'false'],
    ['core.autocrlf', 'false'],
    ['core.safecrlf', 'false'],
    ['core.untrackedCache', 'false'],
    ['core.splitIndex', 'false'],
    ['core.sparseCheckout', 'false'],
    ['core.attributesFile', devNull],
    ['core.excludesFile', excludesFile],
    ['core.quotePath', 'false'],
    process.platform === 'win32' ? ['core.longPaths', 'true'] : ['core.protectNTFS', 'false'],
    ['safe.directory', '*'],
  ];
}

/**
 * For `info/attributes` of our directory, where it outranks every `.gitattributes`: no line ending, filter, keyword or
 * encoding is converted, so that a file comes back byte for byte.
 */
export const KEEP_BYTES = '* -text !eol -ident -filter !working-tree-encoding\n';
