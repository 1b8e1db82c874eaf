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

let running: Promise<Browser> | undefined;

/**
 * A real browser. All tests of a worker share one process; what a test opens in it has a profile of its own and is closed with the
 * test. Without a browser on this machine the test is skipped.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser() ?? skipTest(NEEDS_BROWSER);
  if (running === undefined || !(await running).isConnected())
    running = chromium.launch({ executablePath, args: BROWSER_ARGS });
  const browser = await running;
  onTestFinished(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  return browser;
}
