import { tempFolder } from '@dragoman/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { freshEditor, standInContext } from '../vscode.fixture.ts';
import { openSettingsStore, type Settings } from './settings-store.ts';

const ALL: Settings = {
  baseUrl: 'https://models.example/v1',
  model: 'large-1',
  temperature: 0.2,
  maxTokens: 4096,
  systemPromptBase: 'Be brief.',
  augmentBaseUrl: 'https://augment.example/',
  searchWithRipgrep: false,
  apiKey: 'sk-very-secret',
  augmentToken: 'AUGMENT-SECRET',
};

beforeEach(() => void freshEditor());

function open() {
  const context = standInContext(tempFolder());
  const store = openSettingsStore(context);
  let changes = 0;
  store.onDidChange(() => (changes += 1));
  return { context, store, changes: () => changes };
}

/** Everything in globalState, written out. */
function stateOf({ globalState }: ReturnType<typeof open>['context']): Record<string, unknown> {
  return Object.fromEntries(globalState.keys().map((key) => [key, globalState.get(key)]));
}

test('a fresh installation has nothing set', async () => {
  expect(await open().store.read()).toEqual({
    baseUrl: '',
    model: '',
    temperature: undefined,
    maxTokens: undefined,
    systemPromptBase: '',
    augmentBaseUrl: '',
    searchWithRipgrep: false,
    apiKey: undefined,
    augmentToken: undefined,
  });
});

test('EDITOR-08 EDITOR-11 all eight items are kept, six of them in globalState', async () => {
  const { context, store } = open();
  await store.save(ALL);

  expect(await store.read()).toEqual(ALL);
  expect(await openSettingsStore(context).read()).toEqual(ALL);
  expect(stateOf(context)).toEqual({
    'dragoman.baseUrl': 'https://models.example/v1',
    'dragoman.model': 'large-1',
    'dragoman.temperature': 0.2,
    'dragoman.maxTokens': 4096,
    'dragoman.systemPromptBase': 'Be brief.',
    'dragoman.augmentBaseUrl': 'https://augment.example/',
  });
});

test('the switch is kept in globalState, and taken out where it is off', async () => {
  const { context, store } = open();
  await store.save({ searchWithRipgrep: true });
  expect(await openSettingsStore(context).read()).toMatchObject({ searchWithRipgrep: true });
  expect(stateOf(context)).toEqual({ 'dragoman.searchWithRipgrep': true });

  await store.save({ searchWithRipgrep: false });
  expect(stateOf(context)).toEqual({});
});

test('EDITOR-09 EDITOR-10 apiKey and augmentToken are in the secrets and nowhere else', async () => {
  const { context, store } = open();
  await store.save(ALL);

  expect(await context.secrets.get('dragoman.apiKey')).toBe('sk-very-secret');
  expect(await context.secrets.get('dragoman.augmentToken')).toBe('AUGMENT-SECRET');
  const elsewhere = JSON.stringify([stateOf(context), (await store.serverSettings()).configuration]);
  expect([elsewhere.includes('sk-very-secret'), elsewhere.includes('AUGMENT-SECRET')]).toEqual([false, false]);
});

describe('saving', () => {
  test('changes what is given and leaves the rest; an empty item is taken away', async () => {
    const { context, store } = open();
    await store.save(ALL);
    await store.save({ model: 'small-1', temperature: undefined, systemPromptBase: '', augmentToken: undefined });

    expect(await store.read()).toEqual({
      ...ALL,
      model: 'small-1',
      temperature: undefined,
      systemPromptBase: '',
      augmentToken: undefined,
    });
    expect(Object.keys(stateOf(context)).sort()).toEqual([
      'dragoman.augmentBaseUrl',
      'dragoman.baseUrl',
      'dragoman.maxTokens',
      'dragoman.model',
    ]);
  });

  test('tells once of what is different, and nothing of what is the same', async () => {
    const { store, changes } = open();
    await store.save(ALL);
    expect(changes()).toBe(1);
    await store.save(ALL);
    await store.save({});
    expect(changes()).toBe(1);
  });

  test('refuses what cannot be right, and keeps what was there', async () => {
    const { store } = open();
    await store.save(ALL);

    await expect(store.save({ temperature: 3, model: 'other' })).rejects.toMatchObject({
      code: 'config-invalid',
      message: 'Enter a number from 0 to 2.',
    });
    expect(await store.read()).toEqual(ALL);
  });

  test('where saving is cut short, the key of one address never stands beside another', async () => {
    const { context, store } = open();
    await store.save({ ...ALL, baseUrl: 'https://one.example/v1', apiKey: 'KEY-ONE' });
    const { store: storeSecret } = context.secrets;
    context.secrets.store = () => Promise.reject(new Error('the keyring is locked'));

    await expect(store.save({ baseUrl: 'https://two.example/v1', apiKey: 'KEY-TWO' })).rejects.toThrow('locked');
    expect(await store.read()).toMatchObject({ baseUrl: 'https://two.example/v1', apiKey: undefined });
    context.secrets.store = storeSecret;
    await store.save({ apiKey: 'KEY-TWO' });
    expect(await store.read()).toMatchObject({ baseUrl: 'https://two.example/v1', apiKey: 'KEY-TWO' });
  });

  test('two at once are both kept', async () => {
    const { store } = open();
    await Promise.all([store.save({ model: 'm' }), store.save({ temperature: 1 }), store.save({ apiKey: 'k' })]);
    expect(await store.read()).toMatchObject({ model: 'm', temperature: 1, apiKey: 'k' });
  });
});

test('a key that another window saved is told here', async () => {
  const { context, changes } = open();
  await context.secrets.store('dragoman.apiKey', 'other');
  await context.secrets.store('dragoman.serverToken', 'of no concern');
  expect(changes()).toBe(1);
});

test('what another version left there does not break it', async () => {
  const { context, store } = open();
  await context.globalState.update('dragoman.temperature', 'hot');
  await context.globalState.update('dragoman.maxTokens', null);
  await context.globalState.update('dragoman.model', { name: 'm' });
  expect(await store.read()).toMatchObject({ temperature: undefined, maxTokens: undefined, model: '' });
});
