import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oneAtATime } from '@dragoman/testkit';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VSIX = join(ROOT, 'packages/vscode/dragoman.vsix');
const LOCK = join(ROOT, 'packages/vscode/dist/being-built.lock');
const BUILD_LIMIT_MS = 600_000;
/** What ends up in it. */
const SOURCES = ['packages', 'package-lock.json'];
const NOT_SOURCES = new Set(['node_modules', 'dist', 'dragoman.vsix']);

let built: Promise<string> | undefined;

/**
 * The extension as a person gets it, built by the one command when a source is newer than what lies there.
 *
 * Test files run side by side and the build has one place to write to, so one builds and the others wait. `DRAGOMAN_VSIX`
 * names a package to try instead, such as the one that is about to be released.
 */
export function builtVsix(): Promise<string> {
  const given = process.env['DRAGOMAN_VSIX'];
  if (given !== undefined) return Promise.resolve(given);
  built ??= oneAtATime(LOCK, 2 * BUILD_LIMIT_MS, async () => {
    if (!isFresh()) await run('npm', ['run', '-s', 'vsix'], { cwd: ROOT, timeout: BUILD_LIMIT_MS });
    return VSIX;
  });
  return built;
}

function isFresh(): boolean {
  const packed = statSync(VSIX, { throwIfNoEntry: false })?.mtimeMs;
  return packed !== undefined && SOURCES.every((name) => newest(join(ROOT, name)) < packed);
}

/** When anything below it was last written. What goes away meanwhile was somebody's for a moment. */
function newest(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  const within = namesIn(path).filter((name) => !NOT_SOURCES.has(name) && !/\.(test|fixture)\.tsx?$/.test(name));
  return within.reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
