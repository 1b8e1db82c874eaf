import { expect, test } from 'vitest';
import { builtInVectors } from './built-in-vectors.ts';

test('a name is near to a question that means it, in either language', () => {
  for (const question of ['where are credentials verified', '在哪里验证登录']) {
    const likeness = builtInVectors().nameLikeness(question);

    expect(likeness('authenticateUser')).toBeGreaterThan(likeness('renderButton'));
  }
});

test('the spelling of a name does not matter, and the order of its words neither', () => {
  const likeness = builtInVectors().nameLikeness('how are requests retried');

  expect(likeness('retry_request')).toBe(likeness('retryRequest'));
  expect(likeness('requestRetry')).toBeCloseTo(likeness('retryRequest'), 6);
});

test('a name of unknown words is like nothing', () => {
  expect(builtInVectors().nameLikeness('how are requests retried')('qzxv')).toBe(0);
  expect(builtInVectors().nameLikeness('qzxv')('retryRequest')).toBe(0);
});
