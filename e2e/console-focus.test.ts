import { expect, test } from 'vitest';
import { startFakeProvider } from '@dragoman/testkit';
import { chooseFolder, openConsole } from './console.fixture.ts';
import { calls, projectWith, says, scripted, serveHub, toldBy, turnsOver } from './hub.fixture.ts';

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

test('a session is started, asked and answered by keys alone, and the focus is never lost', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const ask = (id: string) => calls('bash', { command: `touch ${id}.txt` }, id);
  provider.answer(ask('one'), ask('two'), ask('three'), says('All done.'));
  const page = await openConsole(server, { path: '/new' });
  const focused = () => page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.tagName');
  await chooseFolder(page, projectWith({ 'a.txt': 'a' }));
  const first = page.getByRole('textbox').first();
  await first.fill('make files');
  await first.press('Enter');
  await page.waitForURL(/\/sessions\/ses_/);
  const log = page.getByRole('log');
  const question = (id: string) => log.getByText(`touch ${id}.txt`).first();

  // From the prompt box, while nothing is written there.
  await log.getByRole('button', { name: 'Allow once' }).waitFor();
  expect(await focused()).toBe('Prompt');
  await page.keyboard.press('Control+Enter');
  await question('two').waitFor();

  // With the button itself; the focus stays in the conversation, where a letter answers.
  await log.getByRole('button', { name: 'Allow once' }).press('Enter');
  await question('three').waitFor();
  expect(await focused()).toBe('Conversation');
  await log.getByRole('button', { name: 'Allow once' }).waitFor();
  await page.keyboard.press('d');
  const sessionId = page.url().split('/').at(-1)!;
  const view = await turnsOver(server.owner, sessionId);
  expect(toldBy(view).filter((told) => told.startsWith('tool_use'))).toEqual([
    'tool_use bash Success',
    'tool_use bash Success',
    'tool_use bash Error',
  ]);
});

test('the keyboard help of the list of sessions names its keys', async () => {
  const server = await serveHub({});
  const page = await openConsole(server, { path: '/sessions' });
  await page.getByRole('heading', { name: 'Sessions', exact: true }).first().waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Sessions shortcuts' });
  await help.getByText('Archive or unarchive').waitFor();
  expect(await help.getByText('Search', { exact: true }).isVisible()).toBe(true);
});
