import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, openConsole } from './console.fixture.ts';
import { type HubServer, projectWith, serveHub } from './hub.fixture.ts';

/** The line that answers is far down, so that a preview has to go there. */
const FILLER = Array.from({ length: 150 }, (_, index) => `export const colour${index} = ${index};`).join('\n');
const SHOP = {
  'src/mail/send-mail.ts': `${FILLER}\n\n/** How often a mail that could not be sent is tried again. */\nexport const MAX_RETRIES = 3;\n\nexport async function sendMailWithRetries(to: string): Promise<void> {\n  for (let attempt = 0; attempt <= MAX_RETRIES; attempt++) if (await post(to)) return;\n}\n`,
  'src/prices/price-of.ts': 'export function priceOf(line: Line): number {\n  return line.count * line.price;\n}\n',
  'src/orders/place-order.ts': 'export async function placeOrder(order: Order) {\n  return sum(order.lines);\n}\n',
  'README.md': '# Shop\n\nOrders and prices.\n',
  '.gitignore': '*.log\n',
  'debug.log': 'noise\n',
  '.env': 'TOKEN=secret\n',
  'node_modules/left-pad/index.js': 'module.exports = 1;\n',
};
/** How long anything may take on a busy machine. */
const PATIENCE = { timeout: 60_000 };
const QUESTION = 'how are retries of a mail limited';

test('a folder is added and indexed, a question finds the right file and says why, the file opens at the lines, and what is left out is explained', async () => {
  const folder = projectWith(SHOP);
  const server = await serveHub({});
  const page = await openConsole(server, { path: '/context' });

  await page.getByText('No indexed folders yet').waitFor();
  await page.getByText(/dragoman (-- )?index ~\/src\/project/).waitFor();
  await page.getByRole('button', { name: 'Add folder' }).click();
  await page.getByLabel('Folder', { exact: true }).fill(folder);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('main').getByText('Ready').first().waitFor();
  await page.getByRole('main').getByText('5 files').first().waitFor();
  await expectAccessible(page);

  await page.getByRole('searchbox').fill(QUESTION);
  await page.keyboard.press('Enter');
  const places = page.getByRole('list', { name: 'Results, best first' });
  const best = places.getByRole('listitem').first();
  await best.getByText('src/mail/send-mail.ts').waitFor();
  await best.getByRole('button', { name: 'Why this result: src/mail/send-mail.ts' }).click();
  await best.getByText('Words in the path').waitFor();
  await best.getByText('mail', { exact: true }).waitFor();
  await expectAccessible(page);

  await best.getByRole('button', { name: /^src\/mail\/send-mail\.ts lines/ }).click();
  const preview = page.getByRole('dialog', { name: 'src/mail/send-mail.ts' });
  const line = preview.getByText('export const MAX_RETRIES');
  await line.waitFor();
  await expect.poll(async () => isInSight(page, (await line.boundingBox())!.y), PATIENCE).toBe(true);
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'detached' });

  await page.getByText('Excluded files', { exact: true }).click();
  const reason = page.getByRole('main').getByText('Dependencies, build output and lock files', { exact: true });
  await reason.click();
  await page.getByText('node_modules', { exact: true }).waitFor();
  await page.getByLabel('Path').fill('node_modules/left-pad/index.js');
  await page.keyboard.press('Enter');
  await page.getByText('node_modules/left-pad/index.js is not indexed').waitFor();
  const decides = page
    .getByRole('list', { name: /Rules checked/ })
    .getByRole('listitem')
    .filter({ hasText: 'decides' });
  expect(await decides.textContent()).toContain('left out: node_modules/');
  await page.getByLabel('Path').fill('README.md');
  await page.keyboard.press('Enter');
  await page.getByText('README.md is indexed').waitFor();
  await page.getByLabel('Path').fill('../elsewhere');
  await page.keyboard.press('Enter');
  await page.getByText('Invalid request').waitFor();
  await expectAccessible(page);

  await remembers(page);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove workspace' }).click();
  await page.getByText('No indexed folders yet').waitFor();
});

/** Questions stand in the address, and those that were asked are remembered in this browser. */
async function remembers(page: Page): Promise<void> {
  await page.reload();
  const found = page.getByRole('list', { name: 'Results, best first' }).getByRole('listitem');
  await found.first().getByText('src/mail/send-mail.ts').waitFor();
  await page.getByRole('searchbox').fill('priceOf');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await found.first().getByText('src/prices/price-of.ts').waitFor();
  await page.getByRole('list', { name: 'Recent questions' }).getByRole('button', { name: QUESTION }).click();
  await found.first().getByText('src/mail/send-mail.ts').waitFor();
}

test('on a phone one chooses a workspace from the list and comes back; a viewer asks, and changes nothing', async () => {
  const server = await serveHub({});
  const page = await openConsole(server, { path: '/context', size: 'phone', language: 'zh' });
  await add(server, page, projectWith(SHOP), projectWith({ 'a.ts': 'export const answer = 42;\n' }));
  await page.goto(`${server.url}/context`);
  const list = page.getByRole('navigation', { name: '工作区' });
  await expect.poll(() => list.getByRole('listitem').filter({ hasText: '就绪' }).count(), PATIENCE).toBe(2);
  await list.getByText('1 个文件').click();
  await page.getByRole('searchbox').fill('answer');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^a\.ts/ }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: '所有工作区' }).click();
  await list.waitFor();

  const eve = await openConsole(server, { path: '/context', user: { name: 'eve', role: 'viewer' } });
  await eve.getByText('Admins can add folders here.').waitFor();
  expect(await eve.getByRole('button', { name: 'Add folder' }).count()).toBe(0);
});

test('a path that is being typed when the machines come is not cut', async () => {
  const server = await serveHub({});
  const page = await openConsole(server);
  const held = Promise.withResolvers<void>();
  await page.route('**/api/runners', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${server.url}/context`);
  await page.getByRole('button', { name: 'Add folder' }).click();
  await page.getByLabel('Folder', { exact: true }).pressSequentially('/no-such');
  held.resolve();
  await page.getByRole('button', { name: 'Browse' }).waitFor();
  await page.keyboard.type('-folder');
  expect(await page.getByLabel('Folder', { exact: true }).inputValue()).toBe('/no-such-folder');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
});

test('a folder that cannot be indexed is refused in place', async () => {
  const server = await serveHub({});
  const page = await openConsole(server, { path: '/context' });
  await page.getByRole('button', { name: 'Add folder' }).click();
  await page.getByLabel('Folder', { exact: true }).fill('/');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const refusal = page.getByRole('dialog').getByRole('alert');
  await refusal.waitFor();
  expect(await refusal.textContent()).toContain('Invalid request');
  expect(await page.getByLabel('Folder', { exact: true }).inputValue()).toBe('/');
});

/** Indexes folders for whoever is logged in, by what the page itself would call. */
async function add({ url }: HubServer, page: Page, ...roots: string[]): Promise<void> {
  const pageSecret = await page.evaluate<string>("localStorage.getItem('dragoman.page-secret')");
  const headers = { origin: url, 'x-dragoman-page': pageSecret };
  for (const root of roots) {
    const answer = await page.request.post(`${url}/api/workspaces`, { data: { root }, headers });
    expect(answer.status()).toBe(200);
  }
}

function isInSight(page: Page, y: number): boolean {
  return y > 0 && y < page.viewportSize()!.height;
}
