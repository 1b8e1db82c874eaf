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

/** A real browser with a fresh profile, closed when the test is over. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing; on Debian: apt-get install chromium`);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: BROWSER_ARGS });
  onTestFinished(() => browser.close());
  return browser;
}
