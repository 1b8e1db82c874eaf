import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What starts early, in this order: two long files that Vitest takes for short ones, then files whose tests start many programs. */
const EARLY = [
  /\/e2e\/(console-pages|hostile-repository)\.soak\.test\.ts$/,
  /\/(git|worktrees|snapshots|sandbox|mcp|lock|ripgrep)\//,
  /\/testkit\/src\/hostile-repository\//,
  /\/agent\/src\/(permissions\/permission-gate|open-agent|tools\/moved-files|skills\/skill-tool)\.test\.ts$/,
  /\/agent\/src\/(tools\/bash|tools\/files|workplace)\//,
  /\/runner\/src\/backends?\//,
  /\/cli\/src\/hostile-repository\.test\.ts$/,
  /\/agent\/src\/(uap|inspect|faults)\//,
];

/** About as many files as the other workers finish while one of them drives an editor. */
const BETWEEN_EDITORS = 8;

/**
 * Tests that start programs come first: starting one copies the page tables of the worker, which grows with each file.
 *
 * With 500 MB that costs twenty times what it costs a new worker. Tests of the editor are the longest and keep a core busy each, so
 * they start early and one after the other. Otherwise Vitest's own order stays.
 */
export default class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
    const editors = sorted.filter(isEditor);
    const others = sorted.filter((file) => !isEditor(file));
    return [...editors.flatMap((editor) => [editor, ...others.splice(0, BETWEEN_EDITORS)]), ...others];
  }
}

function isEditor({ project }: TestSpecification): boolean {
  return project.name === 'editor';
}

/** The place of the first pattern that fits; those that fit none share the last. */
function rank({ moduleId }: TestSpecification): number {
  const index = EARLY.findIndex((pattern) => pattern.test(moduleId));
  return index === -1 ? EARLY.length : index;
}
