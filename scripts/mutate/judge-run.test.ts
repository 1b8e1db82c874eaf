import { expect, test } from 'vitest';
import { judgeBefore, judgeRun, type TestRun } from './judge-run.ts';
import type { Mutant } from './mutant.ts';

const mutant: Mutant = { id: 'A-1', file: 'a.ts', find: 'x', replace: 'y', tests: ['a.test.ts'], only: undefined };

/** A run of one file of tests, with each title and how it went. */
function ran(tests: Record<string, 'passed' | 'skipped' | 'failed' | { failed: string }>, message = ''): TestRun {
  const assertionResults = Object.entries(tests).map(([title, outcome]) => ({
    ancestorTitles: [],
    fullName: title,
    title,
    status: typeof outcome === 'string' ? outcome : ('failed' as const),
    failureMessages: typeof outcome === 'string' ? [] : [outcome.failed],
    meta: {},
    tags: [],
    benchmarks: [],
  }));
  const status = message !== '' || assertionResults.some((each) => each.status === 'failed') ? 'failed' : 'passed';
  const file = { name: '/clone/a.test.ts', message, status, startTime: 0, endTime: 0, assertionResults } as const;
  return { report: { testResults: [file] }, timedOut: false, loaded: true, printed: '' };
}

test('a mutant is killed by the first test that fails, and survives where none does', () => {
  expect(judgeRun(mutant, ran({ one: 'passed', two: 'failed', three: 'failed' }))).toEqual({
    outcome: 'killed',
    why: 'two',
  });
  expect(judgeRun(mutant, ran({ one: 'passed' }))).toEqual({ outcome: 'survived', why: 'a.test.ts did not notice' });
});

test('a mutant whose file no test loads survives, whatever fails', () => {
  expect(judgeRun(mutant, { ...ran({ one: 'failed' }), loaded: false })).toEqual({
    outcome: 'survived',
    why: 'a.test.ts never loaded the file',
  });
});

test('a run without an end, and a test that ran out of time, are kills by time-out and say so', () => {
  const endless = { report: undefined, timedOut: true, loaded: true, printed: '' };
  expect(judgeRun(mutant, endless)).toEqual({
    outcome: 'killed',
    why: 'by time-out: the run did not come to its end',
  });
  expect(judgeRun(mutant, ran({ one: { failed: 'Error: Test timed out in 30000ms.' } }))).toEqual({
    outcome: 'killed',
    why: 'by time-out: one',
  });
});

test('tests that cannot be loaded with the mutant, and a run without a report, prove nothing', () => {
  expect(judgeRun(mutant, ran({}, 'x is not defined'))).toEqual({
    outcome: 'bad entry',
    why: 'the tests cannot be loaded with it: x is not defined',
  });
  expect(judgeRun(mutant, { report: undefined, timedOut: false, loaded: false, printed: 'no room\n' })).toEqual({
    outcome: 'bad entry',
    why: 'the run left no report: no room',
  });
});

test('tests prove nothing where they fail with nothing broken, or are not there', () => {
  const bad = (why: string) => ({ outcome: 'bad entry', why });
  const before = (run: TestRun, more: Partial<Mutant> = {}) => judgeBefore({ ...mutant, ...more }, run, '/clone');

  expect(before(ran({ one: 'passed', two: 'skipped' }))).toBeUndefined();
  expect(before(ran({ one: 'passed', two: 'failed' }))).toEqual(bad('a test fails without it: two'));
  expect(before(ran({ one: 'passed', two: 'failed' }), { only: '^one$' })).toBeUndefined();
  expect(before(ran({ one: 'passed' }), { only: 'A-1' })).toEqual(bad('no test of a.test.ts has such a title'));
  expect(before(ran({}, 'x is not defined'))).toEqual(bad('a.test.ts fails without it: x is not defined'));
  expect(before(ran({ one: 'passed' }), { tests: ['b.test.ts'] })).toEqual(bad('b.test.ts is no file of tests'));
  expect(before({ report: undefined, timedOut: false, loaded: false, printed: 'no room' })).toEqual(
    bad('the tests left no report without it: no room'),
  );
  expect(before({ report: undefined, timedOut: true, loaded: false, printed: '' })).toEqual(
    bad('the tests did not come to their end without it; give them more time with --limit-s'),
  );
});

test('a mutant whose tests this machine skips is told as skipped', () => {
  expect(judgeBefore(mutant, ran({ one: 'skipped' }), '/clone')).toEqual({
    outcome: 'skipped',
    why: 'this machine skips the tests of a.test.ts',
  });
});
