import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** Debian's browser. */
export const CHROMIUM = '/usr/bin/chromium';
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
 * test.
 */
export async function openBrowser(): Promise<Browser> {
  if (running === undefined || !(await running).isConnected()) running = launch();
  const browser = await running;
  onTestFinished(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  return browser;
}

async function launch(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing; on Debian: apt-get install chromium`);
  return chromium.launch({ executablePath: CHROMIUM, args: BROWSER_ARGS });
}
