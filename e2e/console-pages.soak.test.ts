import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSoak } from '@dragoman/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, type Looks, openConsole } from './console.fixture.ts';
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

/** Every page and every part of one, by a name for its picture. */
function pagesOf({ sessions }: Demo): Record<string, string> {
  return {
    home: '/',
    new: '/new',
    sessions: '/sessions',
    'sessions-search': '/sessions?q=discount',
    session: `/sessions/${sessions.done}`,
    'session-waiting': `/sessions/${sessions.waiting}`,
    'session-failed': `/sessions/${sessions.failed}`,
    'session-running': `/sessions/${sessions.running}`,
    gateway: '/gateway',
    ...tabs('gateway', ['routes', 'usage', 'requests', 'connect']),
    context: '/context',
    settings: '/settings',
    ...tabs('settings', [
      'people',
      'agents',
      'mcp',
      'skills',
      'permissions',
      'channels',
      'notifications',
      'appearance',
      'about',
    ]),
    nowhere: '/sessions/ses_00000000000000000000000000',
  };
}

function tabs(page: string, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`${page}-${name}`, `/${page}?tab=${name}`]));
}

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
      await page.goto(`${demo.url}${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expect.poll(() => page.locator('[aria-busy=true]:not([role=log])').count(), { timeout: 60_000 }).toBe(0);
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
