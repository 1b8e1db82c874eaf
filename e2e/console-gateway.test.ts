import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ConsoleClient, createConsoleClient } from '@dragoman/protocol/console';
import {
  openCodeEnv,
  type RunningDragoman,
  type ScriptedAnswer,
  startFakeProvider,
  tempFolder,
} from '@dragoman/testkit';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, openConsole } from './console.fixture.ts';
import { says, saysAtOnce, scripted, serveHub } from './hub.fixture.ts';

const run = promisify(execFile);
/** Where the SDKs are installed. */
const GATEWAY = fileURLToPath(new URL('../packages/gateway', import.meta.url));
/** How long anything may take on a busy machine. */
const PATIENCE = { timeout: 60_000 };
/** A folder to leave pictures in. */
const PICTURES = process.env['DRAGOMAN_PICTURES'];
const KEY = 'sk-never-shown-0123456789';
/** What the provider says when it is asked for the whole answer at once. */
const WHOLE = saysAtOnce('ready');
const MODELS: ScriptedAnswer = { body: JSON.stringify({ data: [{ id: 'test-model' }, { id: 'other-model' }] }) };

test('a provider is added, tested, put in order, used by a real client and seen in usage and log, and its key is shown nowhere', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub({});
  const page = await openConsole(server, { path: '/gateway' });
  const heard = hearAnswers(page);

  // Added and tested in the dialog.
  await page.getByText('Only the offline model answers').waitFor();
  await page.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('button', { name: 'OpenAI-compatible' }).click();
  await page.getByLabel('Address').fill(`${provider.url}/v1`);
  await page.getByLabel(/API key/).fill(KEY);
  provider.answer(MODELS, says('ready'));
  await page.getByRole('dialog').getByRole('button', { name: 'Test' }).click();
  await page.getByText(/test-model answered in/).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();

  // Tested in its row.
  await page.getByRole('button', { name: 'Test compatible' }).click();
  await page.getByText(/Answered in/).waitFor();
  expect(provider.requests.map(({ headers }) => headers.authorization)).toEqual(
    provider.requests.map(() => `Bearer ${KEY}`),
  );

  await reorder(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The route default is in force').waitFor();
  expect((await consoleOf(server).readGateway()).routes).toEqual([
    { name: 'default', targets: ['compatible/test-model', 'offline/offline'], temperature: 0.5 },
  ]);

  // A client is connected with what the page says, word for word.
  await page.getByRole('link', { name: 'Connect' }).click();
  await page.getByRole('button', { name: 'Make a token' }).click();
  await page.getByLabel('Name of the token').fill('desk');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('Copy it now').waitFor();
  await expectAccessible(page);
  provider.answer(WHOLE);
  await page.getByText('OpenAI SDK, TypeScript').click();
  expect(await runScript(await snippet(page, 1))).toBe('ready\n');

  await page.getByRole('link', { name: 'Usage' }).click();
  const byToken = page.getByRole('region', { name: 'By token' });
  await byToken.getByRole('rowheader', { name: 'owner/desk' }).waitFor();
  await page
    .getByRole('region', { name: 'By model' })
    .getByRole('rowheader', { name: 'compatible/test-model' })
    .waitFor();
  await page.getByRole('img', { name: /Calls by day/ }).waitFor();
  await expectAccessible(page);

  // The log goes on by itself.
  await page.getByRole('link', { name: 'Requests' }).click();
  const rows = page.getByRole('group', { name: 'Requests, the newest first' }).getByRole('listitem');
  await rows.filter({ hasText: 'owner / desk' }).first().waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const before = await rows.count();
  const token = (await consoleOf(server).createToken({ name: 'later', role: 'member' })).text;
  await ask(server, token);
  await rows.filter({ hasText: 'owner / later' }).waitFor();
  expect(await rows.count()).toBe(before + 1);

  // Paused, nothing moves; what came meanwhile is told.
  await page.getByRole('button', { name: 'Pause' }).click();
  await ask(server, token);
  await page.getByRole('button', { name: 'Go on (1 new)' }).click();
  await expect.poll(() => rows.filter({ hasText: 'owner / later' }).count(), PATIENCE).toBe(2);
  await rows.first().getByRole('button').click();
  await page.getByRole('dialog').getByText('compatible/test-model').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('nobody asked this');
  await page.getByText('No request fits').waitFor();

  const storage = await page.evaluate('JSON.stringify([localStorage, sessionStorage])');
  for (const text of [...heard, await page.content(), String(storage), server.output()])
    expect(text).not.toContain(KEY);
});

test('removing a provider says what becomes of its routes, and takes its key with it', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub({
    ...scripted(provider.url),
    routes: { default: ['scripted/test-model', 'offline/offline'], only: ['scripted/test-model'] },
  });
  const api = consoleOf(server);
  await api.changeSettings({
    changes: [{ path: ['providers', 'scripted', 'apiKey'], value: '{secret:providers.scripted.apiKey}' }],
    secrets: { 'providers.scripted.apiKey': KEY },
  });
  const page = await openConsole(server, { path: '/gateway' });

  await page.getByRole('button', { name: 'More for scripted' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const question = page.getByRole('dialog');
  await question.getByText('default: 1 target stays').waitFor();
  await question.getByText('only: nothing else serves it, so the route goes too').waitFor();
  await question.getByRole('button', { name: 'Remove the provider' }).click();
  await page.getByText('scripted was removed').waitFor();

  const { providers, routes } = await api.readGateway();
  expect(providers.map(({ name }) => name)).toEqual(['offline']);
  expect(routes).toEqual([{ name: 'default', targets: ['offline/offline'] }]);
  await expect.poll(async () => (await api.listSecrets()).secrets, PATIENCE).toEqual([]);
});

test('who saves a route later is told that somebody saved before, and loses nothing', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const api = consoleOf(server);
  const page = await openConsole(server, { path: '/gateway?tab=routes' });

  await page.getByRole('button', { name: 'Edit default' }).click();
  await page.getByLabel('Most tokens of an answer').fill('900');
  await page.getByRole('button', { name: 'Save' }).isEnabled();
  await api.changeSettings({ changes: [{ path: ['routes', 'default'], value: ['offline/offline'] }] });
  await page.getByRole('button', { name: 'Save' }).click();

  await page.getByText('The settings were changed meanwhile').waitFor();
  await page.getByText('The route is now: offline/offline.').waitFor();
  expect(await page.getByLabel('Most tokens of an answer').inputValue()).toBe('900');
  await page.getByRole('button', { name: 'Take what is there' }).click();
  expect(await page.getByLabel('Most tokens of an answer').inputValue()).toBe('');
  await page.getByLabel('Temperature').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('A number from 0 to 2.').waitFor();
  await page.getByLabel('Temperature').fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The route default is in force').waitFor();

  expect((await api.readGateway()).routes).toEqual([{ name: 'default', targets: ['offline/offline'], temperature: 1 }]);
});

test('what the page says about connecting works as it is: curl, SDKs, OpenCode', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const page = await openConsole(server, { path: '/gateway?tab=connect', size: 'phone' });
  await page.getByRole('button', { name: 'Make a token' }).click();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('Copy it now').waitFor();
  await expectNoSidewaysScroll(page);

  provider.answer(WHOLE);
  await page.getByText('curl', { exact: true }).click();
  const curl = async (place: number) => (await run('bash', ['-c', await snippet(page, place)])).stdout;
  expect(JSON.parse(await curl(0))).toMatchObject({ choices: [{ message: { content: 'ready' } }] });
  expect(JSON.parse(await curl(1))).toMatchObject({ content: [{ type: 'text', text: 'ready' }] });
  expect(JSON.parse(await curl(2))).toMatchObject({
    data: [{ id: 'default' }, { id: 'offline/offline' }, { id: 'scripted/test-model' }],
  });

  await page.getByText('Anthropic SDK, TypeScript').click();
  expect(await runScript(await snippet(page, 1))).toBe('ready\n');
  provider.answer(says('ready'));
  // It does more than call models, so it needs a token of its own.
  await page.getByText('Augment', { exact: true }).click();
  await page.getByRole('button', { name: 'Make a token' }).click();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('Copy it now').waitFor();
  expect(await runScript(await snippet(page, 2))).toBe('ready\n');

  await page.getByText('OpenCode', { exact: true }).click();
  const home = tempFolder();
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  writeFileSync(join(home, 'opencode.json'), await snippet(page, 0));
  const coding = run('opencode', ['run', 'Say it.'], { cwd, env: openCodeEnv(home), timeout: 120_000 });
  coding.child.stdin?.end(); // What is piped into it would be a part of the question.
  const { stdout } = await coding;
  expect(stdout).toContain('ready');
});

test('a viewer sees providers, routes and counters, and can change nothing', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const page = await openConsole(server, { path: '/gateway', user: { name: 'eve', role: 'viewer' } });

  await page.getByRole('heading', { name: 'scripted' }).waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  await page.getByRole('link', { name: 'Routes' }).click();
  await page.getByRole('list', { name: 'Targets of default, in order' }).waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.getByText('Only an admin sees who asked for what').waitFor();
  await page.getByText('Secrets taken out').waitFor();
  await page.getByRole('link', { name: 'Connect' }).click();
  await page.getByText('Calling models needs the role of a member').waitFor();
});

test('what is spent of budgets, what a token may ask for and what nobody knows the price of are seen', async () => {
  const provider = await startFakeProvider();
  provider.answer(WHOLE);
  const server = await serveHub({
    ...scripted(provider.url),
    budgets: [
      { per: 'month', requests: 5 },
      { for: { token: 'desk' }, per: 'day', requests: 4 },
      { per: 'week', each: 'user', dollars: 2, tokens: 1_000_000 },
    ],
  });
  const page = await openConsole(server, { path: '/gateway?tab=connect' });
  await page.getByRole('button', { name: 'Make a token' }).click();
  await page.getByLabel('Name of the token').fill('desk');
  await page.getByLabel('Models').fill('de*fault');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText(/models\.0: expected a route or provider\/model/).waitFor();
  await page.getByLabel('Models').fill('default, offline/*');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('Copy it now').waitFor();
  const token = /DGM_[A-Z2-7]{40}/.exec(await page.content())![0];
  for (let count = 0; count < 4; count++) await ask(server, token);

  await page.getByRole('link', { name: 'Usage' }).click();
  const budgets = page.getByRole('list', { name: 'Budgets' });
  await budgets.getByText('everybody together · a month').waitFor();
  const meters = await budgets.getByRole('meter').all();
  expect(await Promise.all(meters.map((meter) => meter.getAttribute('aria-valuetext')))).toEqual([
    '4 of 5 calls',
    '4 of 4 calls',
    expect.stringMatching(/ of 1,000,000 tokens$/),
    '$0.00 of $2.00',
  ]);
  const rows = budgets.getByRole('listitem');
  await rows.nth(0).getByText('nearly spent').waitFor();
  await rows.nth(1).getByText('spent', { exact: true }).waitFor();
  await rows.nth(2).getByText('4 calls whose tokens or price are not known count by an estimate, if at all').waitFor();
  await page.getByRole('region', { name: 'By model' }).getByRole('cell', { name: 'unknown' }).waitFor();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, 'budgets.png'), fullPage: true });

  await page.goto(`${server.url}/settings?tab=tokens`);
  await page.getByText(/only default, offline\/\*/).waitFor();
});

/** By a button, by the arrow keys, and by dragging; at the end the new provider comes first again. */
async function reorder(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Routes' }).click();
  await page.getByRole('button', { name: 'Edit default' }).click();
  const dialog = page.getByRole('dialog');
  const targets = dialog.getByRole('list', { name: /Targets/ }).getByRole('listitem');
  const order = async () => (await targets.allTextContents()).map((text) => /[a-z]+\/[a-z-]+/.exec(text)?.[0]);
  const [mine, offline] = ['compatible/test-model', 'offline/offline'];
  await dialog.getByLabel('Add a target').fill('nobody/model');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('There is no provider of this name.').waitFor();
  await dialog.getByLabel('Add a target').fill(offline);
  await page.keyboard.press('Enter');
  await expect.poll(order, PATIENCE).toEqual([mine, offline]);

  await dialog.getByRole('button', { name: `Move ${offline} up` }).click();
  expect(await order()).toEqual([offline, mine]);
  const handle = dialog.getByRole('button', { name: `Drag ${mine}` });
  await handle.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(order, PATIENCE).toEqual([mine, offline]);
  await dialog.getByText(`${mine} is now number 1 of 2`).waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowDown');
  await expect.poll(order, PATIENCE).toEqual([offline, mine]);

  const [from, to] = [await handle.boundingBox(), await targets.first().boundingBox()];
  await page.mouse.move(from!.x + from!.width / 2, from!.y + from!.height / 2);
  await page.mouse.down();
  await page.mouse.move(to!.x + 40, to!.y + 5, { steps: 5 });
  await page.mouse.up();
  await expect.poll(order, PATIENCE).toEqual([mine, offline]);
  await dialog.getByLabel('Temperature').fill('0.5');
}

/** The text of the step with that number, as its copy button would copy it. */
async function snippet(page: Page, place: number): Promise<string> {
  return (await page.getByRole('main').getByRole('group', { name: /^Code/ }).nth(place).textContent()) ?? '';
}

/** Runs a script where the SDKs are, as a person would in their own project. */
async function runScript(text: string): Promise<string> {
  return (await run(process.execPath, ['--input-type=module', '--eval', text], { cwd: GATEWAY, timeout: 60_000 }))
    .stdout;
}

/** A small call with a token. */
async function ask({ url }: RunningDragoman, token: string): Promise<void> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'default', messages: [{ role: 'user', content: 'hello' }] }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
}

/** The text of every answer the page gets, but for streams. */
function hearAnswers(page: Page): string[] {
  const heard: string[] = [];
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('event-stream') === true) return;
    response.text().then(
      (text) => heard.push(text),
      () => {}, // The page went on before it was read.
    );
  });
  return heard;
}

function consoleOf({ url, token }: RunningDragoman): ConsoleClient {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  return createConsoleClient({ url, token, signal: ending.signal });
}
