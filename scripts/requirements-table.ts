import { globSync, readFileSync } from 'node:fs';
import { TITLE } from './requirements.ts';

const root = new URL('..', import.meta.url);
const [BEGIN, END] = ['<!-- requirements -->', '<!-- end of requirements -->'];

/** The file that holds the table. */
export const TABLE_FILE = new URL('packages/agent/README.md', root);

/** The README with its table made anew: each number of the specification, and the tests that name it. */
export function withRequirementsTable(readme: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`The README has no place for the table (${BEGIN}).`);
  return `${before}${BEGIN}\n${table()}\n${END}${after}`;
}

function table(): string {
  const ids = readFileSync(new URL('requirements.tsv', root), 'utf8')
    .split('\n')
    .map((line) => line.split('\t')[0]!)
    .filter((id) => /^(?:FR|NFR|ACC)-\d+$/.test(id));
  const tests = globSync('{packages,scripts,e2e}/**/*.test.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })
    .toSorted()
    .map((path) => ({ path, words: titleWords(readFileSync(new URL(path, root), 'utf8')) }));
  const rows = ids.map((id) => {
    const named = tests.filter(({ words }) => words.has(id)).map(({ path }) => link(path));
    return `| ${id} | ${named.join('<br>')} |`;
  });
  return ['| number | tests |', '| --- | --- |', ...rows].join('\n');
}

function titleWords(source: string): Set<string> {
  return new Set([...source.matchAll(TITLE)].flatMap((match) => match[2]!.split(/[^\w-]+/)));
}

/** As seen from the README. */
function link(path: string): string {
  const own = 'packages/agent/';
  const [text, target] = path.startsWith(own)
    ? [path.slice(own.length), path.slice(own.length)]
    : [path, `../../${path}`];
  return `[${text}](${target})`;
}
