import { dirname, join } from 'node:path';
import { ownRepository } from '@dragoman/server/base';
import { readProjectFile } from '@dragoman/server/files';

/** A configuration may name a thousand branches. */
const MAX_BYTES = 1024 * 1024;

/** The repository that the project lies in, as far as it is read. */
export interface UserRepository {
  /** The folder that has `.git` in it. */
  workTree: string;
  gitDir: string;
  indexFile: string;
  objects: string;
  /** Ignore rules that are not in the work tree. */
  excludesFile: string;
}

/**
 * The repository around a folder, if it is its own; see `ownRepository`. Its files are read here because that takes no
 * process. One with another kind of object names cannot share with ours.
 */
export function findUserRepository(root: string): UserRepository | undefined {
  const own = ownRepository(root);
  if (own === undefined || own.objection !== undefined) return undefined;
  const { root: workTree, gitFolder, commonFolder } = own;
  if (readText(join(gitFolder, 'HEAD')) === undefined) return undefined;
  const config = readText(join(commonFolder, 'config')) ?? '';
  if (/^\s*objectformat\s*=\s*(?!sha1\s*$)/im.test(config)) return undefined;
  return {
    workTree,
    gitDir: gitFolder,
    indexFile: join(gitFolder, 'index'),
    objects: join(commonFolder, 'objects'),
    excludesFile: join(commonFolder, 'info', 'exclude'),
  };
}

function readText(path: string): string | undefined {
  try {
    return readProjectFile(path, { project: dirname(path), maxBytes: MAX_BYTES })?.bytes.toString('utf8');
  } catch {
    return undefined;
  }
}
