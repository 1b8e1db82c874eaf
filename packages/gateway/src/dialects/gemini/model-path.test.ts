import { expect, test } from 'vitest';
import { parseModelPath } from './model-path.ts';

test.each([
  ['models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro', 'generateContent'],
  ['models/provider/model:countTokens', 'provider/model', 'countTokens'],
  ['models/local/qwen3:8b:streamGenerateContent', 'local/qwen3:8b', 'streamGenerateContent'],
  ['models/models/x:embedContent', 'models/x', 'embedContent'],
  ['models/gemini-2.5-pro', 'gemini-2.5-pro', ''],
  ['models/local/qwen3:8b', 'local/qwen3:8b', ''],
  ['tunedModels/mine:generateContent', 'tunedModels/mine', 'generateContent'],
  ['publishers/google/models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro', 'generateContent'],
  ['publishers/local/models/qwen:generateContent', 'local/qwen', 'generateContent'],
  ['projects/p/locations/l/publishers/google/models/g:countTokens', 'g', 'countTokens'],
])('%s asks for %s and %s', (path, asked, method) => {
  expect(parseModelPath(path)).toEqual({ asked, method });
});

test.each(['', 'files/a', 'cachedContents', 'models', 'models:batch', 'publishers/google/x'])(
  '"%s" names no model',
  (path) => {
    expect(parseModelPath(path)).toBeUndefined();
  },
);
