import { expect, test } from 'vitest';
import { openConsole } from './console.fixture.ts';
import { projectWith, serveHub } from './hub.fixture.ts';

test('a question that a menu asks begins at its safe answer, and Escape leads back to the menu', async () => {
  const server = await serveHub({});
  const { id } = await server.owner.createSession({ agent: 'native', folder: projectWith({ 'a.ts': 'export {};\n' }) });
  const page = await openConsole(server, { path: `/sessions/${id}` });
  const focused = () => page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');

  await page.getByRole('button', { name: 'More actions' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete this session?' });
  await question.waitFor();
  await expect.poll(focused).toBe('Cancel');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('More actions');
});
