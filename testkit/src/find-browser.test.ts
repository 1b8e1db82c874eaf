import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBrowser, findPageBrowser } from './find-browser.ts';
import { tempFolder } from './temp-folder.ts';

function folderWith(...names: string[]): string {
  const folder = tempFolder();
  for (const name of names) writeFileSync(join(folder, name), '', { mode: 0o755 });
  return folder;
}

test('a browser is found by the names that systems give it, Chromium first', () => {
  const both = folderWith('google-chrome', 'chromium-browser');

  expect(findBrowser({ PATH: both })).toBe(join(both, 'chromium-browser'));
});

test('the one that is named is taken, and has to be there', () => {
  const folder = folderWith('chromium', 'mine');

  expect(findBrowser({ PATH: folder, DRAGOMAN_CHROMIUM: join(folder, 'mine') })).toBe(join(folder, 'mine'));
  expect(() => findBrowser({ PATH: folder, DRAGOMAN_CHROMIUM: '/no/such/browser' })).toThrow(
    'DRAGOMAN_CHROMIUM names /no/such/browser, which is no program.',
  );
});

test('for pages alone the browser without a window is taken where there is one and no other is named', () => {
  const both = folderWith('chromium', 'chromium-headless-shell', 'mine');
  const one = folderWith('chromium');

  expect(findPageBrowser({ PATH: both })).toBe(join(both, 'chromium-headless-shell'));
  expect(findPageBrowser({ PATH: one })).toBe(join(one, 'chromium'));
  expect(findPageBrowser({ PATH: both, DRAGOMAN_CHROMIUM: join(both, 'mine') })).toBe(join(both, 'mine'));
});

test.skipIf(process.platform === 'darwin')('where there is none, none is found (not on macOS)', () => {
  expect(findBrowser({ PATH: folderWith('firefox') })).toBeUndefined();
});
