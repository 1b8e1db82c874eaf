import { join } from 'node:path';
import {
  gitEnvironment,
  type GitSetting,
  LIST_SETTINGS,
  ownRepository,
  ownSettings,
  withoutOwnPrograms,
} from '@dragoman/server/base';
import { needsFilter } from './refuse-filtered.ts';
import { GitFailedError, type GitOutput, type GitRun, runGit } from './run-git.ts';

/** How git is started in a repository, beside its arguments. */
type GitOptions = Partial<Pick<GitRun, 'accept' | 'input' | 'limitMs' | 'maxBytes'>>;

/** A repository as seen from one folder of it. */
export interface Repository {
  /** The folder git runs in; a real path. */
  folder: string;
  /** From the root of the repository to the folder: `packages/web/`, or empty. */
  prefix: string;
  /** Runs git to look at something. Nothing that the repository itself configures is run. */
  read(args: readonly string[], options?: GitOptions): Promise<GitOutput>;
  /**
   * Runs git to change what a person named. Nothing that the repository itself configures is run; a file that must not be
   * stored or written without a filter of it is refused.
   */
  write(args: readonly string[], options?: GitOptions): Promise<GitOutput>;
  /** Runs git as in the person's own terminal: hooks and filters of the repository run. */
  commit(args: readonly string[], options?: GitOptions & CommitOptions): Promise<GitOutput>;
}

interface CommitOptions {
  env?: Readonly<Record<string, string>>;
}

/** Where to look, with what, and until when. */
export interface RepositoryOptions {
  folder: string;
  /** What git inherits. */
  environment: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}

const READ_MS = 12_000;
const WRITE_MS = 15_000;

/** Names are printed as they are, and no file beyond this is held in memory for its lines. */
const SETTINGS: readonly GitSetting[] = [
  ['core.quotePath', 'false'],
  ['core.bigFileThreshold', '32m'],
];
/** Paths are what they say, and no pattern. */
const LITERAL = '--literal-pathspecs';

/**
 * The repository a folder is in, or nothing; one that is kept elsewhere is none.
 *
 * A repository is data that somebody else wrote: its configuration names programs for looking at files (filters, monitors,
 * converters, hooks). Those of the repository itself are switched off for looking; the user's own, such as those of
 * Git LFS, stay.
 */
export async function openRepository({
  folder,
  environment,
  signal,
}: RepositoryOptions): Promise<Repository | undefined> {
  const run = (args: readonly string[], settings: readonly GitSetting[], runsHooks = false) => ({
    args: [LITERAL, ...args],
    cwd: folder,
    env: gitEnvironment(environment, { folder, settings: [...SETTINGS, ...settings], runsHooks }),
    signal,
  });
  const look = (args: readonly string[]) => runGit({ ...run(args, []), limitMs: READ_MS });

  const own = ownRepository(folder);
  if (own === undefined || own.objection !== undefined) return undefined;
  const prefix = await findPrefix(look, folder, own.root);
  if (prefix === undefined) return undefined;
  const listed = ownSettings((await look(LIST_SETTINGS)).stdout.toString('utf8'));
  const { settings: withoutPrograms } = withoutOwnPrograms(listed.map(({ key }) => key));
  // Of git-crypt, say, whose files would be stored for everybody to read: git refuses them where it is left required.
  const unlessRequired = withoutPrograms.filter(([key]) => !/^core\.attributesfile$|\.required$/.test(key));

  return {
    folder,
    prefix,
    read: (args, options) => runGit({ ...run(args, withoutPrograms), limitMs: READ_MS, ...options }),
    write: (args, options) =>
      runGit({ ...run(args, unlessRequired), limitMs: WRITE_MS, ...options }).catch((error: unknown) => {
        throw explainFilter(error);
      }),
    commit: (args, { env = {}, ...options } = {}) => {
      const start = run(args, [], true);
      return runGit({ ...start, env: { ...start.env, ...env }, limitMs: WRITE_MS, ...options });
    },
  };
}

function explainFilter(error: unknown): unknown {
  const [, path, filter] =
    (error instanceof GitFailedError && /^fatal: (.*): (?:clean|smudge) filter '?(.*?)'? failed$/m.exec(error.said)) ||
    [];
  return path === undefined ? error : needsFilter(path, filter!, error);
}

/** Undefined where the folder is in no work tree, or in one that the repository claims to be elsewhere. */
async function findPrefix(
  look: (args: readonly string[]) => Promise<GitOutput>,
  folder: string,
  root: string,
): Promise<string | undefined> {
  try {
    const { stdout } = await look(['rev-parse', '--is-inside-work-tree', '--show-prefix']);
    const [, isInside, prefix] = /^(.*)\n([^]*?)\n?$/.exec(stdout.toString('utf8')) ?? [];
    if (isInside !== 'true' || prefix === undefined) return undefined;
    return join(root, prefix, '.') === folder ? prefix : undefined;
  } catch (error) {
    if (error instanceof GitFailedError && /^fatal: (not a git|cannot use bare) repository/.test(error.said))
      return undefined;
    throw error;
  }
}
