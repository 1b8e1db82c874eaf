import type { Settings } from '@dragoman/protocol/console';
import { describe, expect, test } from 'vitest';
import { changesOf, hasKey, newForm, type ProviderForm, savedForm, testedProvider } from './provider-form.ts';
import { freeName, PROVIDER_PRESETS, suggestModel } from './provider-presets.ts';

const [ANTHROPIC] = PROVIDER_PRESETS;

function settingsWith(settings: Settings['settings']): Settings {
  return { file: 'dragoman.json', version: 'v1', settings, overridden: [] };
}

function filled(changes: Partial<ProviderForm> = {}): ProviderForm {
  return { ...newForm(ANTHROPIC!, 'anthropic', false), apiKey: ' sk-1 ', models: ['claude-a'], ...changes };
}

test('a new provider is one value, its key is kept apart, and the route default leads to its models', () => {
  expect(changesOf(filled({ models: ['claude-a', 'claude-b'] }), settingsWith({}), true, [])).toEqual({
    version: 'v1',
    changes: [
      {
        path: ['providers', 'anthropic'],
        value: {
          type: 'anthropic-messages',
          apiKey: '{secret:providers.anthropic.apiKey}',
          models: ['claude-a', 'claude-b'],
        },
      },
      { path: ['routes', 'default'], value: ['anthropic/claude-a', 'anthropic/claude-b'] },
    ],
    secrets: { 'providers.anthropic.apiKey': 'sk-1' },
  });
});

test('a provider without a key has none, and no secret is kept', () => {
  const form = filled({
    name: 'home',
    type: 'ollama',
    baseUrl: 'http://127.0.0.1:11434',
    apiKey: '',
    models: ['qwen'],
  });
  expect(changesOf(form, settingsWith({}), true, [])).toEqual({
    version: 'v1',
    changes: [
      {
        path: ['providers', 'home'],
        value: { type: 'ollama', baseUrl: 'http://127.0.0.1:11434', models: ['qwen'] },
      },
      { path: ['routes', 'default'], value: ['home/qwen'] },
    ],
  });
});

test('a saved provider is changed field by field, so what the form does not show stays', () => {
  const settings = settingsWith({
    providers: { anthropic: { type: 'anthropic-messages', baseUrl: 'https://a.example', apiKey: '••••', headers: {} } },
  });
  const form = { ...savedForm('anthropic', settings), baseUrl: '', models: ['claude-b'] };
  expect(changesOf(form, settings, false, [])).toEqual({
    version: 'v1',
    changes: [
      { path: ['providers', 'anthropic', 'type'], value: 'anthropic-messages' },
      { path: ['providers', 'anthropic', 'baseUrl'] },
      { path: ['providers', 'anthropic', 'models'], value: ['claude-b', '*'] },
    ],
  });
  expect(hasKey('anthropic', settings)).toBe(true);
  expect(hasKey('nobody', settings)).toBe(false);
});

describe('the models that a provider is saved with', () => {
  const NONE = settingsWith({});
  const modelsOf = ({ changes }: ReturnType<typeof changesOf>) => {
    const { path, value } = changes.find(({ path }) => path.length === 2 || path.at(-1) === 'models')!;
    return path.length === 2 ? (value as { models: unknown }).models : value;
  };

  test('are those that the service lists, the chosen ones first, and no name beyond', () => {
    expect(modelsOf(changesOf(filled({ models: ['b'] }), NONE, true, ['a', 'b', 'c']))).toEqual(['b', 'a', 'c']);
    expect(modelsOf(changesOf(filled({ models: ['own'] }), NONE, true, ['a']))).toEqual(['own', 'a']);
  });

  test('are the chosen ones where the service lists none, or where only these are wanted', () => {
    expect(modelsOf(changesOf(filled({ models: ['b'] }), NONE, true, []))).toEqual(['b']);
    expect(modelsOf(changesOf(filled({ models: ['b'], others: 'none' }), NONE, true, ['a', 'b']))).toEqual(['b']);
  });

  test('take any name where somebody wants that', () => {
    expect(modelsOf(changesOf(filled({ models: ['b'], others: 'any' }), NONE, true, ['a']))).toEqual(['b', '*']);
  });

  test('are as many as a configuration takes', () => {
    const offered = Array.from({ length: 2000 }, (_, number) => `m${number}`);
    expect(modelsOf(changesOf(filled({ models: ['m5'] }), NONE, true, offered))).toHaveLength(900);
  });

  test.each([
    ['one that serves only the models it lists', { models: ['a'] }, { models: ['a'], others: 'none' }, ['a']],
    ['one that takes any name', { models: ['a', '*'] }, { models: ['a'], others: 'any' }, ['a', '*']],
    ['one without a list, which takes any name', {}, { models: [], others: 'any' }, ['*']],
    [
      'one with more models than the route default asks',
      { models: ['a', 'b', 'c'] },
      { models: ['b'], others: 'listed' },
      ['b', 'a', 'c'],
      ['mine/b', 'other/a'],
    ],
  ] as const)('stay the same for %s', (_, provider, form, models, targets: readonly string[] = []) => {
    const settings = settingsWith({
      providers: { mine: { type: 'openai-chat', ...provider } },
      routes: { default: [...targets] },
    });
    expect(savedForm('mine', settings)).toMatchObject(form);
    expect(modelsOf(changesOf(savedForm('mine', settings), settings, false, []))).toEqual(models);
  });
});

test('the models come first or last in the route default, which keeps its own settings', () => {
  const settings = settingsWith({
    routes: { default: { targets: ['old/m', 'anthropic/claude-a'], temperature: 0.2 } },
  });
  const routeOf = (place: ProviderForm['place']) => changesOf(filled({ place }), settings, true, []).changes.slice(1);
  expect(routeOf('first')).toEqual([
    { path: ['routes', 'default', 'targets'], value: ['anthropic/claude-a', 'old/m'] },
  ]);
  expect(routeOf('last')).toEqual([{ path: ['routes', 'default', 'targets'], value: ['old/m', 'anthropic/claude-a'] }]);
  expect(routeOf('none')).toEqual([]);
});

test('the saved provider is tested by its name until something of it was changed', () => {
  const saved = filled({ apiKey: '', baseUrl: 'https://a.example' });
  expect(testedProvider(saved, saved)).toBe('anthropic');
  expect(testedProvider({ ...saved, apiKey: 'sk-2' }, saved)).toEqual({
    type: 'anthropic-messages',
    baseUrl: 'https://a.example',
    apiKey: 'sk-2',
  });
  expect(testedProvider({ ...saved, baseUrl: 'https://b.example' }, saved)).toEqual({
    type: 'anthropic-messages',
    baseUrl: 'https://b.example',
  });
});

test('the model a service is known for is suggested, else its first', () => {
  expect(suggestModel(['claude-haiku-9', 'claude-sonnet-9'], ANTHROPIC!)).toBe('claude-sonnet-9');
  expect(suggestModel(['something'], ANTHROPIC!)).toBe('something');
  expect(suggestModel([], ANTHROPIC!)).toBe(undefined);
});

test('a name that is taken gets a number', () => {
  expect(freeName('openai', [])).toBe('openai');
  expect(freeName('openai', ['openai', 'openai-2'])).toBe('openai-3');
});
