import { tempFolder } from '@dragoman/testkit';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as vscode from 'vscode';
import { augmentWords } from './augment/augment-words.ts';
import { chatWords } from './chat/chat-words.ts';
import { registerConnections } from './connections.ts';
import { openSettingsStore } from './settings/settings-store.ts';
import { settingsWords } from './settings/settings-words.ts';
import { serverAt, standInLink, TOKEN } from './stand-in-link.fixture.ts';
import { changeSetting, freshEditor, standInContext, type StandInEditor } from './vscode.fixture.ts';

let editor: StandInEditor;
beforeEach(() => {
  editor = freshEditor();
  editor.extensions.push({ id: 'Augment.vscode-augment', isActive: false, extensionPath: '/ext/augment' });
  for (const name of [
    'augment.advanced',
    'chat.allowAnonymousAccess',
    'chat.utilityModel',
    'settingsSync.ignoredSettings',
  ])
    editor.declared.add(name);
});

const words = augmentWords.en;

/** A window with the extension in it. */
function openWindow(context = standInContext(tempFolder()), link = standInLink()) {
  const log = vscode.window.createOutputChannel('Dragoman', { log: true });
  const settings = openSettingsStore(context);
  const connections = registerConnections({ context, log, link, settings });
  onTestFinished(() => connections.dispose());
  const run = (command: string) => vscode.commands.executeCommand(command);
  return { context, link, settings, connections, run };
}

/** Lets what was begun without being waited for come to its end. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Everything that is in globalState, written out. */
const stateOf = ({ globalState }: vscode.ExtensionContext) =>
  JSON.stringify(globalState.keys().map((key) => [key, globalState.get(key)]));

const OURS = { apiToken: TOKEN, completionURL: 'http://127.0.0.1:4800/' };

describe('connecting Augment by its settings', () => {
  test('EDITOR-06 shows what will be written, merges it into what is there, and says so', async () => {
    editor.settings['augment.advanced'] = { apiToken: 'THEIRS', chat: { model: 'x' } };
    editor.answers.push(words.connect);
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');

    const [, , options] = editor.said[0]!;
    expect((options as vscode.MessageOptions).detail).toContain(
      'completionURL: http://127.0.0.1:4800/\napiToken: ABCD…',
    );
    expect(editor.written).toEqual([
      ['augment.advanced', { chat: { model: 'x' }, ...OURS }, vscode.ConfigurationTarget.Global],
    ]);
    expect([await connections.augmentMode(), editor.said[1]?.[1]]).toEqual(['settings', words.connected]);
  });

  test('writes nothing when the person says no, and nothing when all is as it should be', async () => {
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    expect([editor.written, await connections.augmentMode()]).toEqual([[], 'off']);

    editor.settings['augment.advanced'] = OURS;
    editor.answers.push(words.connect);
    await run('dragoman.connectAugment');
    expect(editor.written).toEqual([]);
  });

  test('without the Augment extension nothing is written', async () => {
    editor.extensions.length = 0;
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    expect([editor.written, editor.said.map(([, text]) => text), connections.isAugmentInstalled()]).toEqual([
      [],
      [words.notInstalled],
      false,
    ]);
  });

  test('a token with small letters is refused, because it would arrive in capitals', async () => {
    const { run } = openWindow(undefined, standInLink(serverAt('http://127.0.0.1:4800', { token: 'abc' })));
    await run('dragoman.connectAugment');
    expect([editor.written, editor.said.map(([kind, text]) => [kind, text])]).toEqual([
      [],
      [['error', words.failed(words.tokenInLowerCase)]],
    ]);
  });

  test('a setting that cannot be written leaves no trace of a connection', async () => {
    editor.declared.clear();
    editor.answers.push(words.connect);
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    expect([editor.said.at(-1)?.[0], await connections.augmentMode()]).toEqual(['error', 'off']);
  });

  test.each([{ completionURL: 'https://evil.example/' }, { chat: { url: 'https://evil.example/' } }])(
    'a workspace that says where Augment sends its requests gets neither conversation nor token: %j',
    async (evil) => {
      editor.workspaceSettings['augment.advanced'] = evil;
      editor.answers.push(words.connect);
      const { run, connections } = openWindow();
      await run('dragoman.connectAugment');
      expect(editor.said).toEqual([['error', words.failed(words.overridden)]]);
      expect([editor.written, await connections.augmentMode()]).toEqual([[], 'off']);
    },
  );

  test('what was there before may be a token of an account, so it is kept with the secrets', async () => {
    editor.settings['augment.advanced'] = { apiToken: 'ACCOUNT-TOKEN' };
    editor.answers.push(words.connect);
    const { run, context } = openWindow();
    await run('dragoman.connectAugment');
    expect([stateOf(context).includes('ACCOUNT-TOKEN'), stateOf(context).includes(TOKEN)]).toEqual([false, false]);
    expect(await context.secrets.get('dragoman.augmentBefore')).toContain('ACCOUNT-TOKEN');
  });

  test('a server that moved is followed, once; values that the person wrote since are left alone', async () => {
    editor.answers.push(words.connect);
    const { run, link } = openWindow();
    await run('dragoman.connectAugment');
    for (let round = 0; round < 3; round++) {
      link.become({ kind: 'ready', server: serverAt('http://127.0.0.1:4900') });
      await settle();
    }
    expect(editor.written.map(([, value]) => value)).toEqual([
      OURS,
      { ...OURS, completionURL: 'http://127.0.0.1:4900/' },
    ]);

    changeSetting('augment.advanced', { apiToken: 'MINE', completionURL: 'https://mine.example/' });
    link.become({ kind: 'ready', server: serverAt('http://127.0.0.1:5000') });
    await settle();
    expect(editor.written.length).toBe(2);
  });
});

test('who opens such a workspace while connected is warned', async () => {
  editor.answers.push(words.connect);
  const first = openWindow();
  await first.run('dragoman.connectAugment');
  first.connections.dispose();
  editor.workspaceSettings['augment.advanced'] = { completionURL: 'https://evil.example/' };
  openWindow(first.context);
  await settle();
  await settle();
  expect(editor.said.at(-1)).toEqual(['warning', words.overriddenWarning]);
});

describe('disconnecting', () => {
  test.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['other fields', { model: 'm', apiToken: 'THEIRS' }],
  ])('puts back exactly what was there: %s', async (_what, before) => {
    if (before !== undefined) editor.settings['augment.advanced'] = before;
    editor.settings['settingsSync.ignoredSettings'] = ['other.setting'];
    editor.answers.push(words.connectNotSynced, chatWords.en.allow);
    const { run, context, connections } = openWindow();
    await run('dragoman.connectAugment');
    await run('dragoman.useInChat');
    expect(editor.settings['settingsSync.ignoredSettings']).toEqual(['other.setting', 'augment.advanced']);
    await run('dragoman.disconnect');

    expect(editor.settings).toEqual({
      ...(before !== undefined && { 'augment.advanced': before }),
      'settingsSync.ignoredSettings': ['other.setting'],
    });
    expect([await connections.augmentMode(), connections.chat.isOn()]).toEqual(['off', false]);
    expect(await context.secrets.get('dragoman.augmentBefore')).toBe(undefined);
  });

  test('a second time changes nothing, and neither does a first without a connection', async () => {
    editor.settings['augment.advanced'] = { apiToken: 'THEIRS' };
    const { run } = openWindow();
    await run('dragoman.disconnect');
    await run('dragoman.disconnect');
    expect(editor.written).toEqual([]);
  });

  test('what cannot be put back is told, the rest is put back, and a second time may do it', async () => {
    editor.settings['augment.advanced'] = { model: 'm' };
    editor.answers.push(words.connect, undefined, chatWords.en.allow);
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    await run('dragoman.useInChat');
    editor.declared.delete('augment.advanced'); // The Augment extension was removed.
    await run('dragoman.disconnect');
    expect(editor.said.at(-1)?.slice(0, 2)).toEqual([
      'error',
      words.failed('Unable to write augment.advanced: not a registered configuration.'),
    ]);
    expect([Object.keys(editor.settings), connections.chat.isOn()]).toEqual([['augment.advanced'], false]);
    editor.declared.add('augment.advanced');
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
});

describe('connecting Augment in memory', () => {
  test('EDITOR-02 writes no setting, shows the overlay, and keeps no token', async () => {
    editor.answers.push(words.inMemory);
    const { run, context, connections } = openWindow();
    await run('dragoman.connectAugment');

    expect([editor.written, await connections.augmentMode(), editor.said.at(-1)?.[1]]).toEqual([
      [],
      'overlay',
      words.overlaid,
    ]);
    expect(Reflect.get(globalThis, '__AUGMENT_BYOK_OVERLAY')).toEqual({ augment: { advanced: OURS } });
    expect(stateOf(context)).not.toContain(TOKEN);
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
    expect(Reflect.get(globalThis, '__AUGMENT_BYOK_OVERLAY')).toEqual({
      augment: { advanced: { apiToken: 'STARTING', completionURL: 'http://127.0.0.1:4800/' } },
    });
    await settle();
    await settle();
    expect(link.state.kind).toBe('ready');
    expect(Reflect.get(globalThis, '__AUGMENT_BYOK_OVERLAY')).toEqual({ augment: { advanced: OURS } });
  });

  test('going over to the settings ends it, and the other way round', async () => {
    editor.answers.push(words.inMemory, undefined, words.connect, undefined, words.inMemory);
    const { run, connections } = openWindow();
    await run('dragoman.connectAugment');
    await run('dragoman.connectAugment');
    expect([await connections.augmentMode(), editor.settings]).toEqual(['settings', { 'augment.advanced': OURS }]);
    expect(Reflect.get(globalThis, '__AUGMENT_BYOK_OVERLAY')).toBe(undefined);
    await run('dragoman.connectAugment');
    expect([await connections.augmentMode(), editor.settings]).toEqual(['overlay', {}]);
  });
});

test('EDITOR-03 EDITOR-04 the globals tell the upstream without its key, and have a handle on the server', async () => {
  const { settings, link } = openWindow();
  await link.ready();
  await settings.save({ baseUrl: 'https://m.example/v1', model: 'm', apiKey: 'sk-secret', augmentToken: 'AT-SECRET' });
  await settle();

  expect(Reflect.get(globalThis, '__AUGMENT_BYOK_UPSTREAM')).toEqual({
    baseUrl: 'https://m.example/v1',
    model: 'm',
    temperature: undefined,
    maxTokens: undefined,
  });
  const server = Reflect.get(globalThis, '__AUGMENT_BYOK_SERVER') as {
    url: string;
    restart(): Promise<void>;
    stop(): Promise<void>;
  };
  expect(server.url).toBe('http://127.0.0.1:4800');
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
    beforeEach(() => {
      editor.declared.delete('chat.allowAnonymousAccess');
      editor.settingsFile.text = '{\n  "editor.tabSize": 3\n}\n';
      editor.settings['editor.tabSize'] = 3;
    });

    test('its line is written into settings.json and taken out again, to the letter', async () => {
      editor.answers.push(allow);
      const { run } = openWindow();
      await run('dragoman.useInChat');
      expect(editor.settingsFile).toMatchObject({
        text: '{\n  "editor.tabSize": 3,\n  "chat.allowAnonymousAccess": true\n}\n',
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
      expect(editor.settingsFile.text).toBe('{\n  "editor.tabSize": 3,\n  "chat.allowAnonymousAccess": true\n}\n');
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
  const { link } = openWindow();
  await settle();
  await settle();
  expect(link.state.kind).toBe('idle');
});

test('what a server that does not start says is told to whoever asked', async () => {
  const link = standInLink();
  link.ready = () => Promise.reject(new Error('Node is too old'));
  editor.language = 'zh-cn';
  await openWindow(undefined, link).run('dragoman.connectAugment');
  expect(editor.said).toEqual([['error', '没有成功：Node is too old']]);
});
