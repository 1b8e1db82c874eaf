import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oneAtATime } from '../one-at-a-time.ts';

const run = promisify(execFile);
const VERSION = '4.139.1';
/** Half a gigabyte may come over a slow line; a step that failed is tried once more. */
const STEP_LIMIT_MS = 300_000;
const ATTEMPTS = 2;
/** How long another process that installs it is waited for. */
const WAIT_LIMIT_MS = 1_200_000;
/** Written last: a folder that has it is complete. Its number grows with every change to the steps below. */
const WHOLE = 'whole-1.json';
const PLAIN_LOG = fileURLToPath(new URL('plain-log.cjs', import.meta.url));

/**
 * A real VS Code that runs without a screen: `code-server` from npm, installed once and kept outside the checkout.
 *
 * Nothing is compiled. Its own install script builds packages that the tests never use and that need system libraries, so every
 * step runs without scripts; the one that is missed, the logger, is written anew in JavaScript. Test files that start at the same time wait
 * for the first of them. It is put together beside its place and moved there whole, so a run that was cut leaves nothing that counts.
 */
export async function installCodeServer(cache: string = cacheFolder()): Promise<CodeServerProgram> {
  const folder = join(cache, `code-server-${VERSION}`);
  const isWhole = () => existsSync(join(folder, WHOLE));
  if (!isWhole())
    await oneAtATime(`${folder}.lock`, WAIT_LIMIT_MS, async () => {
      if (!isWhole()) await install(folder);
    });
  return { entry: join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js') };
}

/** An installed code-server. */
export interface CodeServerProgram {
  /** The script that Node runs. */
  entry: string;
}

function cacheFolder(): string {
  return process.env['DRAGOMAN_CACHE'] ?? join(homedir(), '.cache', 'dragoman-tests');
}

async function install(folder: string): Promise<void> {
  const draft = `${folder}.draft`;
  // What was cut short lies there still.
  for (const left of [draft, folder]) await rm(left, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await writeFile(join(draft, 'package.json'), '{ "private": true }\n');
  await npmInstall(draft, [`code-server@${VERSION}`]);
  const vscode = join(draft, 'node_modules', 'code-server', 'lib', 'vscode');
  await npmInstall(vscode);
  await npmInstall(join(vscode, 'extensions'));
  await copyFile(PLAIN_LOG, join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js'));
  await writeFile(join(draft, WHOLE), JSON.stringify({ version: VERSION }));
  await rename(draft, folder);
}

async function npmInstall(cwd: string, packages: readonly string[] = []): Promise<void> {
  const args = ['install', ...packages, '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  // The Node that runs the tests comes first: code-server refuses other versions.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run('npm', args, { cwd, env, timeout: STEP_LIMIT_MS });
      return;
    } catch (error) {
      if (attempt === ATTEMPTS)
        throw new Error(`npm ${args.join(' ')} failed in ${cwd}; is the npm registry reachable?`, { cause: error });
    }
  }
}
