import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeProvider } from '@dragoman/testkit';
import { expect, test, vi } from 'vitest';
import { says } from './hub.fixture.ts';
import { fillPanel, openPanel, type PanelItems, pressInPanel, shownInPanel } from './vscode-panel.fixture.ts';
import { filesWith } from './vscode-search.fixture.ts';
import { findCommand, runCommand, webview } from './vscode-window.fixture.ts';
import { openEditor, PATIENCE, picture, projectOf, SHOP } from './vscode.fixture.ts';

const KEY = 'sk-never-shown-0123456789';
const AUGMENT_TOKEN = 'augment-token-never-shown-9876543210';

test('the eight items and the switch are filled in, tested and kept; the two secrets are found nowhere on disk, in no log, no argument and not on the page; a new key restarts the server where it was [EDITOR-07, EDITOR-08, EDITOR-09, EDITOR-10, EDITOR-11]', async () => {
  const provider = await startFakeProvider();
  const editor = await openEditor();
  const page = await editor.openWindow(projectOf(SHOP));
  const items = {
    baseUrl: `${provider.url}/v1`,
    model: 'test-model',
    temperature: '0.25',
    maxTokens: '4096',
    systemPromptBase: 'Answer in verse.',
    augmentBaseUrl: 'https://tenant.augment.test',
  } satisfies PanelItems;
  let panel = await openPanel(page);

  // What is wrong is said beside its field, and nothing is asked.
  await fillPanel(panel, { ...items, temperature: '9' });
  await pressInPanel(panel, 'test', 'Check the marked fields.');
  expect(await panel.locator('#temperature-problem').textContent()).toBe('Enter a number from 0 to 2.');
  expect(provider.requests).toEqual([]);

  // One real call, before anything is saved.
  await fillPanel(panel, { ...items, apiKey: 'sk-wrong' });
  provider.answer({ status: 401, body: JSON.stringify({ error: { message: 'Incorrect API key provided' } }) });
  await pressInPanel(panel, 'test', 'Incorrect API key provided');
  await fillPanel(panel, { apiKey: KEY, augmentToken: AUGMENT_TOKEN });
  provider.answer(says('ready'));
  await pressInPanel(panel, 'test', /test-model answered in \d+ ms: ready/);
  await picture(page, 'panel-tested');
  expect(provider.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  const before = await editor.server();

  await panel.locator('#searchWithRipgrep').check();
  await pressInPanel(panel, 'save', 'Saved. The server is ready.');
  await picture(page, 'panel-saved');

  // The server has the key and is where it was.
  const after = await vi.waitFor(async () => {
    const now = await editor.server();
    expect(now.pid).not.toBe(before.pid);
    return now;
  }, PATIENCE);
  expect(after.url).toBe(before.url);
  await pressInPanel(panel, 'test', /test-model answered in \d+ ms: ready/);
  expect(provider.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);

  // The search is not blind: what is not secret lies in the global state, and not in the settings.
  await vi.waitFor(
    () => expect(filesWith('Answer in verse.', [join(editor.profile, 'Default')]).length).toBeGreaterThan(0),
    PATIENCE,
  );
  expect(readFileSync(join(editor.userData, 'User', 'settings.json'), 'utf8')).not.toContain('Answer in verse.');
  // The page is told that they are set, and nothing more; also after the window was loaded anew.
  expect(await panel.locator('#apiKey-state').textContent()).toBe('set');
  expect(await shownInPanel(panel)).toEqual({ ...items, apiKey: '', augmentToken: '' });
  await page.reload();
  panel = await openPanel(page);
  expect(await shownInPanel(panel)).toEqual({ ...items, apiKey: '', augmentToken: '' });
  expect(await panel.locator('#augmentToken-state').textContent()).toBe('set');
  expect(await panel.locator('#searchWithRipgrep').isChecked()).toBe(true);
  const html = await Promise.all(page.frames().map((frame) => frame.content()));
  expect(html.filter((text) => text.includes(KEY) || text.includes(AUGMENT_TOKEN))).toEqual([]);

  // Nowhere: settings, storage, logs, the profile of the browser (where this editor keeps secrets, encrypted), the command line.
  for (const secret of [KEY, AUGMENT_TOKEN]) {
    expect(filesWith(secret, [editor.folder, editor.profile])).toEqual([]);
    expect(editor.output()).not.toContain(secret);
    expect(JSON.stringify(editor.processes())).not.toContain(secret);
  }
});

test('in a Chinese editor the palette has `Augment: BYOK 设置...`, and the panel is Chinese [EDITOR-07]', async () => {
  const editor = await openEditor({ language: 'zh-cn' });
  const page = await editor.openWindow(projectOf(SHOP));

  await findCommand(page, 'Augment: BYOK 设置...');
  await picture(page, 'palette-chinese');
  await page.keyboard.press('Escape');
  await runCommand(page, 'Augment: BYOK 设置...');

  const panel = await webview(page, '自己的密钥，自己的服务器。');
  expect(await panel.locator('#save').textContent()).toBe('保存');
  await picture(page, 'panel-chinese');
});
