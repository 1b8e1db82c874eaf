import { expect, test } from 'vitest';

test('this test fails, so that another one can see that the run does', () => {
  expect(1).toBe(2);
});
