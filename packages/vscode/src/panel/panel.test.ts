import { readFileSync } from 'node:fs';
import { type FakeProvider, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as vscode from 'vscode';
import { registerConnections } from '../connections.ts';
import type { RunningServer } from '../server/server-link.ts';
import { openSettingsStore } from '../settings/settings-store.ts';
import { serverAt, standInLink } from '../stand-in-link.fixture.ts';
import { freshEditor, standInContext, type StandInEditor, type StandInPanel } from '../vscode.fixture.ts';
import type { PanelNews } from './panel-message.ts';
import { registerPanel } from './panel.ts';

let editor: StandInEditor;
beforeEach(() => void (editor = freshEditor()));
afterEach(() => void freshEditor()); // Nobody after this should be spoken to in Chinese.

/** The panel of a window, opened by its command. */
async function openPanel(server?: RunningServer) {
  const context = standInContext(tempFolder());
  const log = vscode.window.createOutputChannel('Dragoman', { log: true });
  const settings = openSettingsStore(context);
  const link = standInLink(server);
  const parts = { context, log, settings, link };
  const connections = registerConnections(parts);
  const registered = registerPanel({ ...parts, connections });
  onTestFinished(() => (registered.dispose(), connections.dispose()));
  await vscode.commands.executeCommand('dragoman.settings');
  const panel = editor.panels[0]!;
  return { context, settings, link, panel, run: (name: string) => vscode.commands.executeCommand(name) };
}

/** Waits for the page to be told something. */
async function told<Kind extends PanelNews['type']>(
  { posted }: StandInPanel,
  type: Kind,
  fits: (news: Extract<PanelNews, { type: Kind }>) => boolean = () => true,
): Promise<Extract<PanelNews, { type: Kind }>> {
  const isIt = (news: unknown): news is Extract<PanelNews, { type: Kind }> =>
    (news as PanelNews).type === type && fits(news as Extract<PanelNews, { type: Kind }>);
  // A loop that went on after its test would hold up the files behind it.
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  let found = posted.findLast(isIt);
  while (found === undefined && !isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    found = posted.findLast(isIt);
  }
  return found!;
}
const isDone = ({ kind }: { kind: string }) => kind !== 'busy';

const TYPED = {
  baseUrl: ' https://models.example/v1 ',
  model: 'large-1',
  temperature: '0.2',
  maxTokens: '4096',
  systemPromptBase: 'Be brief.',
  augmentBaseUrl: 'https://augment.example',
  apiKey: 'sk-very-secret',
  augmentToken: 'AUGMENT-SECRET',
};

test('EDITOR-07 the palette has the command under its name, in the language of the editor', () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as Record<string, unknown>;
  const { commands } = read('package.json')['contributes'] as { commands: { command: string; title: string }[] };
  const { title = '' } = commands.find(({ command }) => command === 'dragoman.settings') ?? {};
  const key = title.replaceAll('%', '');
  expect([read('package.nls.zh-cn.json')[key], read('package.nls.json')[key]]).toEqual([
    'Augment: BYOK 设置...',
    'Augment: BYOK Settings...',
  ]);
});

test('no setting of ours can be set by a repository, and none is one of the eight items', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    contributes: { configuration: { properties: Record<string, { scope?: string }> } };
  };
  const { properties } = manifest.contributes.configuration;
  expect(Object.entries(properties).map(([name, { scope }]) => [name, scope])).toEqual([
    ['dragoman.url', 'machine'],
    ['dragoman.serverCommand', 'machine'],
  ]);
});

describe('the page', () => {
  test('EDITOR-07 EDITOR-08 is opened by the command, once, and has a field for each of the eight items and a switch', async () => {
    const { panel, run } = await openPanel();
    await run('dragoman.settings');
    expect(editor.panels.length).toBe(1);
    const fields = [...panel.html().matchAll(/<(?:input|textarea) id="(\w+)"(?: type="(\w+)")?/g)];
    expect(fields.map(([, id, type = 'area']) => [id, type])).toEqual([
      ['baseUrl', 'url'],
      ['apiKey', 'password'],
      ['model', 'text'],
      ['temperature', 'text'],
      ['maxTokens', 'text'],
      ['systemPromptBase', 'area'],
      ['searchWithRipgrep', 'checkbox'],
      ['augmentBaseUrl', 'url'],
      ['augmentToken', 'password'],
    ]);
  });

  test('runs our script and nothing else: a strict policy with a nonce of its own each time', async () => {
    const { panel, run } = await openPanel();
    const policyOf = (html: string) =>
      /Content-Security-Policy" content="([^"]+)"/.exec(html)![1]!.replaceAll('&#39;', "'");
    const nonceOf = (html: string) => /script-src 'nonce-([\w-]+)'/.exec(policyOf(html))![1]!;
    const nonce = nonceOf(panel.html());

    expect(policyOf(panel.html())).toBe(
      `default-src 'none'; style-src https://editor.invalid; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`,
    );
    expect(panel.html().match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(new RegExp(`^<script nonce="${nonce}" src="[^"]+/media/panel/page\\.js">$`)),
    ]);
    expect(panel.html()).not.toMatch(/ on\w+=|style=/);
    expect(nonce.length).toBeGreaterThanOrEqual(32);

    panel.close();
    await run('dragoman.settings');
    expect(nonceOf(editor.panels[1]!.html())).not.toBe(nonce);
  });

  test('is in the language of the editor, and gives nothing of it a chance to be markup', async () => {
    editor.language = 'zh-cn';
    const chinese = (await openPanel()).panel.html();
    expect([chinese.includes('基础系统提示词'), chinese.includes('Base URL')]).toEqual([true, false]);
    editor = freshEditor();
    editor.language = '"><script>alert(1)</script>';
    const hostile = (await openPanel()).panel.html();
    expect([hostile.includes('alert(1)</script>'), hostile.includes('Base URL')]).toEqual([false, true]);
  });
});

describe('what the page is told', () => {
  test('EDITOR-09 EDITOR-10 is the six items, and of the keys only whether they are set', async () => {
    const { panel, settings } = await openPanel();
    panel.receive({ type: 'ready' });
    expect(await told(panel, 'state')).toMatchObject({
      isSet: { apiKey: false, augmentToken: false },
      serverText: 'The server is not running yet. It starts when needed.',
      augmentText: 'The Augment extension is not installed.',
      canConnect: false,
      canDisconnect: false,
    });

    panel.receive({ type: 'save', values: TYPED });
    await told(panel, 'told', ({ text }) => text === 'Saved. The server is ready.');
    expect(await told(panel, 'state', ({ isSet }) => isSet.apiKey)).toMatchObject({
      values: {
        baseUrl: 'https://models.example/v1',
        model: 'large-1',
        temperature: '0.2',
        maxTokens: '4096',
        systemPromptBase: 'Be brief.',
        augmentBaseUrl: 'https://augment.example',
      },
      isSet: { apiKey: true, augmentToken: true },
    });
    expect(await settings.read()).toMatchObject({ apiKey: 'sk-very-secret', augmentToken: 'AUGMENT-SECRET' });
    const everything = JSON.stringify([panel.posted, panel.html(), editor.logged, editor.said]);
    expect([everything.includes('sk-very-secret'), everything.includes('AUGMENT-SECRET')]).toEqual([false, false]);
  });

  test('is what is wrong, beside the field it is wrong with, and nothing is saved', async () => {
    const { panel, settings } = await openPanel();
    panel.receive({ type: 'save', values: { ...TYPED, baseUrl: 'nowhere', temperature: 'hot', maxTokens: '1.5' } });
    expect((await told(panel, 'problems')).problems).toEqual({
      baseUrl: 'Enter a URL that starts with http:// or https://. For most services it ends in /v1.',
      temperature: 'Enter a number from 0 to 2.',
      maxTokens: 'Enter a whole number of 1 or more.',
    });
    expect(await told(panel, 'told')).toMatchObject({ kind: 'bad', text: 'Check the marked fields.' });
    expect(await settings.read()).toMatchObject({ baseUrl: '', apiKey: undefined });
  });
});

describe('saving', () => {
  test('starts a server of ours anew, and leaves one that the person runs', async () => {
    const { panel, link } = await openPanel();
    await link.ready();
    panel.receive({ type: 'save', values: TYPED });
    await told(panel, 'told', ({ text }) => text === 'Saved. The server is ready.');
    expect(link.restarts).toBe(1);

    const own = await openPanel(serverAt('http://127.0.0.1:4747', { origin: 'setting' }));
    const ownPanel = editor.panels[1]!;
    await own.link.ready();
    ownPanel.receive({ type: 'save', values: TYPED });
    await told(ownPanel, 'told', ({ text }) => text.startsWith('Saved. This window uses your own server'));
    expect(own.link.restarts).toBe(0);
  });

  test('BYOK-27 the switch decides whether ripgrep answers, is shown as it is kept, and takes a server anew', async () => {
    const { panel, link, settings } = await openPanel();
    await link.ready();
    panel.receive({ type: 'ready' });
    expect(await told(panel, 'state')).toMatchObject({ searchWithRipgrep: false });

    panel.receive({ type: 'save', values: { searchWithRipgrep: true } });
    await told(panel, 'told', ({ text }) => text === 'Saved. The server is ready.');
    expect(await told(panel, 'state')).toMatchObject({ searchWithRipgrep: true });
    expect(await settings.serverSettings()).toMatchObject({
      configuration: { retrieval: { engine: 'ripgrep', editorFolders: true } },
    });
    expect(link.restarts).toBe(1);

    panel.posted.length = 0;
    panel.receive({ type: 'save', values: { searchWithRipgrep: false } });
    await told(panel, 'state', ({ searchWithRipgrep }) => !searchWithRipgrep);
    expect((await settings.serverSettings()).configuration).not.toHaveProperty('retrieval');
  });

  test('an empty key field keeps the key; “Remove” takes it away', async () => {
    const { panel, settings } = await openPanel();
    panel.receive({ type: 'save', values: TYPED });
    await told(panel, 'told', ({ text }) => text === 'Saved. The server is ready.');
    panel.receive({ type: 'save', values: { ...TYPED, model: 'small-1', apiKey: '', augmentToken: '  ' } });
    await told(panel, 'state', ({ values }) => values['model'] === 'small-1');
    expect(await settings.read()).toMatchObject({ apiKey: 'sk-very-secret', augmentToken: 'AUGMENT-SECRET' });

    panel.receive({ type: 'remove', item: 'augmentToken' });
    await told(panel, 'state', ({ isSet }) => !isSet.augmentToken);
    expect(await settings.read()).toMatchObject({ apiKey: 'sk-very-secret', augmentToken: undefined });
  });

  test('the kept keys are sent to no other host: neither saved for it nor tried there before they are typed again', async () => {
    const server = await startFakeProvider();
    const { panel, settings } = await openPanel(serverAt(server.url));
    panel.receive({ type: 'save', values: TYPED });
    await told(panel, 'told', ({ text }) => text === 'Saved. The server is ready.');
    const moved = { ...TYPED, baseUrl: 'https://evil.example/v1', apiKey: '', augmentToken: '' };
    for (const type of ['save', 'test']) {
      panel.posted.length = 0;
      panel.receive({ type, values: { ...moved, augmentBaseUrl: 'https://evil.example' } });
      expect((await told(panel, 'problems')).problems).toEqual({
        apiKey: 'The saved one is for another URL. Enter it again for evil.example, or remove it.',
        augmentToken: 'The saved one is for another URL. Enter it again for evil.example, or remove it.',
      });
      await told(panel, 'told', ({ text }) => text === 'Check the marked fields.');
    }
    expect(server.requests).toEqual([]);
    expect(await settings.read()).toMatchObject({ baseUrl: 'https://models.example/v1', apiKey: 'sk-very-secret' });

    panel.receive({ type: 'save', values: { ...moved, apiKey: 'sk-for-it' } });
    await told(panel, 'told', ({ text }) => text === 'Saved. The server is ready.');
    expect(await settings.read()).toMatchObject({ baseUrl: 'https://evil.example/v1', apiKey: 'sk-for-it' });
  });

  test('a server that does not start is told, and what was typed is saved', async () => {
    const { panel, link, settings } = await openPanel();
    link.ready = () => Promise.reject(new Error('Node is too old'));
    panel.receive({ type: 'save', values: TYPED });
    expect(await told(panel, 'told', ({ kind }) => kind === 'bad')).toMatchObject({
      text: 'That didn’t work: Node is too old',
    });
    expect(await settings.read()).toMatchObject({ model: 'large-1' });
  });
});

describe('“Test”', () => {
  const answer = (server: FakeProvider, body: object) => server.answer({ body: JSON.stringify(body) });

  test('makes one real call through the server with what is typed, saved or not, and shows the answer', async () => {
    const server = await startFakeProvider();
    answer(server, { isWell: true, text: 'ready', target: 'draft/large-1', totalMs: 120 });
    const { panel, settings } = await openPanel(serverAt(server.url));
    await settings.save({ baseUrl: 'https://models.example/v0', model: 'm', apiKey: 'sk-saved' });
    panel.receive({ type: 'test', values: { ...TYPED, apiKey: '' } });

    expect(await told(panel, 'told', isDone)).toEqual({
      type: 'told',
      kind: 'well',
      text: 'draft/large-1 answered in 120 ms: ready',
    });
    expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
      [
        '/api/gateway/test',
        {
          model: 'large-1',
          provider: { type: 'openai-chat', baseUrl: 'https://models.example/v1', apiKey: 'sk-saved' },
        },
      ],
    ]);
    expect((await settings.read()).model).toBe('m');
  });

  test('shows what went wrong and what to do, in the language of the editor', async () => {
    const problem = { code: 'key-refused', message: 'The provider said: 401 bad key.', fix: 'Paste it again.' };
    const server = await startFakeProvider();
    answer(server, { isWell: false, text: '', target: '', totalMs: 5, problem });
    const { panel } = await openPanel(serverAt(server.url));
    panel.receive({ type: 'test', values: TYPED });
    expect(await told(panel, 'told', isDone)).toMatchObject({
      kind: 'bad',
      text: 'The provider said: 401 bad key. Paste it again.',
    });

    editor.language = 'zh-cn';
    panel.posted.length = 0;
    panel.receive({ type: 'test', values: TYPED });
    expect((await told(panel, 'told', isDone)).text).toBe(
      '密钥没有被接受。请重新完整粘贴，并确认它属于这个服务且可以使用这个模型。（The provider said: 401 bad key.）',
    );
  });

  test('asks the offline model while nothing is set, and the default of a server that the person runs, without the key', async () => {
    const server = await startFakeProvider();
    answer(server, { isWell: true, text: 'ready', target: 'offline/offline', totalMs: 1 });
    const blank = Object.fromEntries(Object.keys(TYPED).map((name) => [name, '']));
    const { panel } = await openPanel(serverAt(server.url));
    panel.receive({ type: 'test', values: blank });
    await told(panel, 'told', isDone);
    await openPanel(serverAt(server.url, { origin: 'found' }));
    editor.panels[1]!.receive({ type: 'test', values: TYPED });
    await told(editor.panels[1]!, 'told', isDone);
    expect(server.requests.map(({ body }) => body)).toEqual([{ model: 'offline/offline' }, { model: 'default' }]);
  });

  test('is not made with what cannot be right', async () => {
    const server = await startFakeProvider();
    const { panel } = await openPanel(serverAt(server.url));
    panel.receive({ type: 'test', values: { ...TYPED, model: '' } });
    expect((await told(panel, 'problems')).problems).toEqual({ model: 'Enter the model name your provider uses.' });
    expect(server.requests).toEqual([]);
  });

  test('of a panel that was closed is called off', async () => {
    const server = await startFakeProvider();
    server.answer({ body: [new Promise(() => {})] });
    const { panel } = await openPanel(serverAt(server.url));
    panel.receive({ type: 'test', values: TYPED });
    const request = await server.request(1);
    panel.close();
    expect(await request.ended).toBe('left');
  });
});

test('a button runs its command, and a message that is none of ours does nothing', async () => {
  const { panel } = await openPanel();
  for (const odd of [
    null,
    7,
    'save',
    {},
    { type: 'save' },
    { type: 'remove', item: 'model' },
    { type: 'run', command: 'workbench.action.quit' },
    { type: 'run' },
  ])
    panel.receive(odd);
  panel.receive({ type: 'run', command: 'dragoman.showLog' });
  await told(panel, 'state');
  expect(editor.executed).toEqual([['dragoman.showLog']]);
});
