import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type CodeServer,
  type CodeServerOptions,
  findPageBrowser,
  installCodeServer,
  NEEDS_BROWSER,
  skipTest,
  startCodeServer,
  tempFolder,
} from '@dragoman/testkit';
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { beforeAll, beforeEach, onTestFinished, vi } from 'vitest';
import { BROWSER_ARGS } from './browser.ts';
import { builtVsix } from './vscode-vsix.fixture.ts';

/** How long anything may take on a busy machine. */
export const PATIENCE = { timeout: 120_000, interval: 100 };
/** The first run installs an editor and packs the extension: that is no part of any test. */
const PREPARATION_MS = 1_800_000;

vi.setConfig({ testTimeout: 900_000 });
beforeAll(async () => {
  if (findPageBrowser() === undefined) return;
  await installCodeServer();
  await builtVsix();
}, PREPARATION_MS);
beforeEach(({ skip }) => skip(findPageBrowser() === undefined, NEEDS_BROWSER));

/** A VS Code with our extension, and the browser that shows it. */
export interface Editor extends CodeServer {
  /** The browser's profile, where this editor keeps secrets and global state. */
  profile: string;
  browser: BrowserContext;
  /** Opens a window on a folder and waits for our extension in it. */
  openWindow(folder: string): Promise<Page>;
  /** The storage folder of our extension. */
  storage: string;
  /** The server our extension started, once its lock says where it is. */
  server(): Promise<LockedServer>;
}

/** What a lock says. */
interface LockedServer {
  pid: number;
  url: string;
}

/** Starts it, with our extension after those that are given. Everything ends with the test. */
export async function openEditor(options: CodeServerOptions = {}): Promise<Editor> {
  const editor = await startCodeServer({
    ...options,
    vsix: [...(options.vsix ?? []), await builtVsix()],
    settings: { ...QUIET, ...options.settings },
  });
  onTestFinished(() => editor.stop());
  const profile = mkdtempSync(join(tmpdir(), 'dragoman-profile-'));
  const browser = await openProfile(profile);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await pictureAll(browser);
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
  });
  let wasWelcomed = false;
  const storage = join(editor.userData, 'User/globalStorage/dragoman.dragoman');
  return {
    ...editor,
    profile,
    browser,
    storage,
    async openWindow(folder) {
      const page = await browser.newPage();
      page.setDefaultTimeout(PATIENCE.timeout);
      await page.goto(`${editor.url}/?folder=${encodeURIComponent(folder)}`);
      await statusItem(page).waitFor();
      // Our walkthrough opens in the first window, and would take the place of what a test opens meanwhile.
      if (!wasWelcomed) await page.getByText('Mark Done').waitFor();
      wasWelcomed = true;
      return page;
    },
    server: () => vi.waitFor(() => readLock(join(storage, 'home/server.lock')), PATIENCE),
  };
}

/** Our item in the status bar, in a state if one is given. */
export function statusItem(page: Page, state?: 'not started' | 'ready'): Locator {
  const item = page.locator('.statusbar-item[id^="dragoman.dragoman"]');
  return (state === undefined ? item : item.and(page.locator(`[aria-label="Dragoman: ${state}"]`))).first();
}

/** The person's own settings, as they stand on disk. */
export function userSettings({ userData }: CodeServer): Record<string, unknown> {
  return JSON.parse(readFileSync(join(userData, 'User', 'settings.json'), 'utf8')) as Record<string, unknown>;
}

/** A folder with these files, as a person would open it. */
export function projectOf(files: Record<string, string>, name = 'shop'): string {
  const folder = join(tempFolder(), name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A small shop with one place where a discount is applied. */
export const SHOP = {
  'README.md': '# Shop\n\nOrders and prices.\n',
  'src/prices.ts': `/** What a line of an order costs, with the discount of its customer. */
export function priceOf(line: Line): number {
  return line.count * line.price * (1 - line.discount);
}
`,
  'src/mail.ts': `/** How often a mail that could not be sent is tried again. */
export const MAX_RETRIES = 3;
`,
};

/** Keeps a picture to be looked at, when `DRAGOMAN_PICTURES` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['DRAGOMAN_PICTURES'] !== undefined) await page.screenshot({ path: picturePath(name) });
}

/** What was to be seen when a test failed. */
async function pictureAll(browser: BrowserContext): Promise<void> {
  for (const [index, page] of browser.pages().entries()) {
    const path = picturePath(`failed-${process.pid}-${index}`);
    await page.screenshot({ path, timeout: 5_000 }).catch(() => {}); // A page that is stuck has no picture.
    console.error(`the window ${page.url()} when the test failed: ${path}`);
  }
}

function picturePath(name: string): string {
  return join(process.env['DRAGOMAN_PICTURES'] ?? tmpdir(), `vscode-${name}.png`);
}

/** Nothing that asks a person about something else, or that moves. */
const QUIET = {
  'git.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
};

function openProfile(profile: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: findPageBrowser() ?? skipTest(NEEDS_BROWSER),
    timeout: PATIENCE.timeout,
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    // No page reaches anything outside this machine.
    args: [...BROWSER_ARGS, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
}

/** A lock without an address is of a server that is about to start or to end. */
function readLock(path: string): LockedServer {
  const { pid, url } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; url?: string };
  if (url === undefined) throw new Error(`${path} names no address yet`);
  return { pid, url };
}
