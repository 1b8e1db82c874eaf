import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { gitEnvironment, ownRepository } from '@dragoman/server/base';

export interface Commit {
  sha: string;
  /** ISO 8601. */
  time: string;
  author: string;
  subject: string;
  body: string;
  /** Relative to the repository's root. */
  paths: string[];
}

const MAX_COMMITS = 2_000;
const MAX_BYTES = 16 * 1024 * 1024;
const LIMIT_MS = 10_000;
/** A commit of a whole tree says nothing about any one of its files. */
const MAX_PATHS = 300;
const FIELD = '\x1f';
const RECORD = '\x1e';

/**
 * The last commits of the repository at that folder, newest first; none where there is no repository, no git, or not in
 * time. What is read when a limit ends it is given.
 */
export async function readCommits(root: string, signal?: AbortSignal): Promise<Commit[]> {
  const text = await runGit(
    root,
    [
      'log',
      `--max-count=${MAX_COMMITS}`,
      '--no-show-signature',
      '--no-ext-diff',
      '--no-color',
      '--no-renames',
      '--name-only',
      '-z',
      `--format=${RECORD}%H${FIELD}%aI${FIELD}%an${FIELD}%s${FIELD}%b${FIELD}`,
    ],
    signal,
  );
  // The last one may be cut off in the middle of its paths, which does no harm.
  return text.split(RECORD).flatMap((record) => parseCommit(record) ?? []);
}

/** The commit the repository stands at, or undefined. */
export async function readHead(root: string, signal?: AbortSignal): Promise<string | undefined> {
  const head = (await runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], signal)).trim();
  return SHA.test(head) ? head : undefined;
}

const SHA = /^[0-9a-f]{40,64}$/;

function parseCommit(record: string): Commit | undefined {
  const [sha, time, author, subject, body, ...names] = record.split(FIELD);
  if (sha === undefined || !SHA.test(sha) || names.length === 0) return undefined;
  const paths = names
    .join('')
    .split(/[\0\n]/)
    .filter((path) => path !== '');
  return {
    sha,
    time: time!,
    author: author!,
    subject: subject!,
    body: body!.trim(),
    paths: paths.slice(0, MAX_PATHS),
  };
}

/** What git prints, as far as it came. */
function runGit(root: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  if (isElsewhere(root)) return Promise.resolve('');
  return new Promise((resolve) => {
    const child = spawn('git', args, {
      cwd: root,
      env: environmentAt(root),
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: LIMIT_MS,
      ...(signal && { signal }),
    });
    const pieces: Buffer[] = [];
    let length = 0;
    const finish = () => resolve(Buffer.concat(pieces).toString('utf8'));
    child.stdout.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > MAX_BYTES) child.kill();
      else pieces.push(piece);
    });
    child.once('error', finish);
    child.once('close', finish);
  });
}

/** What another project's commits say is not this one's. */
function isElsewhere(root: string): boolean {
  try {
    return ownRepository(root)?.objection !== undefined;
  } catch {
    return true;
  }
}

/** A repository that lies around the folder is not the folder's own. */
function environmentAt(root: string): Record<string, string> {
  const settings = [['core.quotePath', 'false']] as const;
  return { ...gitEnvironment(process.env, { folder: root, settings }), GIT_CEILING_DIRECTORIES: dirname(root) };
}
