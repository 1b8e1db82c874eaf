import AxeBuilder from '@axe-core/playwright';
import type { RunningDragoman } from '@dragoman/testkit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openBrowser } from './browser.ts';
import { logIn, type Person } from './people.fixture.ts';

/** The sizes pages are tried in. */
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

/** How somebody looks at the console. */
export interface Looks {
  size?: keyof typeof SIZES;
  language?: 'en' | 'zh';
  theme?: 'light' | 'dark';
  /** Where they are; UTC or wherever this machine is, unless given. */
  timeZone?: string;
  /** Who is logged in; the owner unless given. */
  user?: Person;
  /** Where to go after logging in. */
  path?: string;
  browser?: Browser;
}

/**
 * The console in a real browser, logged in as somebody.
 *
 * Whatever the page complains about (errors of scripts, refusals of the content policy) fails the test at its end.
 */
export async function openConsole(server: RunningDragoman, looks: Looks = {}): Promise<Page> {
  const browser = looks.browser ?? (await openBrowser());
  const options: BrowserContextOptions = {
    viewport: SIZES[looks.size ?? 'desktop'],
    locale: looks.language === 'zh' ? 'zh-CN' : 'en-GB',
    colorScheme: looks.theme ?? 'light',
    ...(looks.timeZone !== undefined && { timezoneId: looks.timeZone }),
    // What moves is drawn again and again, and says nothing that a test looks for.
    reducedMotion: 'reduce',
    hasTouch: looks.size === 'phone',
    isMobile: looks.size === 'phone',
  };
  const context = await browser.newContext(options);
  await logIn(context, server, looks.user);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000); // On a busy machine anything may take a while.
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|net::ERR_/.test(message.text()))
      complaints.push(message.text());
  });
  onTestFinished(() => expect(complaints).toEqual([]));

  await page.goto(`${server.url}${looks.path ?? '/'}`);
  return page;
}

/** What a page has that keeps people from using it: nothing serious is accepted. */
export async function expectAccessible(page: Page): Promise<void> {
  // A colour on its way to another is none that anybody reads.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))',
  );
  // axe is handed in by the driver, so the page's own policy stays as it is. The console's one frame is seen by nobody, so axe needs no second page
  // to join their results (legacy mode), and it describes only what it finds fault with: together that halves the time.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode(true)
    .analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

/** Nothing is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
}

/** Says where a new session works, by typing the path into what its chip opens. */
export async function chooseFolder(page: Page, folder: string): Promise<void> {
  await page.getByRole('button', { name: /^Folder:/ }).click();
  const field = page.getByRole('combobox', { name: 'Folder' });
  await field.fill(folder);
  await field.press('Enter');
  await field.waitFor({ state: 'detached' });
}
