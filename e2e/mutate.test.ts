import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { runTests } from '../scripts/mutate/run-tests.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const FILE = 'packages/protocol/src/role.ts';
const TESTS = 'packages/protocol/src/role.test.ts';

/** `npm run mutate` with a table of these lines. */
function mutate(...lines: string[][]) {
  const table = join(tempFolder(), 'mutants.tsv');
  const rows = [['id', 'file', 'find', 'replace', 'tests', 'only'], ...lines];
  writeFileSync(table, rows.map((row) => `${row.join('\t')}\n`).join(''));
  const env = { ...process.env, DRAGOMAN_MUST_FAIL: '1', VITEST: undefined };
  const args = ['--conditions=@dragoman/source', 'scripts/mutate.ts', '--table', table];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env });
  return { status, stdout };
}

test('a table whose mutants are all killed passes, names the test that noticed, and leaves the source alone', () => {
  const before = readFileSync(join(ROOT, FILE), 'utf8');
  const { status, stdout } = mutate(['UAP-04', FILE, '.includes(needed)', '.includes(role)', TESTS]);

  expect({ status, last: stdout.trimEnd().split('\n').at(-1)!.replace(/\d+ s/, 'some s') }).toEqual({
    status: 0,
    last: '1 mutants in some s: 1 killed, 0 survived, 0 bad entries, 0 skipped',
  });
  expect(stdout).toMatch(/^killed .*UAP-04 packages\/protocol\/src\/role\.ts: .*\n +\S+/m);
  expect(readFileSync(join(ROOT, FILE), 'utf8')).toBe(before);
});

test('a survivor, a place that is not one, a source that cannot be read and tests that fail anyway fail the run', () => {
  const { status, stdout } = mutate(
    ['UAP-04', FILE, 'a viewer reads, a member', 'a viewer reads; a member', TESTS],
    ['UAP-04', FILE, 'isRoleAtLeast(', 'isRoleAtMost(', TESTS],
    ['UAP-04', FILE, 'INCLUDED[role].includes(needed)', 'INCLUDED[role] >=', TESTS],
    ['UAP-04', FILE, 'return INCLUDED[role]', 'throw INCLUDED[role]', 'testkit/src/must-fail.fixture.ts'],
  );

  expect(status).toBe(1);
  const told = stdout.slice(stdout.indexOf('\n4 mutants in'));
  expect(told).toMatch(/: 0 killed, 1 survived, 3 bad entries, 0 skipped/);
  expect(told).toContain(
    `survived: UAP-04 ${FILE}: a viewer reads, a member → a viewer reads; a member\n  ${TESTS} did not notice`,
  );
  expect(told).toContain('the text to find stands there 3 times instead of once: isRoleAtLeast(');
  expect(told).toMatch(/INCLUDED\[role\] >=\n +.*Parse failed/);
  expect(told).toContain('a test fails without it: this test fails, so that another one can see that the run does');
});

test('a run that takes too long is ended from outside', async () => {
  const run = await runTests({ root: ROOT, tests: [TESTS], cacheFolder: tempFolder(), limitMs: 1, workers: 1 });

  expect({ timedOut: run.timedOut, report: run.report }).toEqual({ timedOut: true, report: undefined });
});
