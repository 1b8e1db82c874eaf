import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { openStore } from '@dragoman/server/base';
import { freshLocation, openTestDoor, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { consoleAssetMigrations } from './console-asset-tables.ts';
import { ConsoleAssets } from './console-assets.ts';
import { consolePages } from './console-pages.ts';

const rooms = [consoleAssetMigrations];

/** A folder with files of a build; those that programs read are packed beside them. */
function built(files: Record<string, string>): string {
  const folder = join(tempFolder(), 'assets');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    if (name.endsWith('.js')) writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
  }
  return folder;
}

async function openShared() {
  const store = await openStore(await freshLocation('postgres', rooms), { rooms });
  onTestFinished(() => store.close());
  const clock = { now: 1_000_000 };
  return {
    store,
    clock,
    async serve(files: Record<string, string>) {
      const assets = await ConsoleAssets.open({ store, folder: built(files), now: () => clock.now });
      onTestFinished(() => assets.close());
      return assets;
    },
  };
}

test('a file that another version of the console has is answered as that version would, packed or not', async () => {
  const { serve } = await openShared();
  const old = await serve({ 'index-1.js': 'one()', 'font-1.woff2': 'font' });
  await serve({ 'index-2.js': 'two()' });
  const { url, call } = await openTestDoor({}, (door) => consolePages(door, { elsewhere: old }));

  const answer = await call('/assets/index-2.js', { headers: { authorization: 'none', 'accept-encoding': 'br' } });
  expect([answer.status, answer.text, answer.headers.get('content-encoding')]).toEqual([200, 'two()', 'br']);
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const plain = await fetch(`${url}/assets/index-2.js`, { headers: { 'accept-encoding': 'identity' } });
  expect([await plain.text(), plain.headers.get('content-encoding')]).toEqual(['two()', null]);
  expect((await call('/assets/font-1.woff2')).text).toBe('font');
  expect((await call('/assets/index-3.js')).status).toBe(404);
});

test('files of a version that no server had for a week are taken away', async () => {
  const { clock, serve } = await openShared();
  const first = await serve({ 'index-1.js': 'one()', 'both-1.js': 'both()' });
  clock.now += 7 * 24 * 3_600_000 + 1;
  await serve({ 'index-2.js': 'two()', 'both-1.js': 'both()' });

  const kept = async (name: string) => (await first.read(name)) !== undefined;
  expect([await kept('index-1.js'), await kept('index-2.js'), await kept('both-1.js')]).toEqual([false, true, true]);
});
