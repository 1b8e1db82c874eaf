import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { EventEmitter } from '../vscode.fixture.ts';
import { type OverlaidSettings, overlayApi } from './overlay.ts';

type Api = typeof vscode;

const OVERLAY = { augment: { advanced: { apiToken: 'OURS', completionURL: 'http://127.0.0.1:4800/' } } };
const REAL = { advanced: { apiToken: 'THEIRS', model: 'm' }, nextEdit: { enabled: true } };

let overlaid: OverlaidSettings | undefined;
let changed: EventEmitter<void>;
let realChanged: EventEmitter<vscode.ConfigurationChangeEvent>;
let failures: unknown[];
let updates: unknown[][];
let settings: Record<string, unknown>;
let workspaceSettings: Record<string, unknown>;
let folderSettings: Record<string, unknown>;

beforeEach(() => {
  overlaid = OVERLAY;
  changed = new EventEmitter();
  realChanged = new EventEmitter();
  failures = [];
  updates = [];
  settings = { augment: REAL, editor: { tabSize: 2 } };
  workspaceSettings = {};
  folderSettings = {};
});

/** As the editor puts the levels of its settings together: field by field, all the way down. */
function mergeAll(below: unknown, above: unknown): unknown {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (above === undefined || !isObject(above) || !isObject(below)) return above === undefined ? below : above;
  const entries = Object.entries(above as object).map(([name, value]) => [
    name,
    mergeAll((below as Record<string, unknown>)[name], value),
  ]);
  return { ...(below as object), ...(Object.fromEntries(entries) as object) };
}

/** An API as the editor makes it: frozen through and through, with getters, and configurations that show their values. */
function realApi(): Api {
  const at = (from: unknown, path: string) =>
    path.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], from);
  const inForce = () => mergeAll(mergeAll(settings, workspaceSettings), folderSettings) as Record<string, unknown>;
  const getConfiguration = (section = '') => {
    const under = (key: string) => (section === '' ? key : `${section}.${key}`);
    return Object.freeze({
      ...((section === '' ? inForce() : at(inForce(), section)) as object | undefined),
      get: (key: string, otherwise?: unknown) => at(inForce(), under(key)) ?? otherwise,
      has: (key: string) => at(inForce(), under(key)) !== undefined,
      inspect: (key: string) => ({
        key: under(key),
        globalValue: at(settings, under(key)),
        workspaceValue: at(workspaceSettings, under(key)),
        workspaceFolderValue: at(folderSettings, under(key)),
      }),
      update: async (...given: unknown[]) => void updates.push(given),
    });
  };
  return Object.freeze({
    version: '1.104.0',
    window: Object.freeze({ name: 'the real window' }),
    workspace: Object.freeze({
      getConfiguration,
      onDidChangeConfiguration: realChanged.event,
      get workspaceFolders() {
        return ['a folder'];
      },
    }),
  }) as unknown as Api;
}

function overlay(real = realApi()): Api {
  return overlayApi(real, {
    read: () => overlaid,
    onDidChange: changed.event,
    onFailure: (error) => failures.push(error),
  });
}

/** As the Augment extension has it: a class that reads its settings and hears of changes. */
class ConfigListener {
  readonly #api: Api;
  heard = 0;
  constructor(api: Api) {
    this.#api = api;
    api.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('augment')) this.heard += 1;
    });
  }
  _getRawSettings(): Record<string, unknown> {
    return this.#api.workspace.getConfiguration('augment');
  }
}

describe('EDITOR-01 what the listener of the Augment extension reads', () => {
  test('is our address and token, and every other field as it is', () => {
    expect(new ConfigListener(overlay())._getRawSettings()).toMatchObject({
      advanced: { apiToken: 'OURS', completionURL: 'http://127.0.0.1:4800/', model: 'm' },
      nextEdit: { enabled: true },
    });
    expect(settings['augment']).toBe(REAL);
    expect(REAL.advanced).toEqual({ apiToken: 'THEIRS', model: 'm' });
  });

  test('is the same in every way of asking', () => {
    const { workspace } = overlay();
    const advanced = { apiToken: 'OURS', completionURL: 'http://127.0.0.1:4800/', model: 'm' };
    expect(workspace.getConfiguration('augment').get('advanced')).toEqual(advanced);
    expect(workspace.getConfiguration('augment').get('advanced.apiToken')).toBe('OURS');
    expect(workspace.getConfiguration('augment').get('advanced.model', 'none')).toBe('m');
    expect(workspace.getConfiguration('augment').get('advanced.other', 'none')).toBe('none');
    expect(workspace.getConfiguration('augment.advanced').get('completionURL')).toBe('http://127.0.0.1:4800/');
    expect(workspace.getConfiguration().get('augment.advanced')).toEqual(advanced);
    expect(workspace.getConfiguration().get('augment')).toEqual({ advanced, nextEdit: { enabled: true } });
    expect({ ...workspace.getConfiguration('augment') }).toMatchObject({ advanced, nextEdit: { enabled: true } });
    expect(workspace.getConfiguration('augment').has('advanced.completionURL')).toBe(true);
  });

  describe('has nothing of a workspace or a folder in it', () => {
    const evil = {
      completionURL: 'https://evil.example/',
      chat: { url: 'https://evil.example/' },
      later: { url: 'x' },
    };
    const advanced = { apiToken: 'OURS', completionURL: 'http://127.0.0.1:4800/', model: 'm' };

    test.each(['workspace', 'folder'])('%s', (level) => {
      const hostile = { augment: { advanced: evil, other: 'w' } };
      if (level === 'workspace') workspaceSettings = hostile;
      else folderSettings = hostile;
      const { workspace } = overlay();
      const section = workspace.getConfiguration('augment');

      expect([section.get('advanced'), { ...section }['advanced'], section.inspect('advanced')]).toEqual([
        advanced,
        advanced,
        { key: 'augment.advanced', globalValue: advanced },
      ]);
      expect(['advanced.chat', 'advanced.chat.url', 'advanced.later.url'].map((key) => section.get(key))).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect([section.has('advanced.chat'), section.get('advanced.chat.url', 'none')]).toEqual([false, 'none']);
      expect(workspace.getConfiguration('augment.advanced').get('chat')).toBe(undefined);
      expect({ ...workspace.getConfiguration('augment.advanced') }).toMatchObject({ ...advanced, chat: undefined });
      expect(workspace.getConfiguration('augment.advanced.chat').get('url')).toBe(undefined);
      expect({ ...workspace.getConfiguration('augment.advanced.chat') }['url']).toBe(undefined);
      expect(workspace.getConfiguration().get('augment')).toEqual({
        advanced,
        other: 'w',
        nextEdit: { enabled: true },
      });
      expect(JSON.stringify(workspace.getConfiguration().inspect('augment'))).not.toContain('evil');
    });

    test('and what it says is not written into the person’s settings either', async () => {
      workspaceSettings = { augment: { advanced: evil } };
      const section = overlay().workspace.getConfiguration('augment');
      await section.update('advanced', { ...section.get<object>('advanced'), model: 'new' }, true);
      expect(updates).toEqual([['advanced', { apiToken: 'THEIRS', model: 'new' }, true]]);
    });
  });

  test('follows changes of ours and of its own, and stops when nothing is overlaid', () => {
    const listener = new ConfigListener(overlay());
    overlaid = { augment: { advanced: { apiToken: 'NEW', completionURL: 'http://127.0.0.1:9/' } } };
    changed.fire();
    expect([listener.heard, listener._getRawSettings()['advanced']]).toEqual([
      1,
      { apiToken: 'NEW', completionURL: 'http://127.0.0.1:9/', model: 'm' },
    ]);
    realChanged.fire({ affectsConfiguration: () => true });
    overlaid = undefined;
    changed.fire();
    expect([listener.heard, listener._getRawSettings()['advanced']]).toEqual([3, REAL.advanced]);
  });
});

test('a change of ours affects its own setting and what is around and below it, and nothing else', () => {
  const asked: Record<string, boolean> = {};
  overlay().workspace.onDidChangeConfiguration((event) => {
    for (const section of [
      'augment',
      'augment.advanced',
      'augment.advanced.apiToken',
      'augment.advancedOther',
      'editor',
      'aug',
    ])
      asked[section] = event.affectsConfiguration(section);
  });
  changed.fire();
  expect(asked).toEqual({
    augment: true,
    'augment.advanced': true,
    'augment.advanced.apiToken': true,
    'augment.advancedOther': false,
    editor: false,
    aug: false,
  });
});

test('who stops listening hears nothing more, and a list of disposables gets its entry', () => {
  const list: vscode.Disposable[] = [];
  let heard = 0;
  const self = { add: 1 };
  overlay().workspace.onDidChangeConfiguration(
    function (this: typeof self) {
      heard += this.add;
    },
    self,
    list,
  );
  changed.fire();
  expect([heard, list.length]).toEqual([1, 1]);
  list[0]!.dispose();
  changed.fire();
  realChanged.fire({ affectsConfiguration: () => true });
  expect(heard).toBe(1);
});

test('everything else of the API is the real thing, also for bundlers that copy own properties', () => {
  const real = realApi();
  const api = overlay(real);
  const copied = Object.fromEntries(Object.getOwnPropertyNames(api).map((name) => [name, api[name as keyof Api]]));

  expect(Object.getOwnPropertyNames(api).sort()).toEqual(['version', 'window', 'workspace']);
  expect([copied['window'], copied['version']]).toEqual([real.window, real.version]);
  expect(api.workspace.workspaceFolders).toEqual(['a folder']);
  expect(Object.getPrototypeOf(api)).toBe(real);
  expect(api.workspace.getConfiguration('editor').get('tabSize')).toBe(2);
  expect(Object.isFrozen(real)).toBe(true);
});

test('what is only seen is never written to the settings of the person', async () => {
  const configuration = overlay().workspace.getConfiguration('augment');
  const advanced = configuration.get<object>('advanced');
  await configuration.update('advanced', { ...advanced, model: 'new' }, true);
  await configuration.update('advanced', { apiToken: 'MINE' }, 1);
  await configuration.update('nextEdit', { enabled: false }, 1);
  await overlay().workspace.getConfiguration().update('augment.advanced.apiToken', 'OURS', 1);

  expect(updates).toEqual([
    ['advanced', { apiToken: 'THEIRS', model: 'new' }, true],
    ['advanced', { apiToken: 'MINE' }, 1],
    ['nextEdit', { enabled: false }, 1],
    ['augment.advanced.apiToken', 'THEIRS', 1],
  ]);
});

test('where the overlay fails, the real settings are seen and the failure is told', () => {
  const api = overlayApi(realApi(), {
    read: () => {
      throw new Error('broken');
    },
    onDidChange: changed.event,
    onFailure: (error) => failures.push(error),
  });
  expect(api.workspace.getConfiguration('augment').get('advanced')).toEqual(REAL.advanced);
  expect(failures).toEqual([new Error('broken')]);
});

test('for any settings, what is asked for is the overlay where it has a value and the real one where it has none', () => {
  const paths = ['augment', 'augment.advanced', 'augment.advanced.apiToken', 'augment.other', 'editor.tabSize', 'none'];
  const value = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('advanced', 'other', 'apiToken'), fc.jsonValue()),
  );
  fc.assert(
    fc.property(value, fc.constantFrom(...paths), (augment, path) => {
      settings = { augment, editor: { tabSize: 2 } };
      const real = realApi();
      const [section, ...rest] = path.split('.');
      const asked = [overlay(real).workspace.getConfiguration().get(path)];
      if (rest.length > 0) asked.push(overlay(real).workspace.getConfiguration(section).get(rest.join('.')));
      const expected: Record<string, unknown> = {
        augment: expect.objectContaining({ advanced: expect.objectContaining(OVERLAY.augment.advanced) as unknown }),
        'augment.advanced': expect.objectContaining(OVERLAY.augment.advanced),
        'augment.advanced.apiToken': 'OURS',
      };
      for (const found of asked)
        expect(found).toEqual(path in expected ? expected[path] : real.workspace.getConfiguration().get(path));
    }),
    { seed: 1 },
  );
});
