import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshEditor, type StandInEditor } from '../vscode.fixture.ts';
import { checkSettings } from './check-settings.ts';
import type { Settings } from './settings-store.ts';

let editor: StandInEditor;
beforeEach(() => void (editor = freshEditor()));
afterEach(() => void freshEditor()); // Nobody after this should be spoken to in Chinese.

const RIGHT: Settings = {
  baseUrl: 'https://models.example/v1',
  model: 'vendor/large-1:free',
  temperature: 0.7,
  maxTokens: 100,
  systemPromptBase: 'Use {braces} and {env:HOME} freely.\nIn lines.',
  augmentBaseUrl: '',
  searchWithRipgrep: false,
  apiKey: 'sk-1',
  augmentToken: undefined,
};

const wrong = (change: Partial<Settings>) => checkSettings({ ...RIGHT, ...change }).map(({ item }) => item);

test('what is right has no problems, and so has nothing at all', () => {
  expect(wrong({})).toEqual([]);
  expect(
    checkSettings({
      baseUrl: '',
      model: '',
      temperature: undefined,
      maxTokens: undefined,
      systemPromptBase: '',
      augmentBaseUrl: '',
      searchWithRipgrep: false,
      apiKey: undefined,
      augmentToken: undefined,
    }),
  ).toEqual([]);
});

test.each([
  ['baseUrl', ['models.example', 'ftp://x/', 'file:///etc', 'javascript:alert(1)', 'https://', 'http://x/{env:HOME}']],
  ['augmentBaseUrl', ['https://a b/', 'https://x/\u0000', 'https:x']],
  ['model', [' m', 'm\n', '{env:HOME}', 'x'.repeat(201)]],
  ['temperature', [-0.1, 2.1, Number.NaN]],
  ['maxTokens', [0, 1.5, Number.NaN, -1, 1e12]],
  ['systemPromptBase', ['x'.repeat(100_001), 'a\0b']],
  ['apiKey', ['two words', 'line\nbreak', 'schlüssel', 'x'.repeat(10_001)]],
  ['augmentToken', ['a b', '密钥']],
] as const)('%s is refused where it cannot be right', (item, values) => {
  for (const value of values) expect([value, wrong({ [item]: value })]).toEqual([value, [item]]);
});

test('an address with a key in it is refused, because addresses are kept in the open', () => {
  expect(checkSettings({ ...RIGHT, baseUrl: 'https://me:sk-secret@models.example/v1' })).toEqual([
    {
      item: 'baseUrl',
      sentence: 'This URL contains a user name or a key. Enter the key in its own field.',
    },
  ]);
});

test('an address or a key needs a model, and the person is told in their language', () => {
  editor.language = 'zh-cn';
  expect(checkSettings({ ...RIGHT, model: '' })).toEqual([
    { item: 'model', sentence: '请填写模型名称，与服务商的叫法一致。' },
  ]);
});

test('everything that is wrong is told at once, each item with one sentence', () => {
  expect(wrong({ baseUrl: 'x', model: '{}', temperature: 9, maxTokens: 0, apiKey: ' ', augmentToken: ' ' })).toEqual([
    'baseUrl',
    'model',
    'temperature',
    'maxTokens',
    'apiKey',
    'augmentToken',
  ]);
});
