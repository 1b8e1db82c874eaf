import { expect, test } from 'vitest';
import { modelLimits } from './model-limits.ts';
import { testTarget } from './target.fixture.ts';

test('a model of a known family has the limits its maker gives', () => {
  expect(modelLimits(testTarget({}, 'claude-sonnet-5'))).toEqual({ context: 200_000, output: 64_000 });
  expect(modelLimits(testTarget({}, 'openai/o3'))).toEqual({ context: 200_000, output: 100_000 });
});

test('a model that is not known has a modest limit', () => {
  expect(modelLimits(testTarget({}, 'my-own'))).toEqual({ context: 128_000, output: 8_192 });
});

test('what is configured counts, for one model or for all', () => {
  const limits = { 'my-own': { context: 60_000, output: 4_000 }, '*': { context: 16_000 } };
  expect(modelLimits(testTarget({ limits }, 'my-own'))).toEqual({ context: 60_000, output: 4_000 });
  expect(modelLimits(testTarget({ limits }, 'other'))).toEqual({ context: 16_000, output: 4_000 });
});
