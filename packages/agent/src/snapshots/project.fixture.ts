import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { openSnapshots, type SnapshotOptions, type Snapshots } from './open-snapshots.ts';

/** Text, bytes, a program or a link. */
export type Planted = string | Buffer | { program: string } | { link: string };

interface TestProject {
  folder: string;
  root: string;
  warnings: string[];
  snapshots: Snapshots;
  /** The state of now, which there must be. */
  track(): Promise<string>;
}

/** A project in a folder of the running test's own, and its snapshots beside it. */
export async function project(
  files: Readonly<Record<string, Planted>>,
  { isRepository = false, ...options }: Partial<SnapshotOptions> & { isRepository?: boolean } = {},
): Promise<TestProject> {
  const folder = realpathSync(tempFolder());
  const root = options.root ?? join(folder, 'project');
  mkdirSync(root, { recursive: true });
  plant(root, files);
  if (isRepository) initRepository(root);
  return openProject({ folder, root, options });
}

/** The same project once more, as another process would see it. */
export async function openProject({
  folder,
  root,
  options = {},
}: {
  folder: string;
  root: string;
  options?: Partial<SnapshotOptions>;
}): Promise<TestProject> {
  const warnings: string[] = [];
  const log = {
    debug() {},
    warn: (fields: object, message: string) => {
      const { err, reason } = fields as { err?: Error; reason?: string };
      warnings.push(`${message}: ${err?.message ?? reason}`);
    },
  };
  const snapshots = await openSnapshots({ folder: join(folder, 'snapshots'), root, log, ...options });
  onTestFinished(() => snapshots.close());
  const track = async () => {
    const hash = await snapshots.track();
    if (hash === undefined)
      throw new Error(`no state: ${warnings.join()} ${snapshots.refusal} ${snapshots.unavailable}`);
    return hash;
  };
  return { folder, root, warnings, snapshots, track };
}

export function initRepository(root: string): void {
  git(root, 'init', '--quiet', '-b', 'main');
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--no-gpg-sign', '-m', 'first');
}

/** Git as the person uses it. */
export function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      HOME: dirname(root),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
    },
  });
}

/** Writes files, with whatever stood in their place gone. */
export function plant(root: string, files: Readonly<Record<string, Planted>>): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path);
    clearWay(root, path);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true });
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(target, content);
    else if ('link' in content) symlinkSync(content.link, target);
    else {
      writeFileSync(target, content.program);
      chmodSync(target, 0o755);
    }
  }
}

function clearWay(root: string, path: string): void {
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count++) {
    const folder = join(root, ...parts.slice(0, count));
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(folder);
  }
}

/** All files below a folder by path; bytes that are not text as `base64:`. The person's own `.git` is apart. */
export function filesOf(root: string, folder: string = root): Record<string, Planted> {
  const files: Record<string, Planted> = {};
  for (const name of readdirSync(folder).toSorted()) {
    const path = join(folder, name);
    const found = lstatSync(path);
    const key = relative(root, path);
    if (found.isDirectory()) {
      if (name !== '.git') Object.assign(files, filesOf(root, path));
    } else if (found.isSymbolicLink()) files[key] = { link: readlinkSync(path) };
    else {
      const bytes = readFileSync(path);
      const text = bytes.toString('utf8');
      const content = Buffer.from(text).equals(bytes) ? text : `base64:${bytes.toString('base64')}`;
      files[key] = (found.mode & 0o100) === 0 ? content : { program: content };
    }
  }
  return files;
}

/** Everything in a folder byte for byte. */
export function bytesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [relative(folder, path), readFileSync(path).toString('base64')]),
  );
}
