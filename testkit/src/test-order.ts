import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What starts early, in this order: first what takes longer than its length tells, then what starts programs by the hundred. */
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

/** Tests that drive an editor in a browser, which takes a core for itself, mostly. */
const EDITOR = /\/e2e\/vscode-[^/]+\.test\.ts$/;
/** About as many other files as the other workers run while one drives an editor. */
const BETWEEN_EDITORS = 8;

/**
 * Tests that start programs come first: starting one copies the page tables of the worker, which grows with each file.
 *
 * With 500 MB that costs twenty times what it costs a new worker. Tests of the editor, the longest of all, start early, but not
 * at once. Otherwise Vitest's own order stays.
 */
export default class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
    const editors = sorted.filter(isEditor);
    const others = sorted.filter((file) => !isEditor(file));
    return [...editors.flatMap((editor) => [editor, ...others.splice(0, BETWEEN_EDITORS)]), ...others];
  }
}

function isEditor({ moduleId }: TestSpecification): boolean {
  return EDITOR.test(moduleId);
}

/** The place of the first pattern that fits; those that fit none share the last. */
function rank({ moduleId }: TestSpecification): number {
  const index = EARLY.findIndex((pattern) => pattern.test(moduleId));
  return index === -1 ? EARLY.length : index;
}
