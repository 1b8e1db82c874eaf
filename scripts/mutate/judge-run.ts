import type { JsonTestResults } from 'vitest/node';
import type { Mutant } from './mutant.ts';

/** What a run of tests left behind. */
export interface TestRun {
  /** Absent when the run was ended from outside before it could report. */
  report: Pick<JsonTestResults, 'testResults'> | undefined;
  timedOut: boolean;
  /** The tests had the broken file in their hands. */
  loaded: boolean;
  /** What the run printed, for when it has no report. */
  printed: string;
}

export interface Verdict {
  outcome: 'killed' | 'survived' | 'bad entry' | 'skipped';
  /** The test that noticed, or what is wrong. */
  why: string;
}

/** What a run of the tests on the broken source says about the mutant. */
export function judgeRun({ tests }: Mutant, { report, timedOut, loaded, printed }: TestRun): Verdict {
  if (timedOut) return { outcome: 'killed', why: 'by time-out: the run did not come to its end' };
  if (report === undefined)
    return { outcome: 'bad entry', why: `the run left no report: ${printed.trim().slice(-500)}` };
  if (!loaded) return { outcome: 'survived', why: `${tests.join(' ')} never loaded the file` };
  const failed = report.testResults.flatMap((file) =>
    file.assertionResults.filter(({ status }) => status === 'failed'),
  );
  const first = failed[0];
  if (first !== undefined) {
    const byTime = first.failureMessages?.some((message) => / timed out in \d+ms/.test(message)) === true;
    return { outcome: 'killed', why: byTime ? `by time-out: ${first.fullName}` : first.fullName };
  }
  const unloaded = report.testResults.find(({ status }) => status === 'failed');
  if (unloaded !== undefined)
    return { outcome: 'bad entry', why: `the tests cannot be loaded with it: ${unloaded.message.trim()}` };
  return { outcome: 'survived', why: `${tests.join(' ')} did not notice` };
}

/** Why the mutant's tests say nothing, also with nothing broken: they fail, or none is run. Nothing where they may. */
export function judgeBefore(
  { tests, only }: Mutant,
  { report, timedOut, printed }: TestRun,
  root: string,
): Verdict | undefined {
  const bad = (why: string): Verdict => ({ outcome: 'bad entry', why });
  if (timedOut) return bad('the tests did not come to their end without it; give them more time with --limit-s');
  if (report === undefined) return bad(`the tests left no report without it: ${printed.trim().slice(-500)}`);
  const pattern = new RegExp(only ?? '');
  for (const path of tests) {
    const file = report.testResults.find(({ name }) => name === `${root}/${path}`);
    if (file === undefined) return bad(`${path} is no file of tests`);
    // As vitest writes a name where it is looked for.
    const own = file.assertionResults.filter(({ ancestorTitles, title }) =>
      pattern.test([...ancestorTitles, title].join(' > ')),
    );
    const failed = own.find(({ status }) => status === 'failed');
    if (failed !== undefined) return bad(`a test fails without it: ${failed.fullName}`);
    if (file.status === 'failed' && file.message !== '') return bad(`${path} fails without it: ${file.message.trim()}`);
    if (own.length === 0) return bad(`no test of ${path} has such a title`);
    if (!own.some(({ status }) => status === 'passed'))
      return { outcome: 'skipped', why: `this machine skips the tests of ${path}` };
  }
  return undefined;
}
