import { freePort, startFakeProvider, tempFolder } from '@dragoman/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, openConsole } from './console.fixture.ts';
import {
  approvalOf,
  calls,
  projectWith,
  says,
  scripted,
  serveHub,
  toldBy,
  turnsOver,
  viewUntil,
} from './hub.fixture.ts';

/** A server that can be stopped and started again at its address. */
async function serveAgain() {
  const provider = await startFakeProvider();
  const [home, port] = [tempFolder(), String(await freePort())];
  const serve = () =>
    serveHub(
      { ...scripted(provider.url), runner: { isShared: true } },
      { home, args: ['--port', port, '--token', 'A-TOKEN-THAT-STAYS'] },
    );
  return { provider, serve, folder: projectWith({ 'a.txt': 'a' }) };
}

const promptOf = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true });
const WAITS = 'Will be sent when the server is back, even if you leave this page.';

test('what is written and answered while the server is away is sent once when it is back, from wherever the person is by then', async () => {
  const { provider, serve, folder } = await serveAgain();
  const first = await serve();
  provider.answer(says('Hello.'));
  const { id } = await first.owner.createSession({ agent: 'native', folder, title: 'Lamp', prompt: { text: 'hi' } });
  await turnsOver(first.owner, id);
  const page = await openConsole(first, { path: `/sessions/${id}` });
  await page.getByRole('log').getByText('Hello.').waitFor();
  const other = await page.context().newPage();
  await other.goto(`${first.url}/sessions/${id}`);
  await other.getByRole('log').getByText('Hello.').waitFor();
  await first.stop();

  await promptOf(page).fill('mend it');
  await page.keyboard.press('Enter');
  await promptOf(page).fill('and paint it');
  await page.keyboard.press('Enter');
  await promptOf(page).fill('never mind');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: '3 unsent' }).waitFor();
  expect(await page.getByText(WAITS).count()).toBe(3);
  await expectAccessible(page);
  // One is taken back, and its words can be written anew.
  await page.getByRole('button', { name: 'Undo' }).last().click();
  expect(await promptOf(page).inputValue()).toBe('never mind');
  // The other tab knows of them, and so do the lists.
  await other.getByRole('region', { name: '2 unsent' }).waitFor();
  await page.getByRole('navigation').getByRole('img', { name: 'Waiting to be sent' }).waitFor();
  await page.getByRole('link', { name: 'Gateway' }).first().click();
  await other.close();

  provider.answer(says('Mended.'), says('Painted.'));
  const server = await serve();
  const view = await turnsOver(server.owner, id, 3);
  expect(toldBy(view)).toEqual([
    'text hi',
    'text Hello.',
    'text mend it',
    'text Mended.',
    'text and paint it',
    'text Painted.',
  ]);
  await page.getByRole('img', { name: 'Waiting to be sent' }).waitFor({ state: 'detached' });
});

test('what waits outlives the page, is sent by nobody else, and what is refused for good keeps its words', async () => {
  const { provider, serve, folder } = await serveAgain();
  const first = await serve();
  provider.answer(says('Hello.'));
  const { id } = await first.owner.createSession({ agent: 'native', folder, title: 'Kept', prompt: { text: 'hi' } });
  const { id: doomed } = await first.owner.createSession({ agent: 'native', folder, title: 'Doomed' });
  await turnsOver(first.owner, id);
  const page = await openConsole(first, { path: `/sessions/${id}`, user: { name: 'mia', role: 'member' } });
  await page.getByRole('log').getByText('Hello.').waitFor();
  const late = await page.context().newPage();
  await late.goto(`${first.url}/sessions/${doomed}`);
  await promptOf(late).waitFor();
  await first.stop();
  await promptOf(page).fill('from mia');
  await page.keyboard.press('Enter');
  await page.getByText(WAITS).waitFor();
  await promptOf(late).fill('words worth keeping');
  await late.keyboard.press('Enter');
  await late.getByText(WAITS).waitFor();
  const kept = await page.evaluate('JSON.stringify(Object.entries(localStorage))');
  await page.close();
  await late.close();

  const server = await serve();
  await server.owner.removeSession({ sessionId: doomed });
  // Somebody else in the same browser finds what mia left, and none of it goes out as theirs.
  const others = await openConsole(server, { user: { name: 'zoe', role: 'member' } });
  await others.evaluate(
    `for (const [key, value] of ${String(kept)}) if (key.startsWith('outbox.')) localStorage.setItem(key, value)`,
  );
  await others.goto(`${server.url}/sessions/${id}`);
  await others.getByRole('log').getByText('Hello.').waitFor();
  expect(await others.getByText('from mia').count()).toBe(0);

  provider.answer(says('Hello, Mia.'));
  const again = await openConsole(server, { user: { name: 'mia', role: 'member' }, path: '/icon.svg' });
  await again.evaluate(
    `for (const [key, value] of ${String(kept)}) if (key.startsWith('outbox.')) localStorage.setItem(key, value)`,
  );
  await again.goto(`${server.url}/`);
  const view = await viewUntil(
    server.owner,
    id,
    ({ turns }) => turns.filter(({ finishedAt }) => finishedAt !== undefined).length === 2,
  );
  expect(view.messages.filter(({ role }) => role === 'user').map(({ by }) => by?.type === 'user' && by.name)).toEqual([
    'owner',
    'mia',
  ]);
  // It is told wherever they are, and where it was written.
  await again.getByText(/^Not sent: There is no session/).waitFor();
  await again.getByText('words worth keeping').waitFor();
  await again.goto(`${server.url}/sessions/${doomed}`);
  await again.getByRole('region', { name: '1 unsent' }).getByText('words worth keeping').waitFor();
  await expectAccessible(again);
  await again.getByRole('button', { name: 'Discard' }).click();
  await again.getByText('words worth keeping').waitFor({ state: 'detached' });
});

test('an answer that is given while the server cannot be reached waits, can be taken back, and counts once', async () => {
  const { provider, serve, folder } = await serveAgain();
  const server = await serve();
  provider.answer(calls('bash', { command: 'touch made' }), says('Made.'));
  const { id } = await server.owner.createSession({ agent: 'native', folder, prompt: { text: 'go' } });
  await approvalOf(server.owner, id);
  const page = await openConsole(server, { path: `/sessions/${id}` });
  const allow = page.getByRole('log').getByRole('button', { name: 'Allow once' });
  await allow.waitFor();
  let isAway = true;
  await page.route('**/approvals/*', (route) => (isAway ? route.abort() : route.continue()));
  await allow.click();
  await page.getByText('Your answer will be sent when the server is back.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await allow.click();
  await page.getByText('Your answer will be sent when the server is back.').waitFor();
  isAway = false;
  await page.getByRole('log').getByText('Made.').waitFor();
  const { events } = await server.owner.readLog({ sessionId: id });
  expect(events.filter(({ event }) => event.type === 'approval-decided')).toHaveLength(1);
});
