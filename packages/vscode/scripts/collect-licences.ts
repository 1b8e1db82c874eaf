import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  name?: string;
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
}

/** What only builds the console and leaves nothing of itself in it. */
const BUILDS_ONLY = ['vite', '@vitejs/plugin-react', '@tailwindcss/vite', '@dragoman/protocol'];

/**
 * The licences of everything that is handed on: packages whose modules are in the bundle, packages kept whole, and
 * those the console is made of with what they need.
 *
 * Throws where a package names no licence: then it must not be handed on before somebody has looked.
 */
export function collectLicences(root: string, modules: readonly string[], kept: readonly string[]): string {
  const folders = new Set([
    ...modules.flatMap((id) => packageFolder(id) ?? []),
    ...kept.map((name) => join(root, 'node_modules', name)),
  ]);
  const web = readManifest(join(root, 'packages/web'));
  const queue = Object.keys(web.dependencies ?? {})
    .filter((name) => !BUILDS_ONLY.includes(name))
    .map((name) => ({ name, from: join(root, 'packages/web') }));
  for (const { name, from } of queue) {
    const folder = resolvePackage(name, from);
    if (folder === undefined || folders.has(folder)) continue;
    folders.add(folder);
    for (const dependency of Object.keys(readManifest(folder).dependencies ?? {}))
      queue.push({ name: dependency, from: folder });
  }
  const texts = new Map([...folders].map(describe));
  return [...texts.keys()]
    .toSorted()
    .map((title) => `${title}\n\n${texts.get(title)}`)
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

function describe(folder: string): [title: string, text: string] {
  const { name, version, license } = readManifest(folder);
  const files = globSync('{LICEN[CS]E,licen[cs]e,COPYING,Licen[cs]e}*', { cwd: folder }).toSorted();
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  if (text === '' && license === undefined) throw new Error(`${name} in ${folder} names no licence.`);
  return [`${name} ${version} (${license ?? 'see below'})`, text === '' ? 'Its package holds no text.' : text];
}

/** The folder of the package that a module is in; our own are in none. */
function packageFolder(id: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
}

function resolvePackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = join(folder, '..')) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (join(folder, '..') === folder) return undefined;
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
