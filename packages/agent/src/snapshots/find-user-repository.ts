import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
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
 * The repository around a folder, or undefined. The files of its directory are read here, as `gitrepository-layout`
 * describes them, because that takes no process. One with another kind of object names cannot share with ours.
 */
export async function findUserRepository(root: string): Promise<UserRepository | undefined> {
  for (let workTree = root; ; workTree = dirname(workTree)) {
    const gitDir = await readGitDir(join(workTree, '.git'));
    if (gitDir !== undefined) {
      const shared = readText(join(gitDir, 'commondir'))?.trim();
      const commonDir = shared === undefined ? gitDir : resolve(gitDir, shared);
      const config = readText(join(commonDir, 'config')) ?? '';
      if (/^\s*objectformat\s*=\s*(?!sha1\s*$)/im.test(config)) return undefined;
      return {
        workTree,
        gitDir,
        indexFile: join(gitDir, 'index'),
        objects: join(commonDir, 'objects'),
        excludesFile: join(commonDir, 'info', 'exclude'),
      };
    }
    if (dirname(workTree) === workTree) return undefined;
  }
}

/** `.git` is the directory, or in a linked work tree and a submodule a file that names it. */
async function readGitDir(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const named = found.isFile() ? /^gitdir: (.+?)\s*$/.exec(readText(path) ?? '')?.[1] : undefined;
  const gitDir = named === undefined ? path : resolve(dirname(path), named);
  return readText(join(gitDir, 'HEAD')) === undefined ? undefined : gitDir;
}

function readText(path: string): string | undefined {
  try {
    return readProjectFile(path, { project: dirname(path), maxBytes: MAX_BYTES })?.bytes.toString('utf8');
  } catch {
    return undefined;
  }
}
