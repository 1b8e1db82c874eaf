import { expect, test } from 'vitest';
import { priceChange, priceMistakes } from './price-draft.ts';

test('a price is saved under its provider and model, whose name may have slashes', () => {
  expect(priceChange('router/org/model', { input: '0,5', cacheRead: '$.05', output: ' 2 ' })).toEqual({
    path: ['providers', 'router', 'prices', 'org/model'],
    value: { input: 0.5, cacheRead: 0.05, output: 2 },
  });
  expect(priceChange('p/m', { input: '0', cacheRead: '', output: '$1.25' })).toEqual({
    path: ['providers', 'p', 'prices', 'm'],
    value: { input: 0, output: 1.25 },
  });
});

test('what is missing or no price is said by field', () => {
  expect(priceMistakes({ input: '', cacheRead: '', output: '' })).toEqual({ input: 'wanted', output: 'wanted' });
  expect(priceMistakes({ input: '-1', cacheRead: 'free', output: '1e3' })).toEqual({
    input: 'wrong',
    cacheRead: 'wrong',
    output: 'wrong',
  });
  expect(priceMistakes({ input: '1.2.3', cacheRead: '1,000,000', output: '10001' })).toEqual({
    input: 'wrong',
    cacheRead: 'wrong',
    output: 'wrong',
  });
  expect(priceMistakes({ input: '3', cacheRead: '0.3', output: '15' })).toEqual({});
});
