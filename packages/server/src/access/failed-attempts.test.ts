import { expect, test } from 'vitest';
import { FailedAttempts } from './failed-attempts.ts';

test('each wrong token from an address waits twice as long as the one before, up to three seconds', () => {
  const attempts = new FailedAttempts(() => 0);

  expect(Array.from({ length: 9 }, () => attempts.waitFor('10.0.0.1'))).toEqual([
    50, 100, 200, 400, 800, 1600, 3000, 3000, 3000,
  ]);
  expect(attempts.waitFor('10.0.0.2')).toBe(50);
});

test('an address that stops guessing for a minute starts anew', () => {
  let now = 0;
  const attempts = new FailedAttempts(() => now);
  attempts.waitFor('10.0.0.1');
  attempts.waitFor('10.0.0.1');

  now = 60_001;

  expect(attempts.waitFor('10.0.0.1')).toBe(50);
});

test('when two hundred wait already, the next wrong token is refused outright', async () => {
  const attempts = new FailedAttempts(() => 0);
  const waiting = Array.from({ length: 200 }, (_, index) => attempts.holdBack(`address ${index}`));

  expect(await attempts.holdBack('one more')).toBe(false);
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => true));
});
