import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runDragoman, serveDragoman } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser } from './browser.ts';

test('the login link opens the page once, the browser stays logged in, and logging out ends it', async () => {
  const server = await serveDragoman();
  const link = (await runDragoman(['token', 'link'], { home: server.home })).stdout.trim();
  const browser = await openBrowser();
  const mine = await browser.newContext();
  const page = await mine.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));

  await page.goto(link);
  await page.getByText('You are logged in.').waitFor();
  expect(page.url()).toBe(`${server.url}/`);
  expect(await page.locator('#user').textContent()).toBe('owner');
  expect(await page.locator('#role').textContent()).toBe('admin');
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(complaints).toEqual([]);

  await page.reload();
  await page.getByText('You are logged in.').waitFor();

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await stranger.getByText('This login link was used already, or is too old.').waitFor();

  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('You are logged out.').waitFor();
  await page.reload();
  await page.getByText('You are not logged in.').waitFor();
});

test('a page of another origin cannot use the login of this browser', async () => {
  const server = await serveDragoman();
  const link = (await runDragoman(['token', 'link'], { home: server.home })).stdout.trim();
  // Another port of the same host: the same site for cookies, and yet another origin.
  const other = createServer((_request, response) => response.end('<!doctype html><title>other</title>'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const page = await (await openBrowser()).newPage();
  await page.goto(link);
  await page.getByText('You are logged in.').waitFor();

  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  const logout = JSON.stringify(`${server.url}/api/logout`);
  await page.evaluate(`fetch(${logout}, { method: 'POST', credentials: 'include', mode: 'no-cors' }).catch(() => {})`);

  expect(server.output()).toMatch(/"route":"\/api\/logout","status":403/);
  await page.goto(`${server.url}/`);
  await page.getByText('You are logged in.').waitFor();
});
