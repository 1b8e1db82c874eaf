import { expect, test } from 'vitest';
import { readModels } from './read-models.ts';

test('names stand apart by commas or spaces, and none is all models', () => {
  expect(readModels(' fast, openai/* ,\nx')).toEqual({ models: ['fast', 'openai/*', 'x'] });
  expect(readModels('fast，openai/*、x')).toEqual({ models: ['fast', 'openai/*', 'x'] });
  expect(readModels(' , ')).toEqual({});
  expect(readModels('')).toEqual({});
});
