import { execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConsoleClient } from '@dragoman/protocol/console';
import { tempFolder } from '@dragoman/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packVsix } from '../../scripts/pack-vsix.ts';
import { freshEditor } from '../vscode.fixture.ts';
import { zipEntry } from '../zip-entry.fixture.ts';
import { installAt } from './server-link.fixture.ts';

const here = fileURLToPath(new URL('../../', import.meta.url));

const REPOSITORY = 'https://github.com/example/dragoman';

/** Packed as for a release, far from the checkout, so that nothing of the checkout can help. */
let folder: string;
let unpacked: string;
let bytes: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-test-vsix-'));
  unpacked = join(folder, 'extension');
  ({ bytes } = await packVsix({ folder: unpacked, vsix: join(folder, 'dragoman.vsix'), repository: REPOSITORY }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the vsix is below 15 MB, and has the server in it, without native code, sources, or a word of how it was built', () => {
  expect(bytes).toBeLessThan(15_000_000);
  expect(statSync(join(folder, 'dragoman.vsix')).size).toBe(bytes);
  const files = globSync('**/*', { cwd: unpacked, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1));
  expect(files).toEqual(
    expect.arrayContaining([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/extension.cjs',
      'dist/server/THIRD-PARTY-LICENCES.txt',
      'dist/server/dragoman.js',
      'dist/server/packages/cli/console/index.html',
      'dist/server/packages/cli/dragoman.schema.json',
      'dist/server/packages/context/ranker.json',
      'icon.png',
      'package.json',
      'package.nls.json',
      'package.nls.zh-cn.json',
    ]),
  );
  expect(files.filter((file) => /\.(?:node|ts|map)$|\.test\.|fixture/.test(file))).toEqual([]);
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['devDependencies']));
  const checkout = realpathSync(join(here, '../..'));
  const telling = files.filter(
    (file) => /\.(?:c?js|json)$/.test(file) && readFileSync(join(unpacked, file)).includes(checkout),
  );
  expect(telling).toEqual([]);
});

test('the extension finds everything it is made of in its own file, and only the editor’s API beside it', () => {
  const asEditor = `
    const { _load } = require('node:module');
    const api = new Proxy(class {}, { get: (_, name) => (name === 'then' ? undefined : class {}) });
    require('node:module')._load = (name, ...more) => (name === 'vscode' ? api : _load(name, ...more));
    console.log(Object.keys(require(process.argv[1])).sort().join());`;

  expect(
    execFileSync(process.execPath, ['-e', asEditor, join(unpacked, 'dist/extension.cjs')], { encoding: 'utf8' }),
  ).toBe('activate,deactivate\n');
});

test('marketplaces find every picture of the README in the repository, and know the source, the icon and the changelog', () => {
  const vsix = readFileSync(join(folder, 'dragoman.vsix'));
  const readme = zipEntry(vsix, 'extension/readme.md');
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, address]) => address!);
  expect(pictures.length).toBeGreaterThanOrEqual(3);
  const isThere = (address: string) => {
    const [, path] = address.split(`${REPOSITORY}/raw/HEAD/`);
    return path !== undefined && existsSync(join(here, '../..', path));
  };
  expect(pictures.filter((address) => !isThere(address))).toEqual([]);
  const manifest = zipEntry(vsix, 'extension.vsixmanifest');
  for (const part of ['extension/icon.png', 'extension/readme.md', 'extension/changelog.md', 'extension/LICENSE.txt'])
    expect(manifest).toContain(`Path="${part}"`);
  expect(manifest).toContain(`Links.Source" Value="${REPOSITORY}.git"`);
});

test('the licences of what is handed on are in it, those of the console too', () => {
  const text = readFileSync(join(unpacked, 'dist/server/THIRD-PARTY-LICENCES.txt'), 'utf8');
  for (const name of ['fastify', 'kysely', 'zod', 'undici', 'react', '@vscode/tree-sitter-wasm'])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\S+ \\(MIT\\)$`, 'm'));
  expect(text).not.toContain('@parcel/watcher');
});

test('the copy in the extension answers a chat on the offline model and a question about code, with no key [EDITOR-05]', async () => {
  freshEditor();
  const place = realpathSync(tempFolder());
  const installation = installAt(place, unpacked);
  installation.env['PATH'] = '/usr/bin:/bin';
  const { url, token, origin } = await installation.openWindow().ready();
  expect(origin).toBe('bundled');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok' });

  const chat = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'offline/offline', messages: [{ role: 'user', content: 'Hello there' }] }),
  });
  const { choices } = (await chat.json()) as { choices: { message: { content: string } }[] };
  expect(choices[0]!.message.content).toMatch(/\w{3}/);

  const code = join(place, 'code');
  mkdirSync(code);
  writeFileSync(join(code, 'tides.ts'), '/** When the water is highest. */\nexport function highTide(day: Date) {}\n');
  writeFileSync(join(code, 'boats.ts'), 'export function rowBoat(oars: number) {}\n');
  const client = createConsoleClient({ url, token });
  const { id: workspaceId } = await client.addWorkspace({ root: code });
  const { places } = await client.searchCode({ workspaceId, question: 'when is the water highest' });
  expect(places[0]).toMatchObject({ path: 'tides.ts' });

  const page = await fetch(`${url}/`);
  expect(await page.text()).toContain('<script type="module"');
  expect(existsSync(join(installation.home, 'dragoman.schema.json'))).toBe(true);
});
