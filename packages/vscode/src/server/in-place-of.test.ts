import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { subscribe } from '../../scripts/in-place-of/parcel-watcher.ts';

test('without the native watcher a tree is followed too: what is written, made below and deleted is told, and nothing ignored', async () => {
  const root = realpathSync(tempFolder());
  mkdirSync(join(root, 'node_modules'));
  const told = new Map<string, string>();
  const { unsubscribe } = await subscribe(
    root,
    (error, events) => {
      if (error !== null) throw error;
      for (const { path, type } of events) told.set(path.slice(root.length + 1), type);
    },
    { ignore: [join(root, 'node_modules')] },
  );
  onTestFinished(unsubscribe);
  const until = (path: string, type: string) =>
    vi.waitFor(() => expect([path, told.get(path)]).toEqual([path, type]), { timeout: 60_000, interval: 20 });

  writeFileSync(join(root, 'node_modules/left-out.js'), '');
  writeFileSync(join(root, 'one.ts'), '1');
  await until('one.ts', 'update');
  mkdirSync(join(root, 'below'));
  await until('below', 'update');
  renameSync(join(root, 'one.ts'), join(root, 'below/two.ts'));
  await until('one.ts', 'delete');
  rmSync(join(root, 'below'), { recursive: true });
  await until('below', 'delete');
  expect([...told.keys()].filter((path) => path.startsWith('node_modules'))).toEqual([]);
});

test('a folder that is not there cannot be followed', async () => {
  await expect(subscribe(join(tempFolder(), 'none'), () => {})).rejects.toThrow('ENOENT');
});

test('ripgrep is the editor’s, else the one on PATH, and its absence is a sentence', async () => {
  const folder = tempFolder();
  const rg = join(folder, 'rg');
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('PATH', folder);
  vi.stubEnv('DRAGOMAN_RIPGREP', undefined);
  const load = async () => {
    vi.resetModules();
    return (await import('../../scripts/in-place-of/ripgrep.ts')).rgPath;
  };

  await expect(load()).rejects.toThrow('There is no rg on PATH. Install ripgrep and start the server again.');
  writeFileSync(rg, '');
  chmodSync(rg, 0o755);
  expect(await load()).toBe(rg);
  vi.stubEnv('DRAGOMAN_RIPGREP', '/bin/sh');
  expect(await load()).toBe('/bin/sh');
});
