import { createRequire } from 'node:module';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { hookLoader, type LoaderHook } from './hook-loader.ts';

const REAL = { name: 'real' };

/** Node's loader as the editor leaves it: it answers for `vscode` itself. */
function editorLoader(): NonNullable<LoaderHook['loader']> {
  return { _load: (request) => (request === 'vscode' ? REAL : { name: request }) };
}

const load = (loader: NonNullable<LoaderHook['loader']>, request: string, filename?: string) =>
  loader._load.call(loader, request, filename === undefined ? undefined : { filename }, false);

test('EDITOR-01 only files of the one extension get another vscode, and always the same', () => {
  const loader = editorLoader();
  let made = 0;
  hookLoader({ loader, folder: () => '/ext/augment', replace: () => ({ name: `ours ${(made += 1)}` }) });

  expect(load(loader, 'vscode', '/ext/augment/out/extension.js')).toEqual({ name: 'ours 1' });
  expect(load(loader, 'vscode', '/ext/augment/out/other.js')).toEqual({ name: 'ours 1' });
  expect(load(loader, 'vscode', '/ext/augment-other/out/extension.js')).toBe(REAL);
  expect(load(loader, 'vscode', '/ext/other/extension.js')).toBe(REAL);
  expect(load(loader, 'vscode')).toBe(REAL);
  expect(load(loader, 'node:fs', '/ext/augment/out/extension.js')).toEqual({ name: 'node:fs' });
});

test('while the extension is not installed, nobody gets another one', () => {
  const loader = editorLoader();
  hookLoader({ loader, folder: () => undefined, replace: () => ({ name: 'ours' }) });
  expect(load(loader, 'vscode', '/ext/augment/out/extension.js')).toBe(REAL);
});

test('taken away, the loader is as it was, also where somebody wrapped it since', () => {
  const loader = editorLoader();
  const before = loader._load;
  hookLoader({ loader, folder: () => '/ext', replace: () => ({}) }).dispose();
  expect(loader._load).toBe(before);

  const hook = hookLoader({ loader, folder: () => '/ext', replace: () => ({}) });
  const ours = loader._load;
  loader._load = function (...given) {
    return ours.apply(this, given);
  };
  hook.dispose();
  expect(load(loader, 'vscode', '/ext/a.js')).toBe(REAL);
});

test('it works on the loader of Node itself', () => {
  const folder = tempFolder();
  const other = tempFolder();
  for (const each of [folder, other]) {
    mkdirSync(join(each, 'node_modules/vscode'), { recursive: true });
    writeFileSync(join(each, 'node_modules/vscode/index.js'), 'module.exports = Object.freeze({ name: "real" });');
    writeFileSync(join(each, 'extension.js'), 'exports.seen = require("vscode").name;');
  }
  const hook = hookLoader({ folder: () => folder, replace: (api) => Object.create(api, { name: { value: 'ours' } }) });
  onTestFinished(() => hook.dispose());
  const require = createRequire(import.meta.url);

  expect(require(join(folder, 'extension.js'))).toEqual({ seen: 'ours' });
  expect(require(join(other, 'extension.js'))).toEqual({ seen: 'real' });
});
