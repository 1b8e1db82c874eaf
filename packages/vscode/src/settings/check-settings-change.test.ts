import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshEditor, type StandInEditor } from '../vscode.fixture.ts';
import { checkSettingsChange } from './check-settings-change.ts';
import type { Settings } from './settings-store.ts';

let editor: StandInEditor;
beforeEach(() => void (editor = freshEditor()));
afterEach(() => void freshEditor()); // Nobody after this should be spoken to in Chinese.

const BEFORE: Settings = {
  baseUrl: 'https://models.example/v1',
  model: 'large-1',
  temperature: undefined,
  maxTokens: undefined,
  systemPromptBase: '',
  augmentBaseUrl: 'https://augment.example',
  searchWithRipgrep: false,
  apiKey: 'sk-1',
  augmentToken: 'AT-1',
};
const wrong = (change: Partial<Settings>, before: Settings = BEFORE) =>
  checkSettingsChange(before, change).map(({ item }) => item);

test('a kept key does not follow its address to another host, port or scheme', () => {
  for (const baseUrl of [
    'https://evil.example/v1',
    'https://models.example.evil.example/v1',
    'https://models.example:8443/v1',
    'http://models.example/v1',
    '',
  ])
    expect(wrong({ baseUrl })).toEqual(['apiKey']);
  expect(wrong({ augmentBaseUrl: 'https://evil.example' })).toEqual(['augmentToken']);
  expect(wrong({ baseUrl: 'https://evil.example', augmentBaseUrl: 'https://evil.example' })).toEqual([
    'apiKey',
    'augmentToken',
  ]);
});

test('the way over no address leads a kept key nowhere else either', () => {
  expect(wrong({ augmentBaseUrl: '' })).toEqual([]);
  expect(wrong({ augmentBaseUrl: 'https://evil.example' }, { ...BEFORE, augmentBaseUrl: '' })).toEqual([
    'augmentToken',
  ]);
});

test('a key stays where only the path of its address changes, or where no address means the same', () => {
  expect(wrong({ baseUrl: 'https://models.example/v2/', model: 'small-1' })).toEqual([]);
  expect(wrong({ baseUrl: 'https://api.openai.com/v1' }, { ...BEFORE, baseUrl: '' })).toEqual([]);
  expect(wrong({ baseUrl: '' }, { ...BEFORE, baseUrl: 'https://api.openai.com/v1' })).toEqual([]);
});

test('a key that is typed again, removed or missing asks nothing', () => {
  expect(wrong({ baseUrl: 'https://other.example/v1', apiKey: 'sk-1' })).toEqual([]);
  expect(wrong({ baseUrl: 'https://other.example/v1', apiKey: undefined })).toEqual([]);
  expect(wrong({ baseUrl: 'https://other.example/v1' }, { ...BEFORE, apiKey: undefined })).toEqual([]);
});

test('the sentence names the host, in the language of the editor; an address that is wrong comes first', () => {
  const change = { baseUrl: 'https://other.example:8443/v1' };
  expect(checkSettingsChange(BEFORE, change)[0]?.sentence).toBe(
    'The saved one is for another URL. Enter it again for other.example:8443, or remove it.',
  );
  editor.language = 'zh-cn';
  expect(checkSettingsChange(BEFORE, change)[0]?.sentence).toBe(
    '已保存的内容属于另一个地址。请为 other.example:8443 重新填写，或将其移除。',
  );
  expect(wrong({ baseUrl: 'nowhere' })).toEqual(['baseUrl']);
});
