import { rmSync } from 'node:fs';
import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { chooseFolder, expectAccessible, openConsole } from './console.fixture.ts';
import { projectWith, says, scripted, serveHub, turnsOver } from './hub.fixture.ts';

test('a new session begins with the words: they have the focus, Enter starts, and what was chosen is there next time', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const folder = projectWith({ 'a.ts': 'export {};\n' });
  const page = await openConsole(server, { path: '/new' });
  const box = page.getByRole('textbox', { name: 'Prompt' });
  await box.waitFor();
  expect(await box.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.type('Look at the picture');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Choose a folder to work in.').waitFor();

  await chooseFolder(page, folder);
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Mode:/ }).click();
  await page.keyboard.type('pl');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Mode: plan' }).waitFor();
  await page.getByRole('button', { name: /^Model:/ }).click();
  await page.keyboard.type('scripted/other');
  await page.getByRole('option', { name: 'Use “scripted/other”' }).waitFor();
  await page.keyboard.press('Escape');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await page.getByRole('list', { name: 'Attached' }).getByText('note.txt').waitFor();
  await expectAccessible(page);
  provider.answer(says('It is blue.'));
  await box.press('Enter');
  await page.waitForURL(/\/sessions\/ses_/);
  await page.getByText('It is blue.').first().waitFor();
  const [session] = (await server.owner.listSessions()).sessions;
  expect(session).toMatchObject({ agent: 'native', folder, mode: 'plan' });
  expect(JSON.stringify((await turnsOver(server.owner, session!.id)).messages)).toContain('note.txt');

  await page.goto(`${server.url}/new`);
  await page.getByRole('button', { name: 'Mode: plan' }).waitFor();
  expect(await page.getByRole('button', { name: /^Folder:/ }).getAttribute('title')).toBe(folder);
  expect(await box.inputValue()).toBe('');
  rmSync(folder, { recursive: true });
  await page.reload();
  await page.getByRole('button', { name: 'Folder: Choose a folder' }).waitFor();
});

test('on a phone everything of a new session is on one screen, large enough for a finger, with a way back', async () => {
  const server = await serveHub({});
  const page = await openConsole(server, { size: 'phone' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto(`${server.url}/new`);
  await page.getByRole('button', { name: /^Agent:/ }).waitFor();
  const [box, page0] = (await page.evaluate(
    `(() => { const of = ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight;
      return [of(document.querySelector('main .overflow-y-auto')), of(document.documentElement)]; })()`,
  )) as [number, number];
  expect([box, page0]).toEqual([0, 0]);
  for (const button of await page.getByRole('main').getByRole('button').all())
    expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL(`${server.url}/`);
});

test('before a session is started its files can be named, and an agent that takes words alone says so', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub({
    ...scripted(provider.url),
    agents: { echo: { backend: 'text', command: ['cat'], title: 'Echo' } },
  });
  const folder = projectWith({ 'src/harbour-light.ts': '1;\n', 'src/other.ts': '2;\n', '.env': 'KEY=1' });
  const page = await openConsole(server, { path: '/new' });
  const box = page.getByRole('textbox', { name: 'Prompt' });
  await box.fill('Look at @harb');
  expect(await page.getByRole('option').count()).toBe(0);
  await chooseFolder(page, folder);
  await box.fill('');
  await box.pressSequentially('Look at @harb');
  await page.getByRole('option', { name: 'src/harbour-light.ts' }).waitFor();
  expect(await page.getByRole('option').count()).toBe(1);
  await expectAccessible(page);
  if (process.env['DRAGOMAN_PICTURES'] !== undefined)
    await page.screenshot({ path: `${process.env['DRAGOMAN_PICTURES']}/new-mention.png` });
  await page.keyboard.press('Enter');
  expect(await box.inputValue()).toBe('Look at @src/harbour-light.ts ');

  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
  await page.locator('input[type=file]').setInputFiles(note);
  await page.getByRole('list', { name: 'Attached' }).waitFor();
  await page.getByRole('button', { name: /^Agent:/ }).click();
  await page.getByRole('option', { name: /Echo/ }).click();
  await page.getByText('This agent doesn’t accept attachments.').waitFor();
  expect(await page.locator('input[type=file]').count()).toBe(0);
  await page.getByRole('alert').getByText('Remove the attachment or choose another agent.').waitFor();
  await expectAccessible(page);
  if (process.env['DRAGOMAN_PICTURES'] !== undefined)
    await page.screenshot({ path: `${process.env['DRAGOMAN_PICTURES']}/new-no-files.png` });
  await box.press('Enter');
  expect(page.url()).toContain('/new');
  await page.getByRole('button', { name: 'Remove note.txt' }).click();
  await box.press('Enter');
  await page.waitForURL(/\/sessions\/ses_/);
  await page.getByText('Look at @src/harbour-light.ts').last().waitFor();
});
