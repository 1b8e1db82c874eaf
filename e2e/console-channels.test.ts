import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeTelegram, fakeTelegram, serveDragoman, tempFolder } from '@dragoman/testkit';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, openConsole } from './console.fixture.ts';

/** A server whose Telegram is on this machine. */
async function serveWithTelegram({ isTokenKnown }: { isTokenKnown: boolean }) {
  const telegram = await fakeTelegram();
  onTestFinished(() => telegram.close());
  const home = tempFolder();
  const file = join(home, 'dragoman.json');
  const token = isTokenKnown ? telegram.token : '1:wrong';
  writeFileSync(file, JSON.stringify({ channels: { telegram: { token, apiUrl: telegram.url } } }));
  return { telegram, server: await serveDragoman([], { home }), file };
}

const platform = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Chat platforms' }).getByRole('listitem').filter({ hasText: title }).first();
const step = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Telegram checklist' }).getByRole('listitem').filter({ hasText: title });

/** Has an account bound by the code that the page shows; the page sees by itself that it was. */
async function connectChat(page: Page, telegram: FakeTelegram, name: string) {
  await page.getByRole('button', { name: 'Connect a chat account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a chat account' });
  const said = await dialog.getByRole('listitem').filter({ hasText: 'Telegram' }).getByRole('code').innerText();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const person = telegram.addUser({ name });
  telegram.say(person, person, said);
  await dialog.waitFor({ state: 'detached' });
  const mine = page.getByRole('list', { name: 'Your accounts' });
  await mine.getByText(name, { exact: true }).waitFor();
  return { person, mine };
}

/** Changes the settings of Telegram; what it needs is looked at as soon as it runs with them. */
async function setTelegram(page: Page, fill: (dialog: ReturnType<Page['getByRole']>) => Promise<unknown>) {
  await page.getByRole('button', { name: 'Telegram settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Telegram settings' });
  await fill(dialog);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a bot is set up with the page telling what is wrong and missing, an account is bound by its code, a group is allowed', async () => {
  const { telegram, server, file } = await serveWithTelegram({ isTokenKnown: false });
  const page = await openConsole(server, { path: '/settings?tab=channels' });

  await platform(page, 'Telegram').getByText('Failed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Check Telegram' }).click();
  await step(page, 'Telegram rejected this token.').getByText('Wrong').waitFor();
  await page.getByText('1 step left.').waitFor();

  await setTelegram(page, async (dialog) => {
    await dialog.getByLabel('Token', { exact: true }).fill(telegram.token);
    await dialog.getByLabel('Receive').selectOption('webhook');
  });
  await step(page, 'Public address').getByText('Missing').waitFor();
  expect(readFileSync(file, 'utf8')).toContain('{secret:channels.telegram.token}');
  expect(readFileSync(file, 'utf8')).not.toContain(telegram.token);

  await setTelegram(page, (dialog) => dialog.getByLabel('Receive').selectOption('polling'));
  await page.getByText('All checks passed.').waitFor();
  await platform(page, 'Telegram').getByText('On', { exact: true }).waitFor();
  await platform(page, 'Telegram').getByRole('link', { name: '@dragoman_test_bot' }).waitFor();
  expect(await page.content()).not.toContain(telegram.token);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const { person: ann, mine } = await connectChat(page, telegram, 'Ann');

  const group = telegram.addGroup({ title: 'Team', by: ann });
  telegram.say(group, ann, '@dragoman_test_bot hello');
  const team = page.getByRole('list', { name: 'Groups' }).getByRole('listitem').filter({ hasText: 'Team' });
  await team.getByText('Waiting for approval').waitFor();
  const before = telegram.botMessagesIn(group).length;
  await team.getByRole('button', { name: 'Allow Team' }).click();
  await team.getByText('Active', { exact: true }).waitFor();
  await telegram.until(() => telegram.botMessagesIn(group).length > before);
  await team.getByRole('button', { name: 'Deny Team' }).click();
  await team.getByText('Denied', { exact: true }).waitFor();

  await mine.getByRole('button', { name: 'Disconnect Ann' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No chat accounts connected.').waitFor();

  await page.getByRole('button', { name: 'Remove Telegram' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await platform(page, 'Telegram').getByText('Not set up', { exact: true }).waitFor();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ channels: {} });
});

test('who sets a bot up is shown what is left to do once it runs', async () => {
  const telegram = await fakeTelegram();
  onTestFinished(() => telegram.close());
  const server = await serveDragoman([], { home: tempFolder() });
  const page = await openConsole(server, { path: '/settings?tab=channels' });

  await page.getByRole('button', { name: 'Set up Telegram' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up Telegram' });
  await dialog.getByLabel('Token', { exact: true }).fill(telegram.token);
  await dialog.getByLabel('Bot API server').fill(telegram.url);
  await dialog.getByRole('button', { name: 'Save and start' }).click();

  await dialog.getByText('Continue with step 5:').waitFor();
  expect(await dialog.getByRole('listitem').first().innerText()).toContain('Connect a chat account');
  await page.getByText('All checks passed.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Set up Lark' }).click();
  const lark = page.getByRole('dialog', { name: 'Set up Lark' });
  await lark.getByRole('button', { name: 'Copy code' }).waitFor();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('a viewer connects an account of their own, sees how the bot is, and nothing of its settings', async () => {
  const { telegram, server } = await serveWithTelegram({ isTokenKnown: true });
  const user = { name: 'vera', role: 'viewer' } as const;
  const page = await openConsole(server, { user, size: 'phone', path: '/settings?tab=channels' });

  await platform(page, 'Telegram').getByText('On', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: / settings|Check|Remove|Set up/ }).count()).toBe(0);
  expect(await page.getByText('Groups', { exact: true }).count()).toBe(0);
  await connectChat(page, telegram, 'Vera');
});
