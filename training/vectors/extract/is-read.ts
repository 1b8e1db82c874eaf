import { languageOf } from '../../../packages/context/src/index/definitions/language.ts';

/** Folders of others' code, of what a program made, and of data. */
const LEFT_OUT_FOLDERS = [
  'node_modules|_?vendor|_?vendored|third[-_]?party|external|deps|\\.yarn',
  'dist|generated|gen|__pycache__',
  '__snapshots__|snapshots?|__fixtures__|fixtures?|testdata|test-?data|resources/test',
  'locales?|i18n|l10n|translations',
].join('|');
const LEFT_OUT = new RegExp(
  `(^|/)(${LEFT_OUT_FOLDERS})(/|$)|\\.min\\.js$|\\.pb\\.(go|cc|h)$|_pb2\\.py$|\\.g\\.cs$|\\.Designer\\.cs$|changelog|history\\.md|package-lock|CHANGES`,
  'i',
);
const TESTS =
  /(^|\/)(tests?|__tests__|specs?|testing|e2e|benchmarks?|examples?)(\/|$)|[._-](test|spec)s?\.[a-z]+$|_test\.(go|py|rb|exs?|cc|cpp)$|(^|\/)test_[^/]*\.py$|Tests?\.(java|kt|cs|swift|php)$/i;

/** Whether a file is source or documentation that a project wrote itself, by its path. */
export function isRead(path: string): boolean {
  return languageOf(path) !== undefined && !LEFT_OUT.test(path);
}

/** Whether a path is that of a test, an example or a benchmark. */
export function isTestPath(path: string): boolean {
  return TESTS.test(path);
}
