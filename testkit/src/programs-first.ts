import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files whose tests start programs by the hundred. */
const STARTS_PROGRAMS = [
  /\/(git|worktrees|snapshots|sandbox|mcp|lock|ripgrep)\//,
  /\/testkit\/src\/hostile-repository\//,
  /\/agent\/src\/(permissions\/permission-gate|open-agent|tools\/moved-files|skills\/skill-tool)\.test\.ts$/,
  /\/agent\/src\/(tools\/bash|tools\/files|workplace)\//,
  /\/runner\/src\/backends?\//,
  /\/cli\/src\/hostile-repository\.test\.ts$/,
  /\/agent\/src\/(uap|inspect|faults)\//,
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
