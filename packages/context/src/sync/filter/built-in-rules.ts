import { SECRET_FILES } from '@dragoman/protocol/secrets';
import { IgnoreRules } from './ignore-rules.ts';

/** What is left out in any case, as the original client does it: as written, in upper and lower case, at any depth. */
export const AUGMENT_RULES: readonly string[] = [
  '.git',
  '*.pem',
  '*.key',
  '*.pfx',
  '*.p12',
  '*.jks',
  '*.keystore',
  '*.pkcs12',
  '*.crt',
  '*.cer',
  'id_rsa',
  'id_ed25519',
  'id_ecdsa',
  'id_dsa',
  '.augment-guidelines',
];

/**
 * What we leave out besides, because it is made to hold secrets or is not meant for readers. Upper and lower case are the
 * same here, and no ignore file takes these back.
 */
export const SAFETY_RULES: readonly string[] = [
  ...SECRET_FILES,
  // The names of files say nothing about folders of code.
  '!kubeconfig/',
  '!credentials/',
  '.ssh/',
  '.gnupg/',
  // Certificates.
  '*.crt',
  '*.cer',
  '*.der',
  // Version control.
  '.git',
  '.hg',
  '.svn',
  '.bzr',
  '.jj',
];

/** What nobody wrote by hand in this project. An ignore file of ours takes any of it back with `!`. */
export const DEFAULT_RULES: readonly string[] = [
  'node_modules/',
  'bower_components/',
  '.venv/',
  '__pycache__/',
  '.tox/',
  '.nox/',
  '.mypy_cache/',
  '.pytest_cache/',
  '.ruff_cache/',
  '.gradle/',
  '.terraform/',
  '.next/',
  '.nuxt/',
  '.svelte-kit/',
  '.turbo/',
  '.parcel-cache/',
  '**/.yarn/cache/',
  '**/.yarn/releases/',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.DS_Store',
  '*.min.js',
  '*.min.mjs',
  '*.min.css',
  '*.map',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'deno.lock',
  'Cargo.lock',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'Pipfile.lock',
  'go.sum',
  'go.work.sum',
  'composer.lock',
  'Gemfile.lock',
  'Podfile.lock',
  'pubspec.lock',
  'mix.lock',
  'flake.lock',
];

const ALWAYS_LEFT_OUT = [
  new IgnoreRules(AUGMENT_RULES.map((text) => ({ text }))),
  new IgnoreRules(
    SAFETY_RULES.map((text) => ({ text })),
    true,
  ),
];

/** Whether a file at this path, relative to a workspace, or a folder it is in, is left out whatever anybody configures. */
export function isUnsafePath(path: string): boolean {
  const names = path.split(/[/\\]/).filter((name) => name !== '' && name !== '.');
  return names.some((name, depth) => {
    const here = names.slice(0, depth + 1).join('/');
    const isFolder = depth < names.length - 1;
    return ALWAYS_LEFT_OUT.some((rules) => rules.match(here, name, isFolder)?.isNegative === false);
  });
}
