import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freshLocation, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser } from './browser.ts';

const CONSOLE = join(import.meta.dirname, '../packages/cli/console');

/** The console as the next version would have it: the same, and every file that has a hash in its name has another. */
function buildNext(): string {
  const folder = tempFolder();
  mkdirSync(join(folder, 'assets'));
  const files = ['', 'assets/'].flatMap((inside) =>
    readdirSync(join(CONSOLE, inside), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.br'))
      .map((entry) => `${inside}${entry.name}`),
  );
  const renamed = files
    .filter((name) => name.startsWith('assets/'))
    .map((name) => name.slice('assets/'.length))
    .map((name) => [name, name.replace(/(\.\w+)$/, 'Next$1')] as const);
  const nextNames = new Map(renamed);
  for (const name of files) {
    const bytes = readFileSync(join(CONSOLE, name));
    const target = name.startsWith('assets/') ? `assets/${nextNames.get(name.slice('assets/'.length))!}` : name;
    const isText = /\.(js|css|html)$/.test(name);
    const next = isText
      ? String(bytes).replaceAll(/[\w.-]+-[\w-]{8}\.(?:js|css|woff2)/g, (found) => nextNames.get(found) ?? found)
      : bytes;
    writeFileSync(join(folder, target), next);
  }
  return folder;
}

/** Gives each request to the next server, as a load balancer does. */
async function balance(urls: readonly string[]): Promise<string> {
  let count = 0;
  const missing: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(urls[count++ % urls.length]!);
    const passed = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
      (answer) => {
        if (answer.statusCode === 404) missing.push(incoming.url!);
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
    expect(missing).toEqual([]);
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test('while servers are replaced by the next version, the console of either opens, whichever server each file is asked of', async () => {
  const { databaseUrl } = await freshLocation('postgres');
  const env = { DRAGOMAN_DATABASE_URL: databaseUrl! };
  const old = await serveDragoman([], { env });
  const next = await serveDragoman([], { env: { ...env, DRAGOMAN_CONSOLE: buildNext() } });
  const browser = await openBrowser();

  for (const urls of [
    [old.url, next.url],
    [next.url, old.url],
  ]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${await balance(urls)}/login`);
    await page.getByRole('heading').first().waitFor();
    expect(await page.title()).toContain('Dragoman');
    await context.close();
  }
});

test('a page whose script is gone asks once for the page as it is now', async () => {
  const server = await serveDragoman();
  const browser = await openBrowser();
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  let refused = 0;
  // The first time the script is nowhere, as at a server of another version.
  await page.route(/\/assets\/index-[\w-]+\.js/, (route) =>
    refused++ === 0 ? route.fulfill({ status: 404 }) : route.continue(),
  );

  await page.goto(`${server.url}/login`);
  await page.getByRole('heading').first().waitFor();

  expect(refused).toBe(2);
});
