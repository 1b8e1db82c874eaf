import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSoak } from '@dragoman/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, type Looks, openConsole } from './console.fixture.ts';
import { openPage, pagesOf } from './console-pages.fixture.ts';
import { englishOn } from './console-words.fixture.ts';
import { type Demo, serveDemo } from './demo.fixture.ts';

/** Where pictures of every page go, for people to look at; none are made unless this is given. */
const PICTURES = process.env['DRAGOMAN_PICTURES'];

const LOOKS: Looks[] = [
  { size: 'desktop', theme: 'light', language: 'en' },
  { size: 'desktop', theme: 'dark', language: 'zh' },
  { size: 'phone', theme: 'light', language: 'zh' },
  { size: 'phone', theme: 'dark', language: 'en' },
];

/**
 * The pages that a look is tried on: all of them in a soak. Otherwise every other one, so that each page is still seen on both
 * sizes and in both languages.
 */
function pagesFor(looks: Looks, demo: Demo): [string, string][] {
  const turn = LOOKS.indexOf(looks) % 2;
  return Object.entries(pagesOf(demo)).filter((_, index) => isSoak() || index % 2 === turn);
}

const CHECKS = [expectAccessible, expectNoSidewaysScroll];

async function expectNoEnglish(page: Page): Promise<void> {
  expect(await englishOn(page)).toEqual([]);
}

test.each(LOOKS)(
  'on its pages ($size, $theme, $language) axe finds nothing serious, nothing is wider than the screen and nothing is left in English',
  async (looks) => {
    const demo = await serveDemo();
    const page = await openConsole(demo, looks);
    const found: string[] = [];
    for (const [name, path] of pagesFor(looks, demo)) {
      await openPage(page, `${demo.url}${path}`);
      if (PICTURES !== undefined) {
        mkdirSync(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `${name}.${looks.size}.${looks.theme}.${looks.language}.png`) });
      }
      for (const check of looks.language === 'zh' ? [...CHECKS, expectNoEnglish] : CHECKS)
        await check(page).catch((error: Error) => found.push(`${name}: ${error.message}`));
    }
    expect(found).toEqual([]);
  },
);
