import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleExtension } from './bundle-extension.ts';
import { bundleServer } from './bundle-server.ts';

/** What fits through a slow connection and below the limits of both marketplaces. */
const LIMIT_BYTES = 15_000_000;

/** Where the extension is in the repository. */
const PLACE = 'packages/vscode';
const source = fileURLToPath(new URL('../', import.meta.url));

/**
 * Makes the package that editors install, with the whole server inside. Needs no network.
 *
 * It is put together in `folder`, which holds the unpacked extension afterwards, and appears at `vsix` when it is whole:
 * several may be at it at once. Marketplaces show the pictures of the README from the repository, whose address is known to
 * whoever publishes.
 */
export async function packVsix({
  folder,
  vsix,
  repository,
}: {
  folder: string;
  vsix: string;
  repository?: string | undefined;
}): Promise<{ bytes: number }> {
  await bundleExtension(join(folder, 'dist/extension.cjs'));
  await bundleServer(join(folder, 'dist/server'));
  for (const name of ['media', 'icon.png', 'package.nls.json', 'package.nls.zh-cn.json', 'README.md', 'CHANGELOG.md'])
    cpSync(join(source, name), join(folder, name), { recursive: true });
  cpSync(join(source, '../../LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, '.vscodeignore'), '');
  writeFileSync(join(folder, 'package.json'), publishedManifest(repository));

  mkdirSync(dirname(vsix), { recursive: true });
  const apart = mkdtempSync(`${vsix}-`);
  try {
    const packed = join(apart, 'dragoman.vsix');
    runVsce(folder, ['--out', packed, ...linkOptions(repository)]);
    const { size } = statSync(packed);
    if (size > LIMIT_BYTES)
      throw new Error(`The vsix has ${size} bytes; the limit is ${LIMIT_BYTES}. Look for what is new in ${folder}.`);
    renameSync(packed, vsix);
    return { bytes: size };
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}

/** It says nothing of how the extension was built. */
function publishedManifest(repository: string | undefined): string {
  const {
    private: _private,
    dependencies: _bundled,
    devDependencies: _unused,
    ...manifest
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Record<string, unknown>;
  const published = {
    ...manifest,
    ...(repository !== undefined && { repository: { type: 'git', url: repository, directory: PLACE } }),
  };
  return `${JSON.stringify(published, undefined, 2)}\n`;
}

/** Left to itself, the packer takes the root of the repository for the place of the README. */
function linkOptions(repository: string | undefined): string[] {
  if (repository === undefined) return ['--no-rewrite-relative-links'];
  const { origin, pathname, hostname } = new URL(repository);
  const address = origin + pathname.replace(/\/$|\.git\/?$/, '') + (hostname.includes('gitlab') ? '/-' : '');
  return [`--baseImagesUrl=${address}/raw/HEAD/${PLACE}`, `--baseContentUrl=${address}/blob/HEAD/${PLACE}`];
}

function runVsce(folder: string, more: readonly string[]): void {
  const vsce = join(dirname(createRequire(import.meta.url).resolve('@vscode/vsce/package.json')), 'vsce');
  const known = ['--no-dependencies', '--allow-star-activation', '--allow-missing-repository'];
  execFileSync(process.execPath, [vsce, 'package', ...known, ...more], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
