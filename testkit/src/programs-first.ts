import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files whose tests start programs by the hundred. */
const STARTS_PROGRAMS = [
  /\/hostile-repository\.(soak\.)?test\.ts$/,
  /\/(git|worktrees|snapshots|sandbox|mcp|lock|ripgrep)\//,
  /\/tools\/bash\//,
  /\/faults\/(killed|two-processes)\.soak\.test\.ts$/,
];

/**
 * Tests that start programs come first: starting one copies the page tables of the worker, which grows with each file.
 *
 * With 500 MB that costs twenty times what it costs a new worker. Otherwise Vitest's own order stays.
 */
export default class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted].sort((one, other) => rank(one) - rank(other));
  }
}

/** The place of the first pattern that fits; those that fit none share the last. */
function rank({ moduleId }: TestSpecification): number {
  const index = STARTS_PROGRAMS.findIndex((pattern) => pattern.test(moduleId));
  return index === -1 ? STARTS_PROGRAMS.length : index;
}
