import { expect, test } from 'vitest';
import { openConsole } from './console.fixture.ts';
import { serveHub } from './hub.fixture.ts';

test('a sign without words says them to who points at it or comes to it by keyboard, and Escape takes them away', async () => {
  const server = await serveHub({});
  const page = await openConsole(server);
  const words = page.getByRole('tooltip', { includeHidden: true });
  const fold = page.getByRole('button', { name: 'Collapse sidebar' });

  await fold.hover();
  await words.getByText('Collapse sidebar').waitFor();
  // Nothing of it is outside the window, though the button is at its edge.
  const box = (await words.boundingBox())!;
  expect(box.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('Escape');
  await words.waitFor({ state: 'detached' });

  await fold.click();
  await page.getByRole('link', { name: 'Settings' }).hover();
  await words.getByText('Settings').waitFor();
  const [sign, said] = [await page.getByRole('link', { name: 'Settings' }).boundingBox(), await words.boundingBox()];
  expect(said!.x).toBeGreaterThan(sign!.x + sign!.width);
  expect(said!.y + said!.height / 2).toBeCloseTo(sign!.y + sign!.height / 2, 0);

  await page.mouse.move(600, 500);
  await words.waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Expand sidebar' }).focus();
  await words.getByText('Expand sidebar').waitFor();
  await page.keyboard.press('Tab');
  await words.getByText('New session').waitFor();
});
