import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestWindow } from './request-window.ts';

function windowAt(start: number, options = { requests: 100, windowMs: 60_000 }) {
  const clock = { now: start };
  return { clock, window: new RequestWindow({ ...options, now: () => clock.now }) };
}

test('COMPAT-30 of 100 requests in 60 seconds the 100th is allowed and the 101st is refused', () => {
  const { window } = windowAt(0);
  const answers = Array.from({ length: 101 }, () => window.take('a').isAllowed);

  expect(answers).toEqual([...Array.from({ length: 100 }, () => true), false]);
});

test('COMPAT-31 the window slides: 60 seconds after the oldest counted request one more is allowed, and no more', () => {
  const { clock, window } = windowAt(1_000);
  window.take('a');
  clock.now = 31_000;
  for (let count = 1; count < 100; count++) window.take('a');

  clock.now = 60_999;
  expect(window.take('a').isAllowed).toBe(false);
  clock.now = 61_000;
  expect(window.take('a').isAllowed).toBe(true);
  expect(window.take('a').isAllowed).toBe(false);
});

test('COMPAT-32 one client at its limit does not hold back another', () => {
  const { window } = windowAt(0, { requests: 1, windowMs: 1000 });
  window.take('a');

  expect(window.take('a').isAllowed).toBe(false);
  expect(window.take('b').isAllowed).toBe(true);
});

test('COMPAT-33 the remaining count is told without using one up', () => {
  const { clock, window } = windowAt(0);

  expect([window.remaining('a'), window.remaining('a')]).toEqual([100, 100]);
  expect(window.take('a').remaining).toBe(99);
  expect(window.remaining('a')).toBe(99);
  for (let count = 1; count < 100; count++) window.take('a');
  expect(window.remaining('a')).toBe(0);
  clock.now = 60_000;
  expect(window.remaining('a')).toBe(100);
});

test('COMPAT-34 a refused request is told when to come again, and does not count', () => {
  const { clock, window } = windowAt(0, { requests: 2, windowMs: 60_000 });

  expect(window.take('a')).toEqual({ isAllowed: true, remaining: 1, retryAfterMs: 0, resetMs: 60_000 });
  clock.now = 10_000;
  expect(window.take('a')).toEqual({ isAllowed: true, remaining: 0, retryAfterMs: 0, resetMs: 60_000 });
  clock.now = 15_000;
  expect(window.take('a')).toEqual({ isAllowed: false, remaining: 0, retryAfterMs: 45_000, resetMs: 55_000 });
  clock.now = 60_000;
  expect(window.take('a')).toEqual({ isAllowed: true, remaining: 0, retryAfterMs: 0, resetMs: 60_000 });
});

test('a limit of no requests refuses each one', () => {
  const { window } = windowAt(0, { requests: 0, windowMs: 1000 });

  expect(window.take('a')).toEqual({ isAllowed: false, remaining: 0, retryAfterMs: 1000, resetMs: 1000 });
});

test('clients that stay away for the window are forgotten', () => {
  const { clock, window } = windowAt(0);
  for (let client = 0; client < 1000; client++) window.take(`client ${client}`);
  clock.now = 30_000;
  window.take('client 0');
  expect(window.clientCount).toBe(1000);

  clock.now = 60_000;

  expect(window.remaining('nobody')).toBe(100);
  expect(window.clientCount).toBe(1);
  expect(window.remaining('client 0')).toBe(99);
});

test('COMPAT-31 whatever the moments, no stretch as long as the window holds more requests than allowed', () => {
  const moments = fc.array(fc.nat({ max: 40 }), { maxLength: 60 });

  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 4 }), (steps, requests) => {
      const { clock, window } = windowAt(0, { requests, windowMs: 100 });
      const allowed: number[] = [];
      for (const step of steps) {
        clock.now += step;
        const inWindow = allowed.filter((time) => time > clock.now - 100).length;

        expect(window.remaining('a')).toBe(requests - inWindow);
        expect(window.take('a').isAllowed).toBe(inWindow < requests);
        if (inWindow < requests) allowed.push(clock.now);
      }
    }),
    { seed: 1 },
  );
});

test('a limit that is changed counts at once, with the requests that were counted before', () => {
  const limits = { requests: 2, windowMs: 60_000 };
  const clock = { now: 0 };
  const window = new RequestWindow({
    get requests() {
      return limits.requests;
    },
    get windowMs() {
      return limits.windowMs;
    },
    now: () => clock.now,
  });
  window.take('a');
  window.take('a');
  expect(window.take('a').isAllowed).toBe(false);

  limits.requests = 3;
  expect(window.take('a')).toEqual({ isAllowed: true, remaining: 0, retryAfterMs: 0, resetMs: 60_000 });
  limits.requests = 1;
  expect(window.take('a')).toEqual({ isAllowed: false, remaining: 0, retryAfterMs: 60_000, resetMs: 60_000 });
  limits.windowMs = 1_000;
  clock.now = 1_000;
  expect(window.take('a').isAllowed).toBe(true);
});
