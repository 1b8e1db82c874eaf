import { sep } from 'node:path';
import { type GitSetting, gitEnvironment } from './git-environment.ts';
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
  /** Runs git to change something: filters are applied, and hooks only where they are asked for. */
  write(args: readonly string[], options?: GitOptions & WriteOptions): Promise<GitOutput>;
}

interface WriteOptions {
  hasHooks?: boolean;
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

/** No program of the repository's own is asked what has changed, and what is not a plain work tree is none. */
const ALWAYS: readonly GitSetting[] = [
  ['core.fsmonitor', 'false'],
  ['core.quotePath', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['submodule.recurse', 'false'],
];
/** No file beyond this is held in memory for its lines. */
const NO_GIANTS: GitSetting = ['core.bigFileThreshold', '32m'];
const NO_HOOKS: GitSetting = ['core.hooksPath', process.platform === 'win32' ? 'NUL' : '/dev/null'];
/** Paths are what they say, and no pattern. */
const LITERAL = '--literal-pathspecs';

/**
 * The repository a folder is in, or nothing.
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
  const run = (settings: readonly GitSetting[], env: Readonly<Record<string, string>>, args: readonly string[]) => {
    const whole = gitEnvironment(environment, [...ALWAYS, ...settings]);
    return { args: [LITERAL, ...args], cwd: folder, env: { ...whole, ...env }, signal };
  };
  const quiet = { GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };
  const look = (args: readonly string[]) => runGit({ ...run([NO_HOOKS], quiet, args), limitMs: READ_MS });

  const prefix = await findPrefix(look, folder);
  if (prefix === undefined) return undefined;
  const { stdout } = await look(['config', '--list', '-z', '--show-scope', '--name-only']);
  const reading = [NO_HOOKS, NO_GIANTS, ...withoutFilters(stdout.toString('utf8'))];

  return {
    folder,
    prefix,
    read: (args, options) => runGit({ ...run(reading, quiet, args), limitMs: READ_MS, ...options }),
    write: (args, { hasHooks = false, env = {}, ...options } = {}) =>
      runGit({ ...run(hasHooks ? [] : [NO_HOOKS], env, args), limitMs: WRITE_MS, ...options }),
  };
}

/** Undefined where the folder is in no work tree, or in one that the repository claims to be elsewhere. */
async function findPrefix(
  look: (args: readonly string[]) => Promise<GitOutput>,
  folder: string,
): Promise<string | undefined> {
  try {
    const { stdout } = await look(['rev-parse', '--is-inside-work-tree', '--show-prefix']);
    const [, isInside, prefix] = /^(.*)\n([^]*?)\n?$/.exec(stdout.toString('utf8')) ?? [];
    if (isInside !== 'true' || prefix === undefined) return undefined;
    const here = sep === '/' ? `${folder}/` : `${folder.replaceAll(sep, '/')}/`;
    return prefix === '' || here.endsWith(`/${prefix}`) ? prefix : undefined;
  } catch (error) {
    if (error instanceof GitFailedError && /not a git repository|cannot use bare repository/i.test(error.said))
      return undefined;
    throw error;
  }
}

/** Settings that take back the filters that the repository itself names. */
function withoutFilters(listing: string): GitSetting[] {
  const fields = listing.split('\0');
  const drivers = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const isOwn = fields[at] === 'local' || fields[at] === 'worktree';
    const driver = /^filter\.([^]*)\.(?:clean|smudge|process)$/.exec(fields[at + 1]!)?.[1];
    if (isOwn && driver !== undefined) drivers.add(driver);
  }
  return [...drivers].flatMap((driver): GitSetting[] => [
    [`filter.${driver}.clean`, ''],
    [`filter.${driver}.smudge`, ''],
    [`filter.${driver}.process`, ''],
    [`filter.${driver}.required`, 'false'],
  ]);
}
