import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PushPayload } from '@dragoman/protocol';
import { createConsoleClient } from '@dragoman/protocol/console';
import { type RunningDragoman, serveDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { expectAccessible, expectNoSidewaysScroll, openConsole } from './console.fixture.ts';
import { approvalOf, calls, projectWith, says, scripted, serveHub, viewUntil } from './hub.fixture.ts';

const MCP_SERVER = fileURLToPath(new URL('../packages/agent/src/mcp/stdio-server.fixture.ts', import.meta.url));
const DRAGOMAN = fileURLToPath(new URL('../packages/cli/bin/dragoman.js', import.meta.url));

/** On a busy machine. */
const SOON = { timeout: 60_000 };
const SELDOM = { timeout: 60_000, interval: 5_000 };

/** What the file says. */
async function settingsOf({ url, token }: RunningDragoman): Promise<Record<string, unknown>> {
  return (await createConsoleClient({ url, token }).readSettings()).settings;
}

/** Whether a token is let in. */
async function statusOf({ url }: RunningDragoman, token: string): Promise<number> {
  const answer = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  return answer.status;
}

/** The text that is shown once, to be copied. */
function shownOnce(page: Page): Promise<string> {
  return page.getByRole('dialog').getByRole('code').innerText();
}

test('a token made in the page works with the API, is shown once, and is refused after it was revoked', async () => {
  const server = await serveDragoman();
  const page = await openConsole(server, { path: '/settings' });

  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name').fill('Editor');
  await page.getByLabel('Role').selectOption('member');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('dialog', { name: 'Your new token' }).waitFor();
  const token = await shownOnce(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog', { name: 'Your new token' }).waitFor({ state: 'detached' });

  expect(await statusOf(server, token)).toBe(200);
  expect(await createConsoleClient({ url: server.url, token }).me()).toMatchObject({ role: 'member' });
  const row = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem').filter({ hasText: 'Editor' });
  await row.getByText('never used').or(row.getByText('last used')).waitFor();
  expect(await page.content()).not.toContain(token);
  await page.getByRole('list', { name: 'Browsers' }).getByText('Current').waitFor();

  await row.getByRole('button', { name: 'Revoke Editor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await statusOf(server, token)).toBe(401);
});

test('a person added with a login link logs in as a viewer, who is told what only admins see', async () => {
  const server = await serveDragoman();
  const browser = await openBrowser();
  const page = await openConsole(server, { path: '/settings?tab=people', browser });

  await page.getByRole('button', { name: 'Add person' }).click();
  await page.getByLabel('Name').fill('Vera');
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await page.getByRole('button', { name: 'Add and create link' }).click();
  await page.getByRole('dialog', { name: 'Login link for Vera' }).waitFor();
  const link = await shownOnce(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('list', { name: 'People' }).getByText('Vera', { exact: true }).waitFor();

  const theirs = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await theirs.goto(link);
  await theirs.waitForURL((url) => url.pathname === '/');
  for (const tab of ['people', 'mcp', 'skills', 'permissions', 'about']) {
    await theirs.goto(`${server.url}/settings?tab=${tab}`);
    await theirs.getByText('Only admins can view and change this').first().waitFor();
  }
  await theirs.goto(`${server.url}/settings?tab=agents`);
  await theirs.getByText('Only admins can change this.').waitFor();
  expect(await theirs.getByRole('button', { name: 'Add agent' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Remove Vera' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('list', { name: 'People' }).getByText('Vera', { exact: true }).waitFor({ state: 'detached' });
  await theirs.goto(server.url);
  await theirs.getByText('You’re not logged in.').waitFor();
});

test('an ACP agent is added by its command and checked rule by rule [UAP-38]', async () => {
  const server = await serveDragoman();
  const page = await openConsole(server, { path: '/settings?tab=agents' });

  await page.getByRole('button', { name: 'Add agent' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add agent' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a command.').waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill('mine');
  await dialog
    .getByRole('textbox', { name: 'Command' })
    .fill(`${process.execPath} --conditions=@dragoman/source ${DRAGOMAN} acp`);
  await dialog.getByRole('button', { name: 'Add row' }).click();
  await dialog.getByLabel('Name 1').fill('DRAGOMAN_HOME');
  await dialog.getByLabel('Value 1').fill(tempFolder());
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run check' }).click();
  await dialog.getByText('Checking the agent').waitFor();
  await dialog.getByText(/^No check failed, \d+ passed/).waitFor({ timeout: 120_000 });
  await dialog.getByText(/\d+ passed or skipped/).click();
  expect(await dialog.getByRole('listitem').filter({ hasText: 'Passed' }).count()).toBeGreaterThan(5);

  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await settingsOf(server)).toMatchObject({
    agents: { mine: { backend: 'acp', env: { DRAGOMAN_HOME: '{secret:agents.mine.env.DRAGOMAN_HOME}' } } },
  });
  const row = page.getByRole('listitem').filter({ hasText: 'Configured' });
  await row.getByText('Ready').waitFor();

  await row.getByRole('button', { name: 'Remove mine' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove mine' }).click();
  await row.waitFor({ state: 'detached' });
  expect((await settingsOf(server))['agents']).toEqual({});
});

test('an MCP server is tried before it is saved, its key is kept as a secret, and its tools are listed', async () => {
  const server = await serveDragoman();
  const page = await openConsole(server, { path: '/settings?tab=mcp', size: 'phone' });

  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add MCP server' });
  await dialog.getByLabel('Name', { exact: true }).fill('demo');
  await dialog.getByRole('textbox', { name: 'Command' }).fill(`${process.execPath} ${MCP_SERVER} crash`);
  await dialog.getByRole('button', { name: 'Add row' }).click();
  await dialog.getByLabel('Name 1').fill('API_KEY');
  await dialog.getByLabel('Value 1').fill('very-secret-key');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('The program exited right away').waitFor();

  await dialog.getByRole('textbox', { name: 'Command' }).fill(`${process.execPath} ${MCP_SERVER}`);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText(/It works: \d+ tools/).waitFor();
  await dialog.getByText('echo', { exact: true }).waitFor();
  await expectNoSidewaysScroll(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });

  const row = page.getByRole('list', { name: 'MCP servers' }).getByRole('listitem').filter({ hasText: 'demo' }).first();
  await row.getByText('Connected').waitFor();
  await row.getByText(/\d+ tools/).click();
  await row.getByText('echo', { exact: true }).waitFor();
  const file = readFileSync(join(server.home, 'dragoman.json'), 'utf8');
  expect(file).toContain('{secret:mcp.demo.env.API_KEY}');
  expect(file + (await page.content())).not.toContain('very-secret-key');
});

test('rules are edited in the page, and the tester says what would happen and why [ACC-21, ACC-22]', async () => {
  const server = await serveDragoman();
  const page = await openConsole(server, { path: '/settings?tab=permissions' });

  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Action for rule 1').selectOption('deny');
  await page.getByLabel('Tool for rule 1').fill('bash');
  await page.getByLabel('Pattern for rule 1').fill('git push *');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByText('Saved').waitFor();

  await page.getByLabel('Input').fill('git push --force');
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('Denied', { exact: true }).waitFor();
  await page.getByText('Matching rules, strongest first').click();
  await page.getByRole('listitem').filter({ hasText: 'Deny bash git push *' }).last().waitFor();
  expect((await settingsOf(server))['permissions']).toEqual({ bash: { 'git push *': 'deny' } });

  await page.getByLabel('Input').fill('git status');
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('Allowed without asking').waitFor();
});

/** The browser's own push service is not to be reached from a test; it hands out an address and keys. */
const FAKE_PUSH = `
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async () => ({
    endpoint: 'https://push.example.com/send/1',
    toJSON: () => ({ keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    } }),
  });
`;

test('a notification asks for an approval, and "allow" in it decides', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const page = await openConsole(server, { browser: await openBrowser() });
  await page.context().grantPermissions(['notifications'], { origin: server.url });
  await page.addInitScript({ content: FAKE_PUSH });
  await page.goto(`${server.url}/settings?tab=notifications`);
  expect(page.context().serviceWorkers()).toEqual([]);

  // What one is told about is chosen where one is told at all.
  expect(await page.getByRole('switch').count()).toBe(0);
  await page.getByRole('button', { name: 'Turn on notifications' }).click();
  await page.getByText('Notifications are on in this browser.').waitFor();
  await page.getByRole('switch', { name: 'Finished turns you haven’t seen' }).click();
  const row = page.getByRole('list', { name: 'Your browsers' }).getByRole('listitem');
  await expect
    .poll(() => row.innerText())
    .toMatch(/Chrome on Linux\s+Current\s+Approvals and questions, Failed turns · /);

  provider.answer(calls('bash', { command: 'npm test' }), says('All tests pass.'));
  const session = await server.owner.createSession({
    agent: 'native',
    folder: projectWith({ 'a.txt': 'a' }),
    title: 'Run the tests',
    prompt: { text: 'Run the tests.' },
  });
  const approval = await approvalOf(server.owner, session.id);
  const note = {
    kind: 'approval',
    title: 'Run the tests',
    body: '请求执行：npm test',
    url: `/sessions/${session.id}`,
    tag: session.id,
    language: 'zh',
    sessionId: session.id,
  } as const;
  const shown = `navigator.serviceWorker.ready.then((one) => one.getNotifications())
    .then((all) => all.map(({ title, body, actions }) => [title, body, ...actions.map((action) => action.title)]))`;
  // A busy browser may drop a message without a word; one that comes twice is shown once, because of its tag.
  const shownAfter = async (payload: PushPayload) => {
    await deliver(page, server.url, payload);
    return page.evaluate(shown);
  };
  // Where the text says less than would be allowed, it can be opened and denied.
  await expect
    .poll(() => shownAfter({ ...note, body: '请求执行：npm test …', approval: { id: approval.id } }), SELDOM)
    .toEqual([['Run the tests', '请求执行：npm test …', '打开', '拒绝']]);
  const allow = approval.options.find(({ kind }) => kind === 'allow_once')!.id;
  await expect
    .poll(() => shownAfter({ ...note, approval: { id: approval.id, allow } }), SELDOM)
    .toEqual([['Run the tests', '请求执行：npm test', '允许', '拒绝']]);

  const [worker] = page.context().serviceWorkers();
  await worker!.evaluate(`registration.getNotifications().then(([notification]) => {
    dispatchEvent(new NotificationEvent('notificationclick', { notification, action: 'allow' }));
  })`);
  const decided = await viewUntil(server.owner, session.id, ({ approvals }) => approvals[0]?.decided !== undefined);
  expect(decided.approvals[0]!.decided).toMatchObject({ by: { type: 'user', name: 'owner', channel: 'web' } });
  await expect.poll(() => page.evaluate(shown), SOON).toEqual([]);

  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('No browsers yet.').waitFor();
});

/** Hands a message to the service worker, as a browser does when its push service has one. */
async function deliver(page: Page, origin: string, payload: PushPayload): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registrationId = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) resolve(registration.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: await registrationId,
    data: JSON.stringify(payload),
  });
}
