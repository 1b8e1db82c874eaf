import { expect, test } from 'vitest';
import { expectAccessible, openConsole } from './console.fixture.ts';
import { serveDemo } from './demo.fixture.ts';

test('the menu folds with a key and stays so, groups by project, and gives way to the panel of a session', async () => {
  const demo = await serveDemo();
  const page = await openConsole(demo, { path: '/' });
  const menu = page.getByRole('navigation', { name: 'Main menu' }).first();
  await menu.getByRole('link', { name: /Run the tests of the prices/ }).waitFor();
  await menu.getByText('shop', { exact: true }).waitFor();
  for (const state of ['Needs input', 'Running', 'Failed', 'Unread'])
    expect(await menu.getByRole('img', { name: state }).count()).toBe(1);
  await menu.getByRole('button', { name: 'Sort by time' }).click();
  await menu.getByRole('button', { name: 'Group by folder' }).waitFor();
  await expectAccessible(page);

  await page.keyboard.press('[');
  await menu.getByRole('button', { name: 'Expand sidebar' }).waitFor();
  await expectAccessible(page);
  await page.reload();
  await menu.getByRole('button', { name: 'Expand sidebar' }).click();
  await menu.getByRole('button', { name: 'Collapse sidebar' }).waitFor();

  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto(`${demo.url}/sessions/${demo.sessions.done}`);
  await page.getByRole('textbox', { name: 'Prompt' }).press('[');
  await menu.getByRole('button', { name: 'Collapse sidebar' }).waitFor();
  await page.getByRole('button', { name: 'Files and changes' }).click();
  await menu.getByRole('button', { name: 'Expand sidebar' }).waitFor();
  expect((await page.getByRole('log').boundingBox())!.width).toBeGreaterThan(400);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Files and changes' }).click();
  await menu.getByRole('button', { name: 'Collapse sidebar' }).waitFor();
});
