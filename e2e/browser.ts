import { findBrowser, NEEDS_BROWSER, skipTest } from '@dragoman/testkit';
import { type Browser, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** It does what the test says and nothing of its own. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The driver turns the back/forward cache off, which people's browsers have on. */
const DRIVER_ONLY = ['--disable-back-forward-cache'];

/** What is running, by its program. */
const running = new Map<string, Promise<Browser>>();

/**
 * A real browser with all that belongs to one, such as notifications and the back/forward cache, which one without a window lacks. All
 * tests of a worker share one process; what a test opens in it has a profile of its own and is closed with the test. Without a browser on
 * this machine the test is skipped.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser() ?? skipTest(NEEDS_BROWSER);
  let browser = await running.get(executablePath);
  if (browser?.isConnected() !== true) {
    const launched = chromium.launch({ executablePath, args: BROWSER_ARGS, ignoreDefaultArgs: DRIVER_ONLY });
    running.set(executablePath, launched);
    browser = await launched;
  }
  onTestFinished(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  return browser;
}
