import { globSync, readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const PATTERNS = [
  '{packages,testkit,scripts,e2e,bench,training}/**/*.{ts,tsx,js,cjs,mjs}',
  '{packages/*/,testkit/,}package.json',
  'packages/*/{index.html,README.md}',
  '{docs/**/,}*.md',
  '.ci/run',
  'requirements.tsv',
  'tsconfig.json',
];

/** The text of each file by its path: sources, tests, manifests, documents, and what checks them. */
export function readRepository(): Map<string, string> {
  const paths = globSync(PATTERNS, {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|cli\/console)$/.test(path),
  });
  return new Map(paths.toSorted().map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));
}
