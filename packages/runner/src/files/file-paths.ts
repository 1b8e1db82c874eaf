import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { openRepository, type RepositoryOptions } from '../git/open-repository.ts';
import { isGitFolder } from './inside-path.ts';

/** People choose from a few; what is beyond is a folder of data. */
const MOST_PATHS = 100_000;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_FOLDERS = 20_000;
const WALK_MS = 5_000;
/** Left out where there is no git to tell. */
const NOT_WALKED: ReadonlySet<string> = new Set(['node_modules', '.venv', '__pycache__', '.hg', '.svn', '.jj']);

/** The files of a folder: in a repository those that it does not ignore, else all, as far as they can be walked in time. */
export async function filePaths(options: RepositoryOptions): Promise<string[]> {
  const repository = await openRepository(options);
  if (repository === undefined) return walk(options.folder, options.signal);
  const { stdout } = await repository.read(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    maxBytes: MOST_BYTES,
  });
  const paths = stdout.toString('utf8').split('\0');
  paths.pop(); // Empty, or cut.
  // A file in conflict is listed once for each side; another repository inside is listed as a folder.
  return [...new Set(paths)].filter((path) => !path.endsWith('/')).slice(0, MOST_PATHS);
}

/** Level by level, so that what is near is there when it has to end. Links are not followed. */
async function walk(root: string, signal: AbortSignal | undefined): Promise<string[]> {
  const until = Date.now() + WALK_MS;
  const paths: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && at < MOST_FOLDERS; at += 1) {
    const folder = folders[at]!;
    try {
      for await (const entry of await opendir(join(root, folder), { bufferSize: 500 })) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!NOT_WALKED.has(entry.name) && !isGitFolder(entry.name)) folders.push(path);
        } else if (entry.isFile()) paths.push(path);
        if (paths.length >= MOST_PATHS) return paths;
      }
    } catch {
      // It may not be read, or is gone.
    }
    if (Date.now() > until || signal?.aborted === true) break;
  }
  return paths;
}
