import { startFakeProvider } from '@dragoman/testkit';
import type { JSHandle, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsole } from './console.fixture.ts';
import { calls, projectWith, says, scripted, serveHub, turnsOver } from './hub.fixture.ts';

const TABS = 20;
const RELOADS = 10;

test('twenty tabs that were reloaded ten times each all see a prompt and an approval that one of them makes', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const folder = projectWith({ 'a.txt': 'a' });
  provider.answer(says('Ready.'));
  const { id } = await server.owner.createSession({ agent: 'native', folder, title: 'Shared', prompt: { text: 'hi' } });
  await turnsOver(server.owner, id);
  const path = `/sessions/${id}`;
  const first = await openConsole(server, { path });
  await first.getByRole('log').getByText('Ready.').waitFor();

  // A page that is left is kept by this browser, and comes back as it was: the cache is on.
  await first.evaluate(
    "window.addEventListener('pageshow', ({ persisted }) => { document.documentElement.dataset.persisted = String(persisted); })",
  );
  await first.goto(`${server.url}/icon.svg`);
  provider.answer(says('Meanwhile.'));
  await server.owner.sendPrompt({ sessionId: id, text: 'and now?' });
  await turnsOver(server.owner, id, 2);
  await first.goBack({ waitUntil: 'commit' });
  await expect.poll(() => first.locator('html').getAttribute('data-persisted')).toBe('true');
  // It hears what happened while it was away, and nothing twice.
  await first.getByRole('log').getByText('Meanwhile.').waitFor();
  expect(await first.getByRole('log').getByText('Ready.').count()).toBe(1);

  const tabs: Page[] = [first];
  while (tabs.length < TABS) {
    const tab = await first.context().newPage();
    tab.setDefaultTimeout(120_000);
    await tab.goto(server.url + path, { waitUntil: 'commit' });
    tabs.push(tab);
  }
  for (let round = 0; round < RELOADS; round += 1)
    await Promise.all(tabs.map((tab) => tab.goto(`${server.url}${path}?round=${round}`, { waitUntil: 'commit' })));
  await Promise.all(tabs.map((tab) => tab.getByRole('log').getByText('Ready.').waitFor()));

  const sees = <Seen>(what: (tab: Page) => Promise<Seen>) => Promise.all(tabs.map(what));
  // What two hundred reloads left to do is no part of what follows.
  await sees((tab) => tab.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve))));
  const [one, other] = [tabs[7]!, tabs[13]!];
  provider.answer(calls('bash', { command: 'touch made-here' }), says('It is made.'));
  await one.bringToFront();
  await one.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Make a file, please');
  const prompts = await sees((tab) => tab.evaluateHandle(noteWhen, { text: 'Make a file, please', isThere: true }));
  await one.keyboard.press('Enter');
  await report('a prompt', prompts);
  await sees((tab) => tab.getByRole('log').getByRole('button', { name: 'Allow once' }).waitFor());
  await other.bringToFront();
  const answers = await sees((tab) => tab.evaluateHandle(noteWhen, { text: 'Allow once', isThere: false }));
  await other.getByRole('log').getByRole('button', { name: 'Allow once' }).click();
  await report('an approval', answers);
  await sees((tab) => tab.getByRole('log').getByText('It is made.').waitFor());
});

test('a request that waits for long is told of in one line, for as long as it waits', async () => {
  const server = await serveHub({});
  const page = await openConsole(server);
  const held = Promise.withResolvers<void>();
  await page.route('**/api/search?*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${server.url}/sessions?q=lamp`);
  const line = page.getByText('Still waiting for the server…');
  await line.waitFor();
  expect(await line.count()).toBe(1);
  held.resolve();
  await line.waitFor({ state: 'detached' });
});

/** Runs in the page: when a key or the mouse was last pressed there, and when the conversation first had a text or no longer had it. */
function noteWhen({ text, isThere }: { text: string; isThere: boolean }): Noted {
  const seen = Promise.withResolvers<number>();
  const noted: Noted = { pressedAt: 0, seenAt: seen.promise };
  const press = () => {
    noted.pressedAt = Date.now();
  };
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, press, { capture: true });
  const look = new MutationObserver(() => {
    if (document.querySelector('[role=log]')!.textContent.includes(text) !== isThere) return;
    seen.resolve(Date.now());
    look.disconnect();
  });
  look.observe(document.body, { subtree: true, childList: true, characterData: true });
  return noted;
}

interface Noted {
  pressedAt: number;
  seenAt: Promise<number>;
}

/** Waits until all have seen it, and says when they did, by their own clocks: a driver that looks into twenty pages again and again slows them down. */
async function report(what: string, tabs: readonly JSHandle<Noted>[]): Promise<void> {
  const noted = await Promise.all(
    tabs.map((tab) => tab.evaluate(async ({ pressedAt, seenAt }) => ({ seenAt: await seenAt, pressedAt }))),
  );
  const pressedAt = Math.max(...noted.map((tab) => tab.pressedAt));
  const after = noted.map(({ seenAt }) => seenAt - pressedAt).toSorted((one, next) => one - next);
  console.info(`${what} was seen in ${TABS} tabs after ${after[0]} to ${after.at(-1)} ms`);
}
