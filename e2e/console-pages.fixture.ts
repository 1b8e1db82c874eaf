import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Demo } from './demo.fixture.ts';

/** Every page and every part of one, by a name for its picture. */
export function pagesOf({ sessions }: Demo): Record<string, string> {
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

/** Goes to a page and waits until all of it is there. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expect.poll(() => page.locator('[aria-busy=true]:not([role=log])').count(), { timeout: 60_000 }).toBe(0);
}
