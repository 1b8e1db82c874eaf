import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'dragoman-interop');

const installing = new Map<string, Promise<string>>();

/** Installs packages from npm, once for all runs on this machine, and gives back the folder of their programs. */
export function installed(packages: Readonly<Record<string, string>>): Promise<string> {
  if (Object.keys(packages).length === 0) return Promise.resolve(join(import.meta.dirname, '../node_modules/.bin'));
  const text = JSON.stringify(packages);
  const folder = join(CACHE, createHash('sha256').update(text).digest('hex').slice(0, 16));
  const known = installing.get(folder) ?? install(folder, packages);
  installing.set(folder, known);
  return known;
}

async function install(folder: string, packages: Readonly<Record<string, string>>): Promise<string> {
  const bin = join(folder, 'node_modules/.bin');
  if (existsSync(join(folder, 'complete'))) return bin;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  // Scripts of packages are not run: what a client downloads at its installation is not what npm has.
  const args = ['install', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`npm could not install ${Object.keys(packages).join(', ')}.`);
  writeFileSync(join(folder, 'complete'), '');
  return bin;
}
