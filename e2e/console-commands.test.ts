import { expect, test } from 'vitest';
import { expectAccessible, openConsole } from './console.fixture.ts';
import { serveDemo } from './demo.fixture.ts';
import { turnsOver, viewUntil } from './hub.fixture.ts';

test('from anywhere a key opens the commands: sessions, pages, the question and the turn of the open session, the theme', async () => {
  const demo = await serveDemo();
  const page = await openConsole(demo, { path: '/gateway' });
  const commands = page.getByRole('combobox', { name: 'Commands' });
  const run = async (words: string) => {
    await page.keyboard.press('Control+k');
    await commands.waitFor();
    await page.keyboard.type(words);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await commands.waitFor({ state: 'detached' });
  };
  await page.getByRole('heading', { level: 1 }).waitFor();
  await run('tests prices');
  await page.waitForURL(new RegExp(demo.sessions.waiting));

  // While somebody writes too; what they write stays.
  const box = page.getByRole('textbox', { name: 'Prompt' });
  await box.fill('n[?');
  await box.press('Control+k');
  await commands.waitFor();
  expect(await page.getByRole('option').first().textContent()).toContain('Allow once');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await commands.waitFor({ state: 'detached' });
  expect(await box.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  expect(await box.inputValue()).toBe('n[?');
  await run('approve');
  await viewUntil(demo.owner, demo.sessions.waiting, ({ approvals }) =>
    approvals.every(({ decided }) => decided !== undefined),
  );

  await run('order travels');
  await page.waitForURL(new RegExp(demo.sessions.running));
  await page.getByRole('log').getByText('I am reading the orders first').waitFor();
  await run('stop');
  await turnsOver(demo.owner, demo.sessions.running);

  await run('usage');
  await page.waitForURL(`${demo.url}/gateway?tab=usage`);
  await run('tokens');
  await page.waitForURL(`${demo.url}/settings?tab=tokens`);

  // Another tab follows, and a page that comes back.
  const other = await page.context().newPage();
  await other.goto(demo.url);
  await other.getByRole('heading', { level: 1 }).waitFor();
  await run('dark');
  await expect.poll(() => other.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  await other.close();
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  await page.keyboard.press('Control+k');
  await page.getByRole('listbox').getByText('Recent', { exact: true }).waitFor();
  expect(await page.getByRole('option').first().textContent()).toBe('Theme: Dark');
  await page.keyboard.press('Escape');
  await run('home');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Home shortcuts' }).getByText('Search and commands').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('n');
  await page.waitForURL(`${demo.url}/new`);
});

test('on a phone the commands are in the menu, and in the menu of a session', async () => {
  const demo = await serveDemo();
  const page = await openConsole(demo, { size: 'phone', path: '/' });
  await page.getByRole('button', { name: 'Commands' }).tap();
  await page.getByRole('option', { name: /Totals differ by a cent/ }).tap();
  await page.waitForURL(new RegExp(demo.sessions.done));
  await page.getByRole('button', { name: 'More actions' }).tap();
  await page.getByRole('menuitem', { name: 'Commands' }).tap();
  await page.getByRole('combobox', { name: 'Commands' }).waitFor();
  for (const option of await page.getByRole('option').all())
    expect((await option.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await expectAccessible(page);
});
