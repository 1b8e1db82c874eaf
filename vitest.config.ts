import { defineConfig } from 'vitest/config';

const conditions = ['@dragoman/source', 'node'];
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
};

/** For the test that a failed test fails the run. */
const mustFail = process.env['DRAGOMAN_MUST_FAIL'] === '1' ? ['testkit/src/must-fail.fixture.ts'] : [];

export default defineConfig({
  test: {
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.fixture.ts'],
      thresholds: { 'packages/agent/src/**': { lines: 90 } },
    },
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', ...mustFail],
          exclude: ['**/*.e2e.test.ts', '**/node_modules/**'],
          globalSetup: ['testkit/src/global-setup.ts'],
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
          testTimeout: process.env['DRAGOMAN_SOAK'] === '1' ? 3_600_000 : 30_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts', 'packages/*/src/**/*.e2e.test.ts'],
          globalSetup: ['testkit/src/global-setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
