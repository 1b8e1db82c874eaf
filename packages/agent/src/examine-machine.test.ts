import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { examineMachine } from './examine-machine.ts';
import { hasSandbox } from './sandbox/sandbox.fixture.ts';

test('programs that are missing are told with what that means and how to get them', async () => {
  const report = await examineMachine({ searchPath: tempFolder(), platform: 'linux' });

  expect(report).toEqual({
    git: { problem: 'There is no git on PATH. Without it, changes to files cannot be taken back.' },
    ripgrep: { path: expect.stringMatching(/rg(\.exe)?$/) as string },
    sandbox: { problem: expect.stringContaining('Install it: `apt-get install bubblewrap`') as string },
  });
});

test('a program that is there and does not work is not called well', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'git'), '', { mode: 0o755 });
  writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: wrong machine" >&2; exit 126\n', { mode: 0o755 });

  const report = await examineMachine({ searchPath: folder, platform: 'linux' });

  expect(report.git).toEqual({ path: join(folder, 'git') });
  expect(report.sandbox).toEqual({ problem: expect.stringContaining('does not work here (bwrap: wrong machine)') });
});

test.skipIf(!hasSandbox)('a sandbox that works is told by its program (needs bubblewrap)', async () => {
  expect((await examineMachine()).sandbox).toEqual({ path: expect.stringMatching(/\/bwrap$/) as string });
});
