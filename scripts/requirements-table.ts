import { readModule, titleWords } from './read-module.ts';

const [BEGIN, END] = ['<!-- requirements -->', '<!-- end of requirements -->'];

/** The file that holds the table. */
export const TABLE_FILE = 'packages/agent/README.md';

/** The README with its table made anew: each number of the specification, and the tests or the command that show it. */
export function withRequirementsTable(files: ReadonlyMap<string, string>): string {
  const [before, rest] = files.get(TABLE_FILE)!.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`The README has no place for the table (${BEGIN}).`);
  return `${before}${BEGIN}\n${table(files)}\n${END}${after}`;
}

function table(files: ReadonlyMap<string, string>): string {
  const tests = [...files]
    .filter(([path]) => /\.(?:test|bench)\.ts$/.test(path))
    .map(([path, source]) => ({
      path,
      words: titleWords(readModule(source).statements.flatMap(({ titles }) => titles)),
    }));
  const rows = files
    .get('requirements.tsv')!
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([id]) => /^(?:FR|NFR|ACC)-\d+$/.test(id!))
    .map(([id, , , , note]) => {
      const command = /\bheld by: (npm [^;]+)/.exec(note!)?.[1];
      const named = tests.filter(({ words }) => words.has(id!)).map(({ path }) => link(path));
      return `| ${id} | ${[...(command === undefined ? [] : [`\`${command}\``]), ...named].join('<br>')} |`;
    });
  return ['| number | shown by |', '| --- | --- |', ...rows].join('\n');
}

/** As seen from the README. */
function link(path: string): string {
  const own = 'packages/agent/';
  const [text, target] = path.startsWith(own)
    ? [path.slice(own.length), path.slice(own.length)]
    : [path, `../../${path}`];
  return `[${text}](${target})`;
}
