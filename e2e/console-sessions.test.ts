import { startFakeProvider } from '@dragoman/testkit';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, openConsole } from './console.fixture.ts';
import { type HubServer, projectWith, says, scripted, serveHub, turnsOver } from './hub.fixture.ts';

/** On a busy machine. */
const SOON = { timeout: 60_000 };

/** A server on which something was said, in two folders and two languages. */
async function serveTalks(): Promise<HubServer & { ids: Record<'prices' | 'mail' | 'notes', string> }> {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const [shop, post] = [projectWith({ 'a.txt': 'a' }), projectWith({ 'b.txt': 'b' })];
  const talk = async (folder: string, title: string, prompt: string, answer: string) => {
    provider.answer(says(answer));
    const { id } = await server.owner.createSession({ agent: 'native', folder, title, prompt: { text: prompt } });
    await turnsOver(server.owner, id);
    return id;
  };
  const prices = await talk(
    shop,
    'Prices',
    'Where is the discount applied?',
    'The discount is applied in price-of.ts.',
  );
  const mail = await talk(post, 'Mail', '邮件重试几次？', '邮件最多重试三次，折扣邮件除外。');
  const notes = await talk(post, 'Release notes', 'Write the notes.', 'Nothing changed.');
  return { ...server, ids: { prices, mail, notes } };
}

test('what was said is found in English and in Chinese, marked, and leads to its place', async () => {
  const server = await serveTalks();
  const page = await openConsole(server, { path: '/sessions' });
  await page.getByRole('main').getByRole('link', { name: 'Prices' }).waitFor();

  await page.keyboard.press('/');
  await page.keyboard.type('discount');
  await page.getByText('2 matches in 1 session').waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('discount');
  expect(await page.locator('mark').allInnerTexts()).toEqual(['discount', 'discount']);
  await page.getByRole('link', { name: /^Answer.*The discount is applied in price-of\.ts\.$/ }).click();
  await page.waitForURL((url) => url.pathname === `/sessions/${server.ids.prices}` && url.searchParams.has('at'));
  await page.getByText('The discount is applied in price-of.ts.').first().waitFor();

  await page.goto(`${server.url}/sessions`);
  await page.getByRole('textbox', { name: 'Search sessions' }).fill('折扣');
  await page.getByText('1 match in 1 session').waitFor();
  expect(await page.locator('mark').allInnerTexts()).toEqual(['折扣']);
  await expectAccessible(page);

  await page.getByRole('textbox').fill('nowhere-to-be-found');
  await page.getByText('No results').waitFor();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.waitForURL((url) => url.search === '');
  await page.getByRole('main').getByRole('link', { name: 'Release notes' }).waitFor();
});

test('sessions are archived together, found among the archived ones and brought back', async () => {
  const server = await serveTalks();
  const page = await openConsole(server, { path: '/sessions', size: 'phone' });
  const rows = page.getByRole('main').getByRole('listitem').getByRole('link');
  await expect.poll(() => rows.count(), SOON).toBe(3);
  await page.getByText('By time').click();
  expect(await page.getByRole('checkbox').count()).toBe(0);

  const phone = await page.context().newCDPSession(page);
  const at = (await rows.filter({ hasText: 'Release notes' }).boundingBox())!;
  const touchPoints = [{ x: at.x + 20, y: at.y + at.height / 2 }];
  await phone.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await page.getByText('1 selected').waitFor();
  await phone.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.getByRole('checkbox', { name: 'Select Prices' }).click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select Prices' }).uncheck();
  await page.getByText('2 selected').waitFor();
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('2 sessions archived').waitFor();
  await expect.poll(() => rows.count(), SOON).toBe(1);
  const { sessions } = await server.owner.listSessions({ archived: true });
  expect(sessions.map(({ title }) => title).toSorted()).toEqual(['Mail', 'Release notes']);

  await page.goto(`${server.url}/sessions?archived=true`);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Unarchive' }).click();
  await page.getByText('No archived sessions').waitFor();

  await page.goto(`${server.url}/sessions`);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await rows.filter({ hasText: 'Mail' }).click();
  await page.getByText('1 selected').waitFor();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog', { name: 'Delete this session?' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted', { exact: true }).waitFor();
  await expect.poll(() => rows.count(), SOON).toBe(2);
  // The way they are arranged is remembered.
  expect(await page.getByRole('radio', { name: 'By time' }).isChecked()).toBe(true);
});

test('a list of hundreds is read page by page, and the keyboard gets to its end', async () => {
  const server = await serveHub({});
  const folder = projectWith({ 'a.txt': 'a' });
  for (let made = 0; made < 240; made += 8)
    await Promise.all(
      Array.from({ length: 8 }, (_, more) =>
        server.owner.createSession({ agent: 'chat', folder, title: `Talk ${made + more}.` }),
      ),
    );
  const page = await openConsole(server, { path: '/sessions' });
  const { sessions, next } = await server.owner.listSessions({ limit: 200 });
  const last = (await server.owner.listSessions({ limit: 200, before: next! })).sessions.at(-1)!;
  const main = page.getByRole('main');
  await main.getByRole('link', { name: sessions[0]!.title, exact: true }).focus();

  const end = main.getByRole('link', { name: last.title, exact: true }).and(page.locator(':focus'));
  await expect
    .poll(async () => {
      await page.keyboard.press('End');
      return end.count();
    }, SOON)
    .toBe(1);
  expect(await main.getByRole('listitem').count()).toBeLessThan(60);
});

test('the list is used by keyboard alone, and narrowed down by what stands in the address', async () => {
  const server = await serveTalks();
  const page = await openConsole(server, { path: '/sessions' });
  const row = (title: string) => page.getByRole('main').getByRole('link', { name: title, exact: true });
  const focused = (link: Locator) => link.and(page.locator(':focus')).waitFor();
  await row('Release notes').focus();

  await page.keyboard.press('ArrowDown');
  await focused(row('Mail'));
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('x');
  await page.keyboard.press('e');
  await row('Mail').waitFor({ state: 'detached' });
  await focused(row('Prices'));

  await page.getByRole('button', { name: 'Actions for Release notes' }).click();
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await page.getByRole('heading', { name: 'Pinned' }).waitFor();
  await page.getByRole('button', { name: 'Pinned' }).click();
  await row('Prices').waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?pinned=true');
  await page.getByLabel('Status').first().selectOption('failed');
  await page.getByText('No matching sessions').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
  await row('Prices').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === `/sessions/${server.ids.prices}`);
});
