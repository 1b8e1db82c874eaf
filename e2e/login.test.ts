import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runDragoman, serveDragoman } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser } from './browser.ts';

test('the login link opens the console once, the browser stays logged in, and logging out ends it', async () => {
  const server = await serveDragoman();
  const link = (await runDragoman(['token', 'link'], { home: server.home })).stdout.trim();
  const browser = await openBrowser();
  const mine = await browser.newContext();
  const page = await mine.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));

  await page.goto(link);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(page.url()).toBe(`${server.url}/`);
  const account = page.getByRole('button', { name: 'owner admin' });
  await account.waitFor();
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(complaints).toEqual([]);

  await page.reload();
  await account.waitFor();

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await stranger.getByText('This login link has already been used or has expired.').waitFor();
  expect(new URL(stranger.url()).hash).toBe('');
  await stranger.goto(server.url);
  await stranger.getByText('You’re not logged in.').waitFor();
  expect(new URL(stranger.url()).pathname).toBe('/login');

  // A link that was used before still opens the console for whoever is logged in.
  await page.goto(link);
  await account.waitFor();

  await account.click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByText('You’re not logged in.').waitFor();
  await page.goto(server.url);
  await page.getByText('You’re not logged in.').waitFor();
});

test('a link of somebody else takes the place of a login only when that is wanted, and ends it then', async () => {
  const server = await serveDragoman();
  const run = async (...args: string[]) => (await runDragoman(args, { home: server.home })).stdout.trim();
  const page = await (await openBrowser()).newPage();
  await page.goto(await run('token', 'link'));
  const owner = page.getByRole('button', { name: 'owner admin' });
  await owner.waitFor();
  const link = await page.evaluate<string>(`(async () => {
    const headers = { 'content-type': 'application/json', 'x-dragoman-page': localStorage.getItem('dragoman.page-secret') };
    const post = async (path, body) => (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    const { id } = await post('/api/users', { name: 'ann', role: 'member' });
    return (await post('/api/users/' + id + '/login-link', {})).url;
  })()`);

  await page.goto(link);
  await page.getByText('You’re logged in as owner. This link is for another account.').waitFor();
  await page.getByRole('button', { name: 'Stay logged in' }).click();
  await owner.waitFor();

  // A program on another port of the host can write over the cookie; that is no reason to change who is logged in.
  const [cookie] = await page.context().cookies();
  await page.context().addCookies([{ ...cookie!, value: 'x' }]);
  await page.goto(link);
  await page.getByRole('button', { name: 'Switch account' }).click();
  await page.getByRole('button', { name: 'ann member' }).waitFor();
  expect(page.url()).toBe(`${server.url}/`);
});

test('a login link opened in the tab that asks for one logs in there, and the code leaves the address', async () => {
  const server = await serveDragoman();
  const link = (await runDragoman(['token', 'link'], { home: server.home })).stdout.trim();
  const page = await (await openBrowser()).newPage();
  await page.goto(server.url);
  await page.getByText('You’re not logged in.').waitFor();

  await page.goto(link);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(page.url()).toBe(`${server.url}/`);
});

test('an address that leads nowhere is told in a page to people, and in JSON to programs', async () => {
  const server = await serveDragoman();
  const page = await (await openBrowser()).newPage();
  const answer = await page.goto(`${server.url}/nonsense/page`);
  await page.getByText('Page not found').waitFor();
  expect(answer!.status()).toBe(404);

  const asks = async (path: string, accept: string) => {
    const { status, headers } = await fetch(server.url + path, { headers: { accept } });
    return [status, headers.get('content-type')];
  };
  expect(await asks('/nonsense', 'text/html,*/*')).toEqual([404, 'text/html; charset=utf-8']);
  expect(await asks('/nonsense', '*/*')).toEqual([401, 'application/json; charset=utf-8']);
  expect(await asks('/api/nonsense', 'text/html')).toEqual([401, 'application/json; charset=utf-8']);
});

test('the pages need no token, run no inline script and load nothing from elsewhere', async () => {
  const { url } = await serveDragoman();

  for (const path of ['/', '/login', '/new', '/sessions/ses_any']) {
    const answer = await fetch(url + path);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(text).toMatch(/<script type="module" crossorigin src="\/assets\/[\w.-]+\.js">/);
    expect(text).not.toMatch(/<script>|<style|https?:\/\//);
  }
});

test('a page of another origin cannot use the login of this browser, and its server cannot use what it is sent', async () => {
  const server = await serveDragoman();
  const link = (await runDragoman(['token', 'link'], { home: server.home })).stdout.trim();
  // Another port of the same host: the same site for cookies, and yet another origin.
  const cookies: string[] = [];
  const other = createServer(({ headers }, response) => {
    cookies.push(headers.cookie ?? '');
    response.end('<!doctype html><title>other</title>');
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const page = await (await openBrowser()).newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Home' }).waitFor();

  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
  const sent = /^dragoman_login_\d+=(DGM_\w+)$/.exec(cookies[0]!)![1]!; // Browsers send cookies to every port.
  for (const headers of [{ cookie: cookies[0]! }, { authorization: `Bearer ${sent}` }, { 'x-api-key': sent }])
    expect((await fetch(`${server.url}/api/me`, { headers: headers as Record<string, string> })).status).toBe(401);
  const logout = JSON.stringify(`${server.url}/api/logout`);
  await page.evaluate(`fetch(${logout}, { method: 'POST', credentials: 'include', mode: 'no-cors' }).catch(() => {})`);

  await expect.poll(server.output).toMatch(/"route":"\/api\/logout","status":403/);
  await page.goto(`${server.url}/`);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});
