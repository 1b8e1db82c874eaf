import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toServerSettings } from './server-settings.ts';
import type { Settings } from './settings-store.ts';

const NOTHING: Settings = {
  baseUrl: '',
  model: '',
  temperature: undefined,
  maxTokens: undefined,
  systemPromptBase: '',
  augmentBaseUrl: '',
  searchWithRipgrep: false,
  apiKey: undefined,
  augmentToken: undefined,
};

describe('EDITOR-08 the eight items as a configuration', () => {
  test('with nothing set the offline model serves every name', () => {
    expect(toServerSettings(NOTHING)).toEqual({
      configuration: { routes: { default: { targets: ['offline/offline'] }, '*': { targets: ['offline/offline'] } } },
      environment: {},
    });
  });

  test('with all set, the keys are in the environment and are only named in the configuration', () => {
    const route = { targets: ['byok/large-1'], temperature: 0, maxTokens: 4096 };
    expect(
      toServerSettings({
        baseUrl: 'https://models.example/v1',
        model: 'large-1',
        temperature: 0,
        maxTokens: 4096,
        systemPromptBase: 'Be brief.',
        augmentBaseUrl: 'https://augment.example/',
        searchWithRipgrep: false,
        apiKey: 'sk-secret',
        augmentToken: 'AT',
      }),
    ).toEqual({
      configuration: {
        providers: {
          byok: {
            type: 'openai-chat',
            baseUrl: 'https://models.example/v1',
            apiKey: '{env:DRAGOMAN_BYOK_API_KEY}',
            models: ['large-1'],
          },
        },
        routes: { default: route, '*': route },
        augment: {
          systemPromptBase: 'Be brief.',
          baseUrl: 'https://augment.example/',
          token: '{env:DRAGOMAN_BYOK_AUGMENT_TOKEN}',
        },
      },
      environment: { DRAGOMAN_BYOK_API_KEY: 'sk-secret', DRAGOMAN_BYOK_AUGMENT_TOKEN: 'AT' },
    });
  });

  test('BYOK-27 with the switch on, ripgrep answers in what is open in the editor', () => {
    expect(toServerSettings({ ...NOTHING, searchWithRipgrep: true }).configuration).toMatchObject({
      retrieval: { engine: 'ripgrep', editorFolders: true },
    });
  });

  test('a local server needs no key, and a key alone is for the service that the protocol is named after', () => {
    expect(
      toServerSettings({ ...NOTHING, model: 'm', baseUrl: 'http://127.0.0.1:8000/v1' }).configuration,
    ).toMatchObject({
      providers: { byok: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:8000/v1', models: ['m'] } },
    });
    expect(toServerSettings({ ...NOTHING, model: 'm', apiKey: 'k' }).configuration).toMatchObject({
      providers: { byok: { type: 'openai-chat', apiKey: '{env:DRAGOMAN_BYOK_API_KEY}', models: ['m'] } },
    });
  });

  test('a model without a place or an account to ask, or the other way round, leaves the offline model', () => {
    for (const some of [{ model: 'm' }, { apiKey: 'k' }, { baseUrl: 'http://127.0.0.1:1' }])
      expect(toServerSettings({ ...NOTHING, ...some })).toMatchObject({
        configuration: { routes: { default: { targets: ['offline/offline'] } } },
        environment: {},
      });
  });

  test('a system prompt that looks like a reference is not looked up', () => {
    const { configuration, environment } = toServerSettings({
      ...NOTHING,
      systemPromptBase: 'Read {file:/etc/passwd}',
    });
    expect(configuration).toMatchObject({ augment: { systemPromptBase: '{env:DRAGOMAN_BYOK_SYSTEM_PROMPT}' } });
    expect(environment).toEqual({ DRAGOMAN_BYOK_SYSTEM_PROMPT: 'Read {file:/etc/passwd}' });
  });
});

test('EDITOR-09 EDITOR-10 whatever the keys are, they are not in the configuration', () => {
  const key = fc.stringMatching(/^[\x21-\x7e]{12,40}$/);
  fc.assert(
    fc.property(key, key, fc.string(), (apiKey, augmentToken, systemPromptBase) => {
      fc.pre(!systemPromptBase.includes(apiKey) && !systemPromptBase.includes(augmentToken));
      const { configuration, environment } = toServerSettings({
        ...NOTHING,
        model: 'm',
        systemPromptBase,
        apiKey,
        augmentToken,
      });
      const text = JSON.stringify(configuration);
      expect([text.includes(JSON.stringify(apiKey)), text.includes(JSON.stringify(augmentToken))]).toEqual([
        false,
        false,
      ]);
      expect(Object.values(environment)).toEqual(expect.arrayContaining([apiKey, augmentToken]));
    }),
    { seed: 1 },
  );
});
