import { findBrowser, findPageBrowser, NEEDS_BROWSER, skipTest } from '@dragoman/testkit';
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

/** What is running, by its program. */
const running = new Map<string, Promise<Browser>>();

/**
 * A real browser. All tests of a worker share one process; what a test opens in it has a profile of its own and is closed with the
 * test. Without a browser on this machine the test is skipped.
 */
export function openBrowser(): Promise<Browser> {
  return openShared(findPageBrowser());
}

/** One with all that belongs to a browser's window, such as notifications. */
export function openBrowserWithWindow(): Promise<Browser> {
  return openShared(findBrowser());
}

async function openShared(executablePath: string = skipTest(NEEDS_BROWSER)): Promise<Browser> {
  let browser = await running.get(executablePath);
  if (browser?.isConnected() !== true) {
    const launched = chromium.launch({ executablePath, args: BROWSER_ARGS });
    running.set(executablePath, launched);
    browser = await launched;
  }
  onTestFinished(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  return browser;
}
