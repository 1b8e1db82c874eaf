import { freePort, type ScriptedAnswer, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openFirefox } from './firefox.fixture.ts';
import { calls, projectWith, says, serveHub, toldBy, turnsOver } from './hub.fixture.ts';
import { loginLink } from './people.fixture.ts';

const MODELS: ScriptedAnswer = { body: JSON.stringify({ data: [{ id: 'test-model' }] }) };

test('in Firefox a person logs in, sets up a provider, starts a session, approves in another tab, and goes on after the server was away', async () => {
  const provider = await startFakeProvider();
  const folder = projectWith({ 'a.txt': 'a' });
  const [home, port] = [tempFolder(), String(await freePort())];
  const serve = () => serveHub(undefined, { home, args: ['--port', port, '--token', 'A-TOKEN-THAT-STAYS'] });
  const first = await serve();
  const firefox = await openFirefox();
  const page = await firefox.newPage();
  await page.goto(await loginLink(first));
  await page.sees('Try it now');

  await page.click('link', 'Gateway');
  await page.sees('Only the offline model is available');
  await page.click('button', 'Add provider');
  await page.click('button', 'OpenAI-compatible vLLM, LM Studio, llama.cpp …');
  await page.type('textbox', 'Base URL', `${provider.url}/v1`);
  provider.answer(MODELS, says('ready'));
  await page.click('button', 'Test');
  await page.sees('test-model answered in');
  await page.click('button', 'Save');
  await page.click('link', 'Start a session');
  await page.click('button', 'Folder: Choose a folder');
  await page.type('combobox', 'Folder', `${folder}\n`);
  provider.answer(calls('bash', { command: 'touch made-here' }), says('It is made.'));
  await page.type('textbox', 'Prompt', 'Make a file, please\n');
  await page.sees('Allow once');

  const other = await firefox.newPage();
  await other.goto(first.url + (await page.path()));
  await other.click('button', 'Allow once');
  await page.sees('It is made.');
  await other.sees('It is made.');

  await first.stop();
  await page.type('textbox', 'Prompt', 'And now?\n');
  await page.sees('Will be sent when the server is back');
  provider.answer(says('Still here.'));
  const second = await serve();
  await page.sees('Still here.');
  await other.sees('Still here.');
  const [session] = (await second.owner.listSessions()).sessions;
  expect(toldBy(await turnsOver(second.owner, session!.id, 2)).filter((told) => told.startsWith('text'))).toEqual([
    'text Make a file, please',
    'text It is made.',
    'text And now?',
    'text Still here.',
  ]);
});
