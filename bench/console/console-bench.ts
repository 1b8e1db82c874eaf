import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import type { LoggedHubEvent } from '@dragoman/protocol';
import { createConsoleClient } from '@dragoman/protocol/console';
import { findBrowser, NEEDS_BROWSER } from '../../testkit/src/find-browser.ts';
import { logInBrowser } from '../../testkit/src/log-in-browser.ts';
import { type Bench, within } from '../hub/bench-session.ts';
import { readSession } from '../hub/session-reader.ts';
import type { Talk } from './talking-agent.ts';

/** Hub, runner and a browser. */
export interface ConsoleBench extends Bench {
  browser: Browser;
}

/** A page of the console, as someone has it who is logged in and was never here: nothing is in the browser's cache. */
export interface FreshPage {
  page: Page;
  cdp: CDPSession;
  /** What the page's own thread worked so far, in ms of CPU: it says the same on a machine that does other things as well. */
  cpuMs(): Promise<number>;
  close(): Promise<void>;
}

const PAGE_LIMIT_MS = 60_000;

/** The browser as the end-to-end tests have it. */
export async function launchBrowser(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(`The benchmark of the console ${NEEDS_BROWSER}.`);
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...quiet],
  });
}

/** Opens a page with a profile of its own; it has gone nowhere yet. */
export async function freshPage({ hub, browser }: ConsoleBench): Promise<FreshPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  const client = createConsoleClient(hub);
  const { url: link } = await client.createLoginLink({ userId: (await client.me()).userId });
  await logInBrowser(context, hub.url, link.split('#')[1]!);
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_LIMIT_MS);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  return {
    page,
    cdp,
    async cpuMs() {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1_000;
    },
    async close() {
      await context.close();
      if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('; ')}`);
    },
  };
}

/** Waits until the last text is on the screen. Where the conversation did not stay at its end, goes there and says so. */
export async function stayedAtEnd(page: Page, text: string): Promise<boolean> {
  const isLast = () => page.waitForFunction((wanted) => window.probe.isLast(wanted), text, { timeout: 5_000 });
  const isThere = await isLast().then(
    () => true,
    () => false,
  );
  if (!isThere)
    await page.waitForFunction((wanted) => {
      window.probe.scroller()?.scrollBy(0, 1e9);
      return window.probe.isLast(wanted);
    }, text);
  return isThere;
}

/** Someone who has the agent of a session do things. */
export interface Director {
  /** Has it do something, and waits until the turn is over. */
  play(talk: Talk): Promise<void>;
  close(): void;
}

/** Directs a session. Everything that happens in it is also told to `onEvents`, as a reader gets it. */
export async function direct(
  { hub, client }: Bench,
  sessionId: string,
  onEvents: (events: readonly LoggedHubEvent[]) => void = () => {},
): Promise<Director> {
  let turnOver = Promise.withResolvers<void>();
  const { seq } = await client.getSession({ sessionId });
  const reader = await readSession(hub, sessionId, (events) => {
    onEvents(events);
    if (events.some((logged) => logged.seq > seq && logged.event.type === 'turn-finished')) turnOver.resolve();
  });
  return {
    async play(talk) {
      turnOver = Promise.withResolvers<void>();
      await client.sendPrompt({ sessionId, text: JSON.stringify(talk) });
      await within(120, 'a turn', turnOver.promise);
    },
    close: () => reader.close(),
  };
}
