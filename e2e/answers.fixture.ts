import { join } from 'node:path';
import { startFakeProvider } from '@dragoman/testkit';
import type { Locator, Page } from 'playwright-core';
import { type Looks, openConsole } from './console.fixture.ts';
import { type HubServer, projectWith, says, scripted, serveHub, turnsOver } from './hub.fixture.ts';

const PICTURES = process.env['DRAGOMAN_PICTURES'];

/** A session whose agent has answered this. */
export async function answeredSession(
  answer: string,
  files: Record<string, string | Buffer> = { 'src/cache.ts': '1;\n' },
): Promise<{ server: HubServer; path: string }> {
  const provider = await startFakeProvider();
  const server = await serveHub({ ...scripted(provider.url), runner: { isShared: true } });
  provider.answer(says(answer));
  const session = await server.owner.createSession({
    agent: 'native',
    folder: projectWith(files),
    prompt: { text: 'Tell me.' },
  });
  await turnsOver(server.owner, session.id);
  return { server, path: `/sessions/${session.id}` };
}

/** The same, opened in a browser. */
export async function openAnswer(answer: string, looks: Looks = {}, files?: Record<string, string | Buffer>) {
  const { server, path } = await answeredSession(answer, files);
  const page = await openConsole(server, { ...looks, path });
  const shown = answerOn(page);
  await shown.waitFor();
  return { server, page, shown };
}

/** The answer of the agent on a page. */
export function answerOn(page: Page): Locator {
  return page.getByRole('log').getByRole('article', { name: 'Answer' });
}

/** Keeps pictures to be looked at, in every size and theme, when `DRAGOMAN_PICTURES` names a folder. */
export async function keepPictures(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  for (const [width, height] of [
    [1440, 1100],
    [390, 1000],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(PICTURES, `${name}.${width}.${colorScheme}.png`) });
    }
}
