import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import TestOrder from './testkit/src/test-order.ts';

const conditions = ['@dragoman/source', 'node'];
/** The editor exists only inside the editor; outside, its one stand-in answers for it. */
const alias = { vscode: join(import.meta.dirname, 'packages/vscode/src/vscode.fixture.ts') };
const shared = {
  resolve: { conditions, alias },
  ssr: { resolve: { conditions } },
};

/** One more than there are cores: now and then a test waits. */
const maxWorkers = availableParallelism() + 1;
/** Those that drive whole programs wait more. They come after the others, where both run. */
const endToEnd = { maxWorkers: availableParallelism() + 2, sequence: { groupOrder: 1 } };
/** For what hangs; how long something takes is measured by benchmarks, and machines are shared. */
const testTimeout = process.env['DRAGOMAN_SOAK'] === '1' ? 3_600_000 : 600_000;
/** What is waited for comes, on a busy machine later. */
const expect = { poll: { timeout: 120_000, interval: 20 } };

/** Tests whose work is mostly done by other processes, which coverage does not measure. */
const unseen = process.argv.includes('--coverage')
  ? ['**/*.soak.test.ts', '**/{faults,sandbox,snapshots}/**', '**/{mcp-servers,child-groups,judge-programs}.test.ts']
  : [];

/** For the test that a failed test fails the run. */
const mustFail = process.env['DRAGOMAN_MUST_FAIL'] === '1' ? ['testkit/src/must-fail.fixture.ts'] : [];

/** They drive a real VS Code. */
const EDITOR_TESTS = 'e2e/vscode-*.test.ts';

// Threads and processes that tests start compile each source once, not once each.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compile');
// Starting a program copies the page tables of the worker that starts it: with fewer heaps of the C library they are smaller.
process.env['MALLOC_ARENA_MAX'] ??= '2';

export default defineConfig({
  test: {
    sequence: { sequencer: TestOrder },
    reporters: ['default', './testkit/src/closing-reporter.ts'],
    // `npm run coverage` fails below it.
    coverage: {
      provider: 'v8',
      include: ['packages/agent/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.fixture.ts'],
      reporter: ['text-summary'],
      thresholds: { lines: 90 },
    },
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/web/src/**/*.test.tsx',
            'scripts/**/*.test.ts',
            'testkit/src/**/*.test.ts',
            'bench/**/*.test.ts',
            'training/**/*.test.ts',
            ...mustFail,
          ],
          exclude: ['**/*.e2e.test.ts', '**/node_modules/**', ...unseen],
          globalSetup: ['testkit/src/global-setup.ts'],
          setupFiles: ['testkit/src/fixed-seed.ts'],
          pool: 'forks', // A crash of native code ends one worker and is told; with threads it ends the whole run in silence.
          isolate: false,
          maxWorkers,
          testTimeout,
          hookTimeout: 600_000,
          expect,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts', 'packages/*/src/**/*.e2e.test.ts', 'training/**/*.e2e.test.ts'],
          exclude: [EDITOR_TESTS],
          globalSetup: ['testkit/src/global-setup.ts', 'e2e/bundle-program.ts'],
          setupFiles: ['testkit/src/fixed-seed.ts'],
          isolate: false, // Tests of a worker share its browser.
          ...endToEnd,
          testTimeout,
          hookTimeout: 600_000,
          expect,
        },
      },
      {
        ...shared,
        test: {
          name: 'interop',
          include: ['interop/**/*.test.ts'],
          ...endToEnd,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect,
        },
      },
      {
        ...shared,
        test: {
          name: 'editor',
          include: [EDITOR_TESTS],
          ...endToEnd,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect,
        },
      },
    ],
  },
});
