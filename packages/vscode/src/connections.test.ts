import { tempFolder } from '@dragoman/testkit';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as vscode from 'vscode';
import { augmentWords } from './augment/augment-words.ts';
import { type StandInDoor, standInDoor } from './augment/stand-in-door.fixture.ts';
import { chatWords } from './chat/chat-words.ts';
import { registerConnections } from './connections.ts';
import { openSettingsStore } from './settings/settings-store.ts';
import { settingsWords } from './settings/settings-words.ts';
import { serverAt, standInLink, TOKEN } from './stand-in-link.fixture.ts';
import { changeSetting, changeWorkspace, freshEditor, standInContext, type StandInEditor } from './vscode.fixture.ts';

let editor: StandInEditor;
let door: StandInDoor;
beforeEach(async () => {
  editor = freshEditor();
  door = await standInDoor();
  editor.extensions.push({ id: 'Augment.vscode-augment', isActive: false, extensionPath: '/ext/augment' });
  for (const name of [
    'augment.advanced',
    'chat.allowAnonymousAccess',
    'chat.utilityModel',
    'settingsSync.ignoredSettings',
  ])
    editor.declared.add(name);
});
afterEach(() => {
  door.close();
  freshEditor();
});

const words = augmentWords.en;

/** A window with the extension in it. */
function openWindow(context = standInContext(tempFolder()), link = standInLink(serverAt(door.url))) {
  const log = vscode.window.createOutputChannel('Dragoman', { log: true });
  const settings = openSettingsStore(context);
  const connections = registerConnections({ context, log, link, settings });
  onTestFinished(async () => {
    connections.dispose();
    await connections.resumed; // Else it would go on in the next test's editor.
  });
  const run = (command: string) => vscode.commands.executeCommand(command);
  return { context, link, settings, connections, run };
}

/** Lets what was begun without being waited for come to its end. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The link of a window whose server does not start. */
function unreachable() {
  const link = standInLink();
  link.ready = () => Promise.reject(new Error('Node is too old'));
  return link;
}

/** Everything that is in globalState, written out. */
const stateOf = ({ globalState }: vscode.ExtensionContext) =>
  JSON.stringify(globalState.keys().map((key) => [key, globalState.get(key)]));

const FIRST = `DGM_${'A'.repeat(40)}`;
const SECOND = `DGM_${'B'.repeat(40)}`;
/** What the setting says with the first token that the server made. */
const ours = (apiToken = FIRST, url = door.url) => ({ apiToken, completionURL: `${url}/` });
const SYNC = { 'settingsSync.ignoredSettings': ['augment.advanced'] };
const EVIL = { completionURL: 'https://evil.example/' };
/** Each text that was said, with its kind. */
const said = () => editor.said.map(([kind, text]) => [kind, text]);

describe('connecting Augment by its settings', () => {
  test('EDITOR-06 shows what will be written, merges it into what is there, keeps it out of Settings Sync, and says so', async () => {
    editor.settings['augment.advanced'] = { apiToken: 'THEIRS', chat: { model: 'x' } };
    editor.answers.push(words.connect);
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');

    const [, , options, ...buttons] = editor.said[0]!;
    expect((options as vscode.MessageOptions).detail).toContain(
      `completionURL: ${door.url}/\napiToken: DGM_AAAA…\n\nThe token was created for this`,
    );
    expect(buttons).toEqual([words.connect, words.inMemory]);
    expect(editor.settings).toEqual({ 'augment.advanced': { chat: { model: 'x' }, ...ours() }, ...SYNC });
    expect([await connections.augmentMode(), editor.said[1]?.[1]]).toEqual(['settings', words.connected]);
  });

  test('the token is one of its own with the role member, and not the one of the person', async () => {
    editor.answers.push(words.connect);
    const { run, context } = openWindow();
    await run('dragoman.connectAugment');
    expect([...door.tokens.values()]).toEqual([
      { name: expect.stringMatching(/^Augment extension \([A-Z2-7]{8}\)$/) as string, role: 'member', text: FIRST },
    ]);
    expect(editor.settingsFile.text).not.toContain(TOKEN);
    expect([stateOf(context).includes(FIRST), await context.secrets.get('dragoman.tokenForAugment')]).toEqual([
      false,
      expect.stringContaining(FIRST),
    ]);
  });

  test('the eight items of the person are none of its business: their own Augment token stays', async () => {
    editor.answers.push(words.connect);
    const { run, settings } = openWindow();
    await settings.save({ augmentToken: 'AT-OF-THE-PERSON' });
    let changes = 0;
    settings.onDidChange(() => (changes += 1));
    await run('dragoman.connectAugment');
    await run('dragoman.disconnect');
    expect([(await settings.read()).augmentToken, changes]).toEqual(['AT-OF-THE-PERSON', 0]);
  });

  test('a person who may only look at a server is told that no token can be made there', async () => {
    door.refusal = 403;
    await openWindow().run('dragoman.connectAugment');
    expect([editor.settings, said()]).toEqual([{}, [['error', words.failed(words.mayNotMakeToken(door.url))]]]);
  });

  test('writes nothing and leaves no token behind when the person says no, and nothing when all is as it should be', async () => {
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    expect([editor.settings, await connections.augmentMode(), door.tokens.size]).toEqual([{}, 'off', 0]);

    editor.answers.push(words.connect, undefined, words.connect);
    await run('dragoman.connectAugment');
    const { text } = editor.settingsFile;
    await run('dragoman.connectAugment');
    expect([editor.settingsFile.text, door.tokens.size]).toEqual([text, 1]);
  });

  test('without the Augment extension nothing is written', async () => {
    editor.extensions.length = 0;
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    expect([editor.settings, said(), connections.isAugmentInstalled()]).toEqual([
      {},
      [['information', words.notInstalled]],
      false,
    ]);
  });

  test('a setting that cannot be written leaves no trace of a connection', async () => {
    editor.settingsFile.isDirty = true;
    editor.answers.push(words.connect);
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    expect([editor.said.at(-1)?.[0], await connections.augmentMode(), door.tokens.size]).toEqual(['error', 'off', 0]);
  });

  test('what was there before may be a token of an account, so it is kept with the secrets', async () => {
    editor.settings['augment.advanced'] = { apiToken: 'ACCOUNT-TOKEN' };
    editor.answers.push(words.connect);
    const { run, context } = openWindow();
    await run('dragoman.connectAugment');
    expect(stateOf(context)).not.toContain('ACCOUNT-TOKEN');
    expect(await context.secrets.get('dragoman.augmentBefore')).toContain('ACCOUNT-TOKEN');
  });

  test('a server that moved is followed, once, with a new token, as somebody else may listen at the old address; values that the person wrote since are left alone', async () => {
    editor.answers.push(words.connect);
    const { run, link } = openWindow();
    await run('dragoman.connectAugment');
    const moved = await door.openAgain();
    for (let round = 0; round < 3; round++) link.become({ kind: 'ready', server: serverAt(moved) });
    await vi.waitFor(() => expect(editor.settings['augment.advanced']).toEqual(ours(SECOND, moved)), {
      timeout: 60_000,
    });
    expect([...door.tokens.values()].map(({ text }) => text)).toEqual([SECOND]);

    const theirs = { apiToken: 'MINE', completionURL: 'https://mine.example/' };
    changeSetting('augment.advanced', theirs);
    link.become({ kind: 'ready', server: serverAt(door.url) });
    await run('dragoman.disconnect'); // It waits its turn.
    expect(editor.settings['augment.advanced']).toEqual(theirs);
  });

  test('a server that moved is followed by all windows with the same token, and undoing leads back', async () => {
    editor.settings['augment.advanced'] = { apiToken: 'THEIRS' };
    editor.answers.push(words.connect);
    const { run, link, context } = openWindow();
    await run('dragoman.connectAugment');
    const others = [openWindow(context), openWindow(context)];
    await Promise.all(others.map((other) => other.link.ready()));
    const server = serverAt(await door.openAgain());
    for (const each of [link, ...others.map((other) => other.link)]) each.become({ kind: 'ready', server });
    await vi.waitFor(() => expect(editor.settings['augment.advanced']).toMatchObject(ours(SECOND, server.url)), {
      timeout: 60_000,
    });
    await run('dragoman.disconnect'); // It waits its turn.
    await vi.waitFor(() => expect(door.tokens.size).toBe(0), { timeout: 60_000 });
    expect([editor.settings, door.made()]).toEqual([{ 'augment.advanced': { apiToken: 'THEIRS' } }, 2]);
  });

  test.each([
    '{ "augment.advanced": { "model": "m" }, "augment.advanced.completionURL": "https://mine.example/" }',
    '{ "augment.advanced": { "model": "m" }, "augment.advanced.apiToken": "MINE" }',
  ])(
    'where the person’s own settings say something else besides, all is undone and they are told: %s',
    async (before) => {
      editor.settingsFile.text = before;
      editor.answers.push(words.connect);
      const { run, connections } = openWindow();
      await run('dragoman.connectAugment');
      expect(said().at(-1)).toEqual(['error', words.failed(words.notInForce)]);
      expect([editor.settingsFile.text, await connections.augmentMode(), door.tokens.size]).toEqual([before, 'off', 0]);
    },
  );

  test('a token that the server does not know any more is made again', async () => {
    editor.answers.push(words.connect);
    const { run, link } = openWindow();
    await run('dragoman.connectAugment');
    door.tokens.clear();
    link.become({ kind: 'ready', server: serverAt(door.url) });
    await vi.waitFor(() => expect(editor.settings['augment.advanced']).toEqual(ours(SECOND)), { timeout: 60_000 });
    expect([...door.tokens.values()].map(({ text }) => text)).toEqual([SECOND]);
  });
});

describe('a workspace that says where Augment sends its requests', () => {
  /** A window that is connected by the settings, in the folder `shop`. */
  async function connected() {
    editor.folders = ['/work/shop'];
    editor.settings['augment.advanced'] = { apiToken: 'THEIRS' };
    editor.answers.push(words.connect);
    const opened = openWindow();
    await opened.connections.resumed; // And meets nothing of a later window.
    await opened.run('dragoman.connectAugment');
    editor.said.length = 0;
    return opened;
  }
  const FILE = '“shop/.vscode/settings.json”';

  test.each([
    EVIL,
    { chat: { url: 'https://evil.example/' } },
    { later: { deep: { baseUrl: 'https://evil.example/' } } },
  ])('is not connected: %j', async (evil) => {
    editor.folders = ['/work/shop'];
    editor.workspaceSettings['augment.advanced'] = evil;
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    expect(editor.said).toEqual([['error', words.failed(words.overridden(FILE))]]);
    expect([editor.settings, await connections.augmentMode(), door.tokens.size]).toEqual([{}, 'off', 0]);
  });

  test('is connected where it chooses a model and tools only', async () => {
    editor.workspaceSettings['augment.advanced'] = { model: 'm', mcpServers: [{ url: 'http://127.0.0.1:1/' }] };
    editor.answers.push(words.connect);
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    expect(await connections.augmentMode()).toBe('settings');
  });

  test('while it is connected costs the connection: the token is revoked and out of the settings, and the file is named', async () => {
    const { connections, context } = await connected();
    editor.answers.push(words.openSettings);
    changeWorkspace({ workspaceSettings: { 'augment.advanced': EVIL } });
    await vi.waitFor(() => expect(editor.executed.at(-1)).toEqual(['workbench.action.openWorkspaceSettingsFile']), {
      timeout: 60_000,
    });
    expect(editor.said).toEqual([['error', words.takenAway(FILE), words.openSettings]]);
    expect([editor.settings, [...door.tokens], await connections.augmentMode()]).toEqual([
      { 'augment.advanced': { apiToken: 'THEIRS' } },
      [],
      'off',
    ]);
    expect(await context.secrets.get('dragoman.tokenForAugment')).toBe(undefined);
  });

  test.each([
    { augment: { advanced: EVIL } },
    { 'augment.advanced.completionURL': 'https://evil.example/' },
    { augment: { advanced: { model: 'm', chat: { url: 'https://evil.example/' } } } },
    { augment: null },
    { augment: 'x' },
    { 'augment.advanced': null },
    { 'augment.advanced': [] },
    { 'augment.advanced': 'x' },
    { 'augment.advanced': { proxy: 'https://evil.example/' } },
    { 'augment.advanced': { server: 'https://evil.example/' } },
    { 'augment.advanced': { completionUri: 'https://evil.example/' } },
    { 'augment.advanced': { api: { domain: 'evil.example' } } },
    { 'augment.advanced': { model: { url: 'https://evil.example/' } } },
  ])('costs the connection in whatever words it says so, of the workspace or of a folder: %j', async (evil) => {
    const { run, connections } = await connected();
    changeWorkspace({ workspaceSettings: evil });
    await vi.waitFor(() => expect(said()).toEqual([['error', words.takenAway(FILE)]]), { timeout: 60_000 });
    expect([await connections.augmentMode(), door.tokens.size]).toEqual(['off', 0]);

    editor.answers.push(undefined, words.connect);
    changeWorkspace({ workspaceSettings: {} });
    await vi.waitFor(() => expect(said().at(-1)).toEqual(['information', words.offerAgain]), { timeout: 60_000 });
    await run('dragoman.connectAugment');
    expect(await connections.augmentMode()).toBe('settings');
    changeWorkspace({ folderSettings: { '/work/shop': evil } });
    await vi.waitFor(() => expect(said().at(-1)).toEqual(['error', words.takenAway(FILE)]), { timeout: 60_000 });
    expect([await connections.augmentMode(), door.tokens.size]).toEqual(['off', 0]);
  });

  test.each([{ 'augment.chat.userGuidelines': 'Be kind.' }, { augment: { nextEdit: {} } }, { 'editor.tabSize': 3 }])(
    'is none where it says something else: %j',
    async (harmless) => {
      const { run, connections } = await connected();
      changeWorkspace({ workspaceSettings: harmless });
      await run('dragoman.connectAugment'); // It waits its turn.
      expect([await connections.augmentMode(), door.tokens.size]).toEqual(['settings', 1]);
    },
  );

  test('is found in each folder of several, also in one that comes later', async () => {
    const { connections } = await connected();
    editor.workspaceFile = '/work/all.code-workspace';
    editor.folderSettings = { '/work/evil': { 'augment.advanced': { nextEdit: { url: 'https://evil.example/' } } } };
    changeWorkspace({ folders: ['/work/shop', '/work/evil'] });
    await vi.waitFor(() => expect(said()).toEqual([['error', words.takenAway('“evil/.vscode/settings.json”')]]), {
      timeout: 60_000,
    });
    expect(await connections.augmentMode()).toBe('off');
  });

  test('is named in plain text, whatever links its name would like to be', async () => {
    await connected();
    editor.folders = ['/work/[see](command:dragoman.stopServer)'];
    changeWorkspace({ workspaceSettings: { 'augment.advanced': EVIL } });
    const name = '“_see__command:dragoman.stopServer_/.vscode/settings.json”';
    await vi.waitFor(() => expect(said()).toEqual([['error', words.takenAway(name)]]), { timeout: 60_000 });
  });

  test('is named by its own file where it has several folders', async () => {
    await connected();
    changeWorkspace({
      folders: ['/work/shop', '/work/other'],
      workspaceFile: '/work/all.code-workspace',
      workspaceSettings: { 'augment.advanced': EVIL },
    });
    await vi.waitFor(() => expect(said()).toEqual([['error', words.takenAway('“all.code-workspace”')]]), {
      timeout: 60_000,
    });
  });

  test('is met by the next window too, which reaches the server and revokes the token before it says so', async () => {
    const first = await connected();
    first.connections.dispose();
    editor.workspaceSettings['augment.advanced'] = EVIL;
    openWindow(first.context);
    await vi.waitFor(() => expect(said()).toEqual([['error', words.takenAway(FILE)]]), { timeout: 60_000 });
    expect([editor.settings, door.tokens.size]).toEqual([{ 'augment.advanced': { apiToken: 'THEIRS' } }, 0]);
  });

  test('whose server cannot be reached is told that the token is not revoked yet, and the next window does it', async () => {
    const first = await connected();
    first.connections.dispose();
    editor.workspaceSettings['augment.advanced'] = EVIL;
    const second = openWindow(first.context, unreachable());
    await vi.waitFor(() => expect(said()).toEqual([['error', words.takenAwayNotRevoked(FILE)]]), { timeout: 60_000 });
    expect([editor.settings, door.tokens.size]).toEqual([{ 'augment.advanced': { apiToken: 'THEIRS' } }, 1]);
    second.connections.dispose();

    openWindow(first.context);
    // Not when the server has revoked it: the window writes that down afterwards.
    await vi.waitFor(() => expect(stateOf(first.context)).not.toContain('dragoman.tokenForAugmentIsLeft'), {
      timeout: 60_000,
    });
    expect(door.tokens.size).toBe(0);
    const { link, connections } = openWindow(first.context);
    await connections.resumed;
    expect(link.state.kind).toBe('idle');
  });

  test('costs the token when the server is back, also where the settings could not be put back', async () => {
    const first = await connected();
    first.connections.dispose();
    editor.workspaceSettings['augment.advanced'] = EVIL;
    editor.settingsFile.isDirty = true;
    const link = unreachable();
    openWindow(first.context, link);
    await vi.waitFor(() => expect(said().at(-1)?.[1]).toContain(words.overridden(FILE)), { timeout: 60_000 });
    expect(door.tokens.size).toBe(1);
    link.become({ kind: 'ready', server: serverAt(door.url) });
    await vi.waitFor(() => expect(door.tokens.size).toBe(0), { timeout: 60_000 });
  });

  test('once it is mended, connecting is offered, once', async () => {
    const { run } = await connected();
    changeWorkspace({ workspaceSettings: { 'augment.advanced': EVIL } });
    await vi.waitFor(() => expect(said().length).toBe(1), { timeout: 60_000 });
    editor.answers.push(words.connect, words.connect);
    changeWorkspace({ workspaceSettings: {} });
    await vi.waitFor(() => expect(said().at(-1)).toEqual(['information', words.connected]), { timeout: 60_000 });
    expect(said()[1]).toEqual(['information', words.offerAgain]);
    expect(editor.settings['augment.advanced']).toEqual(ours(SECOND));

    await run('dragoman.disconnect');
    expect(said().filter(([, text]) => text === words.offerAgain).length).toBe(1);
  });

  test('is offered in the next window that is free of it, where it was not mended in the first', async () => {
    const first = await connected();
    changeWorkspace({ workspaceSettings: { 'augment.advanced': EVIL } });
    await vi.waitFor(() => expect(said().length).toBe(1), { timeout: 60_000 });
    first.connections.dispose();
    editor.workspaceSettings = {};
    openWindow(first.context);
    await vi.waitFor(() => expect(said().at(-1)).toEqual(['information', words.offerAgain]), { timeout: 60_000 });
  });

  test('changes nothing about a connection in memory, and the person is told', async () => {
    editor.folders = ['/work/shop'];
    editor.answers.push(words.inMemory);
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    changeWorkspace({ workspaceSettings: { 'augment.advanced': EVIL } });
    await vi.waitFor(() => expect(said().at(-1)).toEqual(['warning', words.notFollowed(FILE)]), { timeout: 60_000 });
    expect([await connections.augmentMode(), door.tokens.size]).toEqual(['overlay', 1]);
  });

  test('costs the token also where the settings cannot be put back, and nothing is written again', async () => {
    const { link } = await connected();
    editor.settingsFile.isDirty = true;
    changeWorkspace({ workspaceSettings: { 'augment.advanced': EVIL } });
    await vi.waitFor(() => expect(said().at(-1)?.[1]).toContain(words.overridden(FILE)), { timeout: 60_000 });
    link.become({ kind: 'ready', server: serverAt(door.url) });
    await settle();
    expect([door.tokens.size, editor.settings['augment.advanced']]).toEqual([0, ours()]);
  });
});

describe('disconnecting', () => {
  test.each([
    ['nothing', '{\n    "settingsSync.ignoredSettings": ["other.setting"]\n}\n'],
    ['an empty object', '{ "settingsSync.ignoredSettings": [ /* mine */ "other.setting", ], "augment.advanced": {} }'],
    [
      'other fields, with comments',
      '{\n  // Mine.\n  "augment.advanced": {\n    "model": "m", // the good one\n    /* old */ "apiToken":   "THEIRS",\n  }, // behind\n}\n',
    ],
    [
      'the setting in other words',
      '{\n  "augment": { "advanced": { "model": "m", "apiToken": "THEIRS" } } // mine\n}\n',
    ],
    ['a token in an odd form', '{\r\n\t"augment.advanced": { "apiToken": /* here */ "TH\\u0045IRS" }\r\n}'],
  ])('puts back exactly what was there, to the letter: %s', async (_what, before) => {
    editor.settingsFile.text = before;
    editor.answers.push(words.connect, undefined, chatWords.en.allow);
    const { run, context, connections } = openWindow();
    await run('dragoman.connectAugment');
    await run('dragoman.useInChat');
    expect(editor.settings['augment.advanced']).toMatchObject(ours());
    expect(editor.settings['settingsSync.ignoredSettings']).toContain('augment.advanced');
    for (const [comment] of before.matchAll(/\/\/ .*|\/\* (?!here).*?\*\//g))
      expect(editor.settingsFile.text).toContain(comment.trim());
    await run('dragoman.disconnect');

    expect(editor.settingsFile.text).toBe(before);
    expect([await connections.augmentMode(), connections.chat.isOn(), door.tokens.size]).toEqual(['off', false, 0]);
    expect(await context.secrets.get('dragoman.augmentBefore')).toBe(undefined);
  });

  test.each([
    ['nothing', '{\r  "editor.tabSize": 3\r}'],
    ['the setting in other words', '{\r  "augment": { "advanced": { "model": "m" } }\r}'],
    ['names that stay on this machine', '{\r  "settingsSync.ignoredSettings": ["other.setting"]\r}'],
  ])('puts back what was there also where the editor had to write it: %s', async (_what, before) => {
    editor.settingsFile.text = before;
    const { ...found } = editor.settings;
    editor.answers.push(words.connect);
    const { run } = openWindow();
    await run('dragoman.connectAugment');
    expect(editor.written.map(([name]) => name)).toContain('augment.advanced');
    expect(editor.settings['augment.advanced']).toMatchObject(ours());
    expect(editor.settings['settingsSync.ignoredSettings']).toContain('augment.advanced');
    expect(said().at(-1)).toEqual(['information', words.connected]);
    await run('dragoman.disconnect');
    expect(editor.settings).toEqual(found);
  });

  test('leaves what the person wrote beside it since, comments too', async () => {
    editor.settingsFile.text = '{\n  "augment.advanced": { "apiToken": "THEIRS" }\n}\n';
    editor.answers.push(words.connect);
    const { run } = openWindow();
    await run('dragoman.connectAugment');
    editor.settingsFile.text = editor.settingsFile.text.replace('{ "apiToken"', '{ /* new */ "model": "m", "apiToken"');
    await run('dragoman.disconnect');
    expect(editor.settingsFile.text).toBe(
      '{\n  "augment.advanced": { /* new */ "model": "m", "apiToken": "THEIRS" }\n}\n',
    );
  });

  test('a second time changes nothing, and neither does a first without a connection', async () => {
    editor.settingsFile.text = '{ "augment.advanced": { "apiToken": "THEIRS" } }';
    const { run } = openWindow();
    await run('dragoman.disconnect');
    await run('dragoman.disconnect');
    expect([editor.settingsFile.text, editor.executed]).toEqual([
      '{ "augment.advanced": { "apiToken": "THEIRS" } }',
      [],
    ]);
  });

  test('what cannot be put back is told, the token is revoked all the same, and a second time may do it', async () => {
    editor.settings['augment.advanced'] = { model: 'm' };
    editor.answers.push(words.connect);
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    editor.settingsFile.isDirty = true;
    await run('dragoman.disconnect');
    expect(editor.said.at(-1)?.slice(0, 2)).toEqual([
      'error',
      words.failed('Unable to write augment.advanced: the file has unsaved changes.'),
    ]);
    expect([door.tokens.size, await connections.augmentMode()]).toEqual([0, 'settings']);
    editor.settingsFile.isDirty = false;
    await run('dragoman.disconnect');
    expect(editor.settings).toEqual({ 'augment.advanced': { model: 'm' } });
  });

  test('works after the Augment extension was removed, when nobody declares its setting any more', async () => {
    editor.settings['augment.advanced'] = { model: 'm' };
    editor.answers.push(words.connect);
    const { run } = openWindow();
    await run('dragoman.connectAugment');
    editor.declared.clear();
    await run('dragoman.disconnect');
    expect(editor.settings).toEqual({ 'augment.advanced': { model: 'm' } });
  });

  test('a later window undoes what an earlier one did', async () => {
    editor.answers.push(words.connect);
    const { context, run, connections } = openWindow();
    await run('dragoman.connectAugment');
    connections.dispose();
    await openWindow(context).run('dragoman.disconnect');
    expect(editor.settings).toEqual({});
  });

  test('revokes the token also where a connection that was kept open is closed by then', async () => {
    editor.answers.push(words.connect);
    const { run } = openWindow();
    await run('dragoman.connectAugment');
    door.resets = 2;
    await run('dragoman.disconnect');
    expect([editor.settings, door.tokens.size]).toEqual([{}, 0]);
  });

  test('reaches the server to revoke the token where the window has let go of it', async () => {
    editor.answers.push(words.connect);
    const { run, link } = openWindow();
    await run('dragoman.connectAugment');
    link.become({ kind: 'idle' });
    await run('dragoman.disconnect');
    expect([editor.settings, door.tokens.size]).toEqual([{}, 0]);
  });

  test('while the server is away says so, and revokes the token when it is back', async () => {
    editor.answers.push(words.connect);
    const { run, link } = openWindow();
    await run('dragoman.connectAugment');
    link.ready = unreachable().ready;
    link.become({ kind: 'idle' });
    await run('dragoman.disconnect');
    expect([editor.settings, door.tokens.size]).toEqual([{}, 1]);
    expect(said()).toContainEqual(['warning', words.notRevoked]);
    link.become({ kind: 'ready', server: serverAt(door.url) });
    await vi.waitFor(() => expect(door.tokens.size).toBe(0), { timeout: 60_000 });
  });
});

describe('connecting Augment in memory', () => {
  test('EDITOR-02 writes no setting, shows the overlay, and keeps no token', async () => {
    editor.answers.push(words.inMemory);
    const { run, context, connections } = openWindow();
    await run('dragoman.connectAugment');

    expect([editor.settings, await connections.augmentMode(), editor.said.at(-1)?.[1]]).toEqual([
      {},
      'overlay',
      words.overlaid,
    ]);
    expect(Reflect.get(globalThis, '__AUGMENT_BYOK_OVERLAY')).toEqual({ augment: { advanced: ours('…') } });
    for (const token of [TOKEN, FIRST]) expect(stateOf(context)).not.toContain(token);
  });

  test('where Augment has started already, a reload is offered', async () => {
    editor.extensions[0]!.isActive = true;
    editor.answers.push(words.inMemory, words.reload);
    await openWindow().run('dragoman.connectAugment');
    expect([editor.said.at(-1)?.[1], editor.executed]).toEqual([
      words.reloadNeeded,
      [['workbench.action.reloadWindow']],
    ]);
  });

  test('the next window overlays the address at once, and the token when the server is there', async () => {
    editor.answers.push(words.inMemory);
    const first = openWindow();
    await first.run('dragoman.connectAugment');
    first.connections.dispose();

    const { link } = openWindow(first.context);
    expect(Reflect.get(globalThis, '__AUGMENT_BYOK_OVERLAY')).toEqual({ augment: { advanced: ours('…') } });
    await vi.waitFor(() => expect(link.state.kind).toBe('ready'), { timeout: 60_000 });
    expect(Reflect.get(globalThis, '__AUGMENT_BYOK_OVERLAY')).toEqual({ augment: { advanced: ours('…') } });
    expect(door.tokens.size).toBe(1);
  });

  test('going over to the settings ends it, and the other way round', async () => {
    editor.answers.push(words.inMemory, undefined, words.connect, undefined, words.inMemory);
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    await run('dragoman.connectAugment');
    expect([await connections.augmentMode(), editor.settings]).toEqual([
      'settings',
      { 'augment.advanced': ours(), ...SYNC },
    ]);
    expect(Reflect.get(globalThis, '__AUGMENT_BYOK_OVERLAY')).toBe(undefined);
    await run('dragoman.connectAugment');
    expect([await connections.augmentMode(), editor.settings]).toEqual(['overlay', {}]);
  });
});

test('EDITOR-03 EDITOR-04 the globals tell the upstream without its key, and have a handle on the server', async () => {
  const { settings, link } = openWindow();
  await link.ready();
  await settings.save({ baseUrl: 'https://m.example/v1', model: 'm', apiKey: 'sk-secret', augmentToken: 'AT-SECRET' });

  await vi.waitFor(
    () =>
      expect(Reflect.get(globalThis, '__AUGMENT_BYOK_UPSTREAM')).toEqual({
        baseUrl: 'https://m.example/v1',
        model: 'm',
        temperature: undefined,
        maxTokens: undefined,
      }),
    { timeout: 60_000 },
  );
  const server = Reflect.get(globalThis, '__AUGMENT_BYOK_SERVER') as {
    url: string;
    restart(): Promise<void>;
    stop(): Promise<void>;
  };
  expect(server.url).toBe(door.url);
  await server.restart();
  await server.stop();
  expect([link.restarts, link.stops]).toEqual([1, 1]);
  for (const name of ['OVERLAY', 'UPSTREAM', 'SERVER'])
    expect(JSON.stringify(Reflect.get(globalThis, `__AUGMENT_BYOK_${name}`)) ?? '').not.toMatch(/SECRET|secret/);
});

describe('the editor’s chat', () => {
  const { allow } = chatWords.en;

  test('is asked for first, and then has the settings it needs', async () => {
    const { run, connections } = openWindow();
    await run('dragoman.useInChat');
    expect([editor.written, connections.chat.isOn()]).toEqual([[], false]);

    editor.answers.push(allow);
    await run('dragoman.useInChat');
    expect(editor.settings).toEqual({ 'chat.allowAnonymousAccess': true, 'chat.utilityModel': 'dragoman/default' });
    expect([connections.chat.isOn(), editor.executed]).toEqual([true, [['workbench.action.chat.open']]]);
  });

  test('leaves alone what the person had set, also when it is undone', async () => {
    Object.assign(editor.settings, { 'chat.allowAnonymousAccess': true, 'chat.utilityModel': 'copilot/small' });
    const { run } = openWindow();
    await run('dragoman.useInChat');
    await run('dragoman.disconnect');
    expect([editor.written, editor.settings]).toEqual([
      [],
      { 'chat.allowAnonymousAccess': true, 'chat.utilityModel': 'copilot/small' },
    ]);
  });

  test('a setting that was off is off again', async () => {
    editor.settings['chat.allowAnonymousAccess'] = false;
    editor.answers.push(allow);
    const { run } = openWindow();
    await run('dragoman.useInChat');
    await run('dragoman.disconnect');
    expect(editor.settings).toEqual({ 'chat.allowAnonymousAccess': false });
  });

  describe('in an editor that hides the setting from extensions', () => {
    const CHANGED =
      '{\n  "editor.tabSize": 3,\n  "chat.allowAnonymousAccess": true,\n  "chat.utilityModel": "dragoman/default"\n}\n';
    beforeEach(() => {
      editor.declared.delete('chat.allowAnonymousAccess');
      editor.settingsFile.text = '{\n  "editor.tabSize": 3\n}\n';
    });

    test('its line is written into settings.json and taken out again, to the letter', async () => {
      editor.answers.push(allow);
      const { run } = openWindow();
      await run('dragoman.useInChat');
      expect(editor.settingsFile).toMatchObject({
        text: CHANGED,
        isOpen: false,
      });
      expect(editor.settings['chat.allowAnonymousAccess']).toBe(true);
      await run('dragoman.disconnect');
      expect(editor.settingsFile.text).toBe('{\n  "editor.tabSize": 3\n}\n');
      expect(editor.settings).toEqual({ 'editor.tabSize': 3 });
    });

    test.each([
      ['that comes while the editor reads the file is made again', 2],
      ['that the editor refuses for good is made in the file itself', 1_000],
    ])('an edit %s', async (_what, refusals) => {
      editor.settingsFile.refusals = refusals;
      editor.answers.push(allow);
      await openWindow().run('dragoman.useInChat');
      expect(editor.settingsFile.text).toBe(CHANGED);
      expect(editor.settings['chat.allowAnonymousAccess']).toBe(true);
    });

    test('a file with changes that were not saved is left alone; the line is told, and the chat is opened all the same', async () => {
      Object.assign(editor.settingsFile, { isDirty: true, isOpen: true });
      editor.answers.push(allow);
      const { connections, run } = openWindow();
      await run('dragoman.useInChat');
      expect(editor.said.at(-1)).toEqual([
        'warning',
        chatWords.en.notAllowed(settingsWords.en.notWritten('chat.allowAnonymousAccess')),
      ]);
      expect(editor.settingsFile.text).not.toContain('chat.allowAnonymousAccess');
      expect([connections.chat.isOn(), editor.executed.at(-1)]).toEqual([true, ['workbench.action.chat.open']]);
    });
  });
});

test('a window in which nothing was connected does not start the server', async () => {
  const { link, connections } = openWindow();
  await connections.resumed;
  expect(link.state.kind).toBe('idle');
});

test('what a server that does not start says is told to whoever asked', async () => {
  editor.language = 'zh-cn';
  await openWindow(undefined, unreachable()).run('dragoman.connectAugment');
  expect(editor.said).toEqual([['error', '没有成功：Node is too old']]);
});
