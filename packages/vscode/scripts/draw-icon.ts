import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser, NEEDS_BROWSER } from '../../../testkit/src/find-browser.ts';

/** Marketplaces take no SVG: the icon is drawn by a browser, 256 by 256, with nothing behind its round corners. */
const drawing = readFileSync(new URL('../media/icon.svg', import.meta.url), 'utf8');
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error(`Drawing the icon ${NEEDS_BROWSER}.`);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
await page.setContent(`<body style="margin:0">${drawing.slice(drawing.indexOf('<svg'))}`);
await page.screenshot({ path: fileURLToPath(new URL('../icon.png', import.meta.url)), omitBackground: true });
await browser.close();
