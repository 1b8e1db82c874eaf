import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { deflateSync } from 'node:zlib';
import { z } from 'zod';
import { findUserRepository, type UserRepository } from './find-user-repository.ts';
import { KEEP_BYTES, readerEnvironment, shadowEnvironment } from './git-environment.ts';
import { type GitOutput, runGit, type RunningGit, startGit } from './run-git.ts';

/** What a call of git may need beside its arguments. Without `cwd` it runs in the project's root, and names files from there. */
interface GitCall {
  input?: string | Buffer | undefined;
  signal?: AbortSignal | undefined;
  accept?: readonly number[];
  maxBytes?: number;
  /** It writes the index, so its lock may stay behind if we are killed. */
  writesIndex?: boolean;
  indexFile?: string;
  workTree?: string;
  cwd?: string;
  /** Not our directory is asked but the project's own. For commands that only read. */
  reads?: UserRepository;
}

/** A git directory of our own beside the project: its objects are the states of the files. */
export interface ShadowRepository {
  gitDir: string;
  indexFile: string;
  root: string;
  /** The project's root, or the work tree it lies in, whose ignore rules hold for it too. */
  workTree: string;
  /** The root below `workTree` as git writes it: empty, or ending with a slash. */
  prefix: string;
  /** The project's own repository, where there is one. */
  user: UserRepository | undefined;
  git(args: readonly string[], call?: GitCall): Promise<GitOutput>;
  start(args: readonly string[], call?: GitCall): RunningGit;
}

interface ShadowOptions {
  gitDir: string;
  root: string;
  /** The folder that all our directories lie in. It is not part of a project, even where it lies inside it. */
  folder: string;
  gitPath: string;
  timeLimitMs: number;
  noteGit(pid: number): void;
}

/** The directory holds what the project holds, so whatever the umask is, only its owner reads it. */
const OWN = { mode: 0o600 };
const OWN_FOLDER = { recursive: true, mode: 0o700 };

const layoutSchema = z.object({ workTree: z.string(), isShared: z.boolean() });
type Layout = z.infer<typeof layoutSchema>;

/**
 * Opens the directory, and makes it where it is not there or not whole. What was found around the project when it was
 * made is written down and stays, since the index names files from the work tree on.
 */
export async function openShadowRepository(options: ShadowOptions, signal?: AbortSignal): Promise<ShadowRepository> {
  const { gitDir, root } = options;
  const known = await readLayout(join(gitDir, 'layout.json'));
  const user = known?.isShared === false ? undefined : findUserRepository(root);
  if (known !== undefined && (!known.isShared || user?.workTree === known.workTree) && isWhole(gitDir))
    return shadowAt(options, known.workTree, user);

  const bare = shadowAt(options, root, undefined);
  await forgetLayout(gitDir);
  await mkdir(join(gitDir, 'info'), OWN_FOLDER);
  await bare.git(['-c', 'init.defaultBranch=main', 'init', '--quiet', '--template=', '--shared=0600'], { signal });
  const isShared = user !== undefined && !(await isIgnored(root, shadowAt(options, user.workTree, user), signal));
  const shadow = shadowAt(options, isShared ? user.workTree : root, isShared ? user : undefined);
  await writeOwnFiles(shadow, options.folder);
  const layout: Layout = { workTree: shadow.workTree, isShared };
  await writeWhole(gitDir, 'layout.json', `${JSON.stringify(layout)}\n`);
  return shadow;
}

/** The next to open the directory makes it anew around the states that are in it. */
export async function forgetLayout(gitDir: string): Promise<void> {
  await rm(join(gitDir, 'layout.json'), { force: true });
  await rm(join(gitDir, 'index'), { force: true });
}

/** Writes a file of the directory so that a kill leaves the old one or the new one. */
export async function writeWhole(gitDir: string, name: string, content: string | Buffer): Promise<void> {
  const temporary = join(gitDir, 'written.tmp');
  await writeFile(temporary, content, OWN);
  await rename(temporary, join(gitDir, name));
}

/** Writes an object of git without a process, for the few that are always the same. */
export async function writeLooseObject(gitDir: string, name: string, content: string): Promise<void> {
  const file = join('objects', name.slice(0, 2), name.slice(2));
  if (existsSync(join(gitDir, file))) return;
  await mkdir(dirname(join(gitDir, file)), OWN_FOLDER);
  await writeWhole(gitDir, file, deflateSync(content));
}

function shadowAt(
  { gitDir, root, gitPath, timeLimitMs, noteGit }: ShadowOptions,
  workTree: string,
  user: UserRepository | undefined,
): ShadowRepository {
  const indexFile = join(gitDir, 'index');
  const below = relative(workTree, root).split(sep).join('/');
  const excludesFile = user !== undefined && existsSync(user.excludesFile) ? user.excludesFile : devNull;
  const command = (args: readonly string[], call: GitCall) => ({
    gitPath,
    args,
    cwd: call.cwd ?? call.reads?.workTree ?? root,
    env:
      call.reads === undefined
        ? shadowEnvironment(
            { gitDir, workTree: call.workTree ?? workTree, indexFile: call.indexFile ?? indexFile },
            excludesFile,
          )
        : readerEnvironment(call.reads),
    timeLimitMs,
    input: call.input,
    signal: call.signal,
    onStart: call.writesIndex === true ? noteGit : undefined,
  });
  return {
    gitDir,
    indexFile,
    root,
    workTree,
    prefix: below === '' ? '' : `${below}/`,
    user,
    git: (args, call = {}) => runGit(command(args, call), call),
    start: (args, call = {}) => startGit(command(args, call)),
  };
}

/** A folder that the repository around it ignores is none of its business: a home folder under version control, say. */
async function isIgnored(root: string, around: ShadowRepository, signal?: AbortSignal): Promise<boolean> {
  if (around.prefix === '') return false;
  const { code } = await around.git(['check-ignore', '--quiet', '--no-index', '--', root], {
    cwd: around.workTree,
    accept: [0, 1],
    signal,
  });
  return code === 0;
}

async function writeOwnFiles(shadow: ShadowRepository, folder: string): Promise<void> {
  const { gitDir, workTree, user } = shadow;
  await mkdir(join(gitDir, 'objects', 'info'), OWN_FOLDER);
  await mkdir(join(gitDir, 'refs', 'states'), OWN_FOLDER);
  await mkdir(join(gitDir, 'left-out'), OWN_FOLDER);
  await writeFile(join(gitDir, 'description'), `States of ${shadow.root}\n`, OWN);
  await writeFile(join(gitDir, 'info', 'attributes'), KEEP_BYTES, OWN);
  const inside = relative(workTree, folder);
  const isInside = inside !== '' && !inside.startsWith('..');
  await writeFile(join(gitDir, 'info', 'exclude'), isInside ? `/${asPattern(inside)}/\n` : '', OWN);
  const canShare = user !== undefined && /^[^"#\n][^\n]*$/.test(user.objects);
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), canShare ? `${user.objects}\n` : '', OWN);
}

function asPattern(path: string): string {
  return path
    .split(sep)
    .join('/')
    .replaceAll(/[\\*?[\] ]/g, String.raw`\$&`);
}

function isWhole(gitDir: string): boolean {
  return ['HEAD', 'config', 'objects', 'refs/states', 'left-out', 'info/attributes'].every((name) =>
    existsSync(join(gitDir, name)),
  );
}

async function readLayout(path: string): Promise<Layout | undefined> {
  try {
    return layoutSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}
