import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsole } from './console.fixture.ts';
import { serveHub } from './hub.fixture.ts';

test('dialogs and menus come in with a short transition, and with none where the system asks for less motion', async () => {
  const server = await serveHub({});
  const page = await openConsole(server, { path: '/settings' });
  const dialog = page.getByRole('dialog');
  const menu = page.getByRole('menu');
  const openBoth = async () => {
    await page.getByRole('button', { name: 'New token' }).first().click();
    const ofDialog = await motionOf(dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /owner/ }).click();
    const ofMenu = await motionOf(menu);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    return [ofDialog, ofMenu];
  };

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await openBoth()).toEqual(['rise 0.18s', 'grow 0.14s']);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await openBoth()).toEqual(['rise 1e-05s', 'grow 1e-05s']);
});

/** The name of what moves it, and how long that takes. */
async function motionOf(box: Locator): Promise<string> {
  await box.waitFor();
  return box.evaluate((element) => {
    const { animationName, animationDuration } = (globalThis as unknown as Styles).getComputedStyle(element);
    return `${animationName} ${animationDuration}`;
  });
}

interface Styles {
  getComputedStyle: (element: unknown) => { animationName: string; animationDuration: string };
}
