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
  await page.getByText('Only the offline model is available').waitFor();
  await page.getByRole('button', { name: 'Add provider' }).click();
  await page.getByRole('button', { name: 'OpenAI-compatible' }).click();
  await page.getByLabel('Base URL').fill(`${provider.url}/v1`);
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
  await page.getByText('Route default saved').waitFor();
  expect((await consoleOf(server).readGateway()).routes).toEqual([
    { name: 'default', targets: ['compatible/test-model', 'offline/offline'], temperature: 0.5 },
  ]);

  // A client is connected with what the page says, word for word.
  await page.getByRole('link', { name: 'Connect' }).click();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByLabel('Token name').fill('desk');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
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
  await page.getByRole('img', { name: /Requests by hour/ }).waitFor();
  await expectAccessible(page);

  // The log goes on by itself.
  await page.getByRole('link', { name: 'Requests' }).click();
  const rows = page.getByRole('group', { name: 'Requests, newest first' }).getByRole('listitem');
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
  await page.getByRole('button', { name: 'Resume (1 new)' }).click();
  await expect.poll(() => rows.filter({ hasText: 'owner / later' }).count(), PATIENCE).toBe(2);
  await rows.first().getByRole('button').click();
  await page.getByRole('dialog').getByText('compatible/test-model').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('nobody asked this');
  await page.getByText('No matching requests').waitFor();

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

  await page.getByRole('button', { name: 'More actions for scripted' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const question = page.getByRole('dialog');
  await question.getByText('default: 1 target left').waitFor();
  await question.getByText('only: no targets left, so the route is removed too').waitFor();
  await question.getByRole('button', { name: 'Remove provider' }).click();
  await page.getByText('scripted removed').waitFor();

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
  await page.getByLabel('Max output tokens').fill('900');
  await page.getByRole('button', { name: 'Save' }).isEnabled();
  await api.changeSettings({ changes: [{ path: ['routes', 'default'], value: ['offline/offline'] }] });
  await page.getByRole('button', { name: 'Save' }).click();

  await page.getByText('The settings have changed since you opened them').waitFor();
  await page.getByText('The route is now: offline/offline.').waitFor();
  expect(await page.getByLabel('Max output tokens').inputValue()).toBe('900');
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  expect(await page.getByLabel('Max output tokens').inputValue()).toBe('');
  await page.getByLabel('Temperature').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a number from 0 to 2.').waitFor();
  await page.getByLabel('Temperature').fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Route default saved').waitFor();

  expect((await api.readGateway()).routes).toEqual([{ name: 'default', targets: ['offline/offline'], temperature: 1 }]);
});

test('what the page says about connecting works as it is: curl, SDKs, OpenCode', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const page = await openConsole(server, { path: '/gateway?tab=connect', size: 'phone' });
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
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
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
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
  await page.getByText('Only admins can see individual requests').waitFor();
  await page.getByText('Secrets redacted').waitFor();
  await page.getByRole('link', { name: 'Connect' }).click();
  await page.getByText('Calling models requires the member role').waitFor();
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
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByLabel('Token name').fill('desk');
  await page.getByLabel('Models').fill('de*fault');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText(/models\.0: expected a route or provider\/model/).waitFor();
  await page.getByLabel('Models').fill('default, offline/*');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Copy it now').waitFor();
  const token = /DGM_[A-Z2-7]{40}/.exec(await page.content())![0];
  for (let count = 0; count < 4; count++) await ask(server, token);

  await page.getByRole('link', { name: 'Usage' }).click();
  const budgets = page.getByRole('list', { name: 'Budgets' });
  await budgets.getByText('everyone combined · per month').waitFor();
  const meters = await budgets.getByRole('meter').all();
  expect(await Promise.all(meters.map((meter) => meter.getAttribute('aria-valuetext')))).toEqual([
    '4 of 5 requests',
    '4 of 4 requests',
    expect.stringMatching(/ of 1,000,000 tokens$/),
    '$0.00 of $2.00',
  ]);
  const rows = budgets.getByRole('listitem');
  await rows.nth(0).getByText('almost used up').waitFor();
  await rows.nth(1).getByText('used up', { exact: true }).waitFor();
  await rows.nth(2).getByText('4 requests with unknown tokens or price are estimated or not counted').waitFor();
  await page.getByRole('region', { name: 'By model' }).getByRole('cell', { name: 'unknown' }).waitFor();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, 'budgets.png'), fullPage: true });

  await page.goto(`${server.url}/settings?tab=tokens`);
  await page.getByText(/only default, offline\/\*/).waitFor();
});

test('a first hour of use is shown by hours of the viewer, and a price that is missing is set where it is missed', async () => {
  const provider = await startFakeProvider();
  provider.answer(WHOLE);
  const server = await serveHub(scripted(provider.url));
  const token = (await consoleOf(server).createToken({ name: 'desk', role: 'member' })).text;
  await ask(server, token);
  const page = await openConsole(server, { path: '/gateway?tab=usage', timeZone: 'Asia/Kolkata' });

  await page.getByRole('heading', { name: 'By hour' }).waitFor();
  await page.getByText('Times are in Asia/Calcutta.').or(page.getByText('Times are in Asia/Kolkata.')).waitFor();
  expect(await page.getByRole('radio', { name: '24 hours' }).isChecked()).toBe(true);
  await page.getByText('Table', { exact: true }).click();
  const hours = page.getByRole('region', { name: 'By hour' }).getByRole('rowheader');
  expect(await hours.count()).toBe(24);
  const shown = new Date().toLocaleTimeString('en-GB', { timeZone: 'Asia/Kolkata', hour: '2-digit' });
  expect(await hours.first().textContent()).toBe(`${shown}:00`);
  await page.getByText('7 days', { exact: true }).click();
  await page.getByRole('region', { name: 'By day' }).waitFor();
  await expect
    .poll(() => page.getByRole('region', { name: 'By day' }).getByRole('rowheader').count(), PATIENCE)
    .toBe(7);

  await page.getByText('1 model has no price').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set price for scripted/test-model' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('New requests use this price; earlier ones stay unpriced.').waitFor();
  await dialog.getByLabel('Input', { exact: true }).fill('free');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a number from 0 to 10,000').waitFor();
  await dialog.getByLabel('Input', { exact: true }).fill('1000');
  await dialog.getByLabel('Output', { exact: true }).fill('1000');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It applies to new requests to scripted/test-model.').waitFor();
  await page.getByText('1 model has no price').waitFor({ state: 'detached' });

  await ask(server, token);
  const rows = async () => (await consoleOf(server).readUsage({ by: 'model' })).rows;
  expect(await rows()).toMatchObject([
    { key: 'scripted/test-model', calls: 2, unpricedCalls: 1, costDollars: expect.any(Number) },
  ]);
  await page.reload();
  await page
    .getByText(/at least \$/)
    .first()
    .waitFor();
});

test('a misspelled model of a provider that was saved here is refused with the one that was meant', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub({});
  const page = await openConsole(server, { path: '/gateway' });
  await page.getByRole('button', { name: 'Add provider' }).click();
  await page.getByRole('button', { name: 'OpenAI-compatible' }).click();
  await page.getByLabel('Base URL').fill(`${provider.url}/v1`);
  provider.answer(MODELS, says('ready'));
  await page.getByRole('dialog').getByRole('button', { name: 'Test' }).click();
  await page.getByText('All 2 it lists').waitFor();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'compatible' }).waitFor();

  const api = consoleOf(server);
  expect((await api.readGateway()).providers[0]).toMatchObject({ models: ['test-model', 'other-model'] });
  const token = (await api.createToken({ name: 'desk', role: 'member' })).text;
  const asked = provider.requests.length;
  const refused = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'compatible/tset-model', messages: [{ role: 'user', content: 'hello' }] }),
  });
  expect([refused.status, await refused.text()]).toEqual([
    404,
    expect.stringContaining('Did you mean compatible/test-model'),
  ]);
  expect(provider.requests).toHaveLength(asked);
  await page.getByRole('link', { name: 'Requests' }).click();
  const row = page.getByRole('group', { name: 'Requests, newest first' }).getByRole('listitem').first();
  await row.getByText('Unknown model').waitFor();
  await row.getByRole('button').click();
  await page
    .getByRole('dialog')
    .getByText(/Did you mean compatible\/test-model/)
    .waitFor();
  await expectAccessible(page);
});

/** By a button, by the arrow keys, and by dragging; at the end the new provider comes first again. */
async function reorder(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Routes' }).click();
  await page.getByRole('button', { name: 'Edit default' }).click();
  const dialog = page.getByRole('dialog');
  const targets = dialog.getByRole('list', { name: /Targets/ }).getByRole('listitem');
  const order = async () => (await targets.allTextContents()).map((text) => /[a-z]+\/[a-z-]+/.exec(text)?.[0]);
  const [mine, offline] = ['compatible/test-model', 'offline/offline'];
  await dialog.getByLabel('Add target').fill('nobody/model');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('No provider with this name.').waitFor();
  await dialog.getByLabel('Add target').fill(offline);
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
