import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test('a run with a failed test fails [ACC-09]', () => {
  const run = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'testkit/src/must-fail.fixture.ts'],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, DRAGOMAN_MUST_FAIL: '1', VITEST: undefined } },
  );

  expect(run.stdout).toContain('1 failed');
  expect(run.status).toBe(1);
});
