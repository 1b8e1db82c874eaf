import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOOM_LOOP_THRESHOLD, ProgressGuard } from './progress-guard.ts';

/** Plays calls, written as tool letters with their results; gives back what happened to each. */
function play(calls: readonly (readonly [tool: string, result: string])[], threshold?: number): string[] {
  const guard = new ProgressGuard(threshold);
  const seen: string[] = [];
  for (const [tool, result] of calls) {
    const loop = guard.check(tool, {});
    if (loop !== undefined) {
      seen.push(`loop of ${loop.period}`);
      break;
    }
    seen.push(guard.start(tool, {}).settle(result) === undefined ? 'ran' : 'noted');
  }
  return seen;
}

const letters = (text: string) => Array.from(text, (letter): [string, string] => [letter, 'same']);

test('the threshold is three where nothing else is said [FR-07]', () => {
  expect(DOOM_LOOP_THRESHOLD).toBe(3);
  expect(play(letters('AAA'))).toEqual(['ran', 'noted', 'loop of 1']);
});

test('patterns of two, three and four calls are loops as well [FR-08]', () => {
  expect(play(letters('ABABAB'))).toEqual(['ran', 'ran', 'ran', 'noted', 'noted', 'loop of 2']);
  expect(play(letters('ABCABCABC')).at(-1)).toBe('loop of 3');
  expect(play(letters('ABCDABCDABCD')).at(-1)).toBe('loop of 4');
  expect(play(letters('ABCDEABCDEABCDE')).every((what) => what === 'ran')).toBe(true);
});

test('a step that makes the same seven calls again and again is a loop, though seven is more than four [FR-08]', () => {
  const guard = new ProgressGuard();
  const ran: string[] = [];
  for (let step = 0; step < 3; step++) {
    guard.startStep(7);
    for (const tool of 'ABCDEFG') {
      const loop = guard.check(tool, {});
      if (loop !== undefined) ran.push(`loop of ${loop.period}`);
      else ran.push(guard.start(tool, {}).settle('same') === undefined ? 'ran' : 'noted');
    }
  }
  expect(ran.filter((what) => what !== 'ran')).toEqual([...Array.from({ length: 7 }, () => 'noted'), 'loop of 7']);
});

test('a call whose result changes is progress, however often it comes [FR-08]', () => {
  const polling = Array.from({ length: 20 }, (_, index): [string, string] => ['A', `still ${index} to go`]);
  expect(play(polling).every((what) => what === 'ran')).toBe(true);
});

test('a call whose results go back and forth is a pattern of two [FR-08]', () => {
  const swinging = ['x', 'y', 'x', 'y', 'x', 'y'].map((result): [string, string] => ['A', result]);
  expect(play(swinging)).toEqual(['ran', 'ran', 'ran', 'noted', 'noted', 'loop of 2']);
});

test('a pattern that was broken begins anew [FR-08]', () => {
  expect(play(letters('AABCAAD'))).toEqual(['ran', 'noted', 'ran', 'ran', 'ran', 'noted', 'ran']);
});

test('with a threshold of five the fourth call is noted and the fifth is not run [FR-10]', () => {
  expect(play(letters('AAAAA'), 5)).toEqual(['ran', 'ran', 'ran', 'noted', 'loop of 1']);
});

test('the order of keys in an input makes no difference [FR-08]', () => {
  const guard = new ProgressGuard();
  guard.start('A', { a: 1, b: { c: 2, d: 3 } }).settle('r');
  guard.start('A', { b: { d: 3, c: 2 }, a: 1 }).settle('r');

  expect(guard.check('A', { a: 1, b: { c: 2, d: 3 } })).toEqual({ tool: 'A', count: 3, period: 1 });
});

test('whatever the calls are, a loop is reported exactly when a pattern of up to four comes for the third time', () => {
  const calls = fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.constantFrom('x', 'y')), { maxLength: 30 });
  fc.assert(
    fc.property(calls, (list) => {
      const guard = new ProgressGuard();
      const done: string[] = [];
      for (const [tool, result] of list) {
        const expected = [1, 2, 3, 4].some((period) => {
          const before = done.slice(done.length - (3 * period - 1));
          if (before.length < 3 * period - 1) return false;
          const pattern = before.slice(0, period);
          // The last call has no result yet: it takes that of its place in the pattern.
          const whole = [...before, pattern[period - 1]!];
          return pattern[period - 1]!.startsWith(tool) && whole.every((one, index) => one === pattern[index % period]);
        });
        expect(guard.check(tool, {}) !== undefined).toBe(expected);
        if (expected) return;
        guard.start(tool, {}).settle(result);
        done.push(tool + result);
      }
    }),
  );
});
