import { expect, test } from 'vitest';
import { firstToTalk, modelToTest } from './model-to-test.ts';

const provider = (models: string[]) => ({ name: 'open', type: 'openai-chat', models, keys: 1, isBuiltIn: false });

test('a provider is tested with a model that it lists, else with one that a route asks it for', () => {
  const routes = [
    { name: 'default', targets: ['opener/x', 'open/deep/seek'] },
    { name: 'fast', targets: ['open/other'] },
  ];
  expect(modelToTest(provider(['*', 'gpt-5']), routes)).toBe('gpt-5');
  expect(modelToTest(provider(['*']), routes)).toBe('deep/seek');
  expect(modelToTest(provider(['*']), [])).toBe(undefined);
});

test('a model that embeds or paints is not asked for words where another one is there', () => {
  expect(firstToTalk(['text-embedding-3', 'dall-e-3', 'gpt-5'])).toBe('gpt-5');
  expect(firstToTalk(['nomic-embed'])).toBe('nomic-embed');
  expect(firstToTalk([])).toBe(undefined);
});
