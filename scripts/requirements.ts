import { CodeGraph } from './code-graph.ts';
import { titleWords } from './read-module.ts';

export interface RequirementsReport {
  done: number;
  deviating: number;
  total: number;
  /** What is wrong, a line for each. */
  mistakes: string[];
}

const STATUSES = ['planned', 'done', 'deviates'];

/**
 * Holds the table of requirements against the tests. Takes the text of each file by its path.
 *
 * An id that is done stands in the title of a test or of a benchmark's limit that shows the product: it starts the program,
 * or what it is about is reached from an entry point of the product. What is asked of the repository itself is held by a
 * step of the checks instead, named in the note: `held by: npm run check:types`. An id that deviates says why in the note:
 * `deviates: the scan runs in a thread`.
 */
export function checkRequirements(files: ReadonlyMap<string, string>): RequirementsReport {
  const named = testsById(files);
  const report: RequirementsReport = { done: 0, deviating: 0, total: 0, mistakes: [] };
  const seen = new Set<string>();

  for (const [index, line] of files.get('requirements.tsv')!.trimEnd().split('\n').slice(1).entries()) {
    const [id = '', , status = '', , note = ''] = line.split('\t');
    const say = (mistake: string) => report.mistakes.push(`line ${index + 2}: ${mistake}`);
    if (!STATUSES.includes(status)) say(`the status of ${id} is not ${STATUSES.join(', ')}`);
    if (seen.has(id)) say(`${id} stands here twice`);
    seen.add(id);

    if (status === 'deviates') {
      report.deviating++;
      if (!/\bdeviates: \w/.test(note)) say(`${id} deviates, and its note does not say why ("deviates: …")`);
    } else if (status === 'done') {
      report.done++;
      const command = /\bheld by: npm (?:run )?([\w:-]+)/.exec(note)?.[1];
      const tests = named.get(id) ?? [];
      if (command !== undefined) {
        if (!isStep(command, files)) say(`${id} is held by ${command}, which neither npm run check nor .ci/run runs`);
      } else if (tests.length === 0) say(`${id} is done, but no test's title names it`);
      else if (tests.every((test) => test !== undefined)) for (const test of tests) say(`${id} is done, but ${test}`);
    }
  }
  report.total = seen.size;
  return report;
}

/** Of each id the tests that name it: undefined for one that shows the product, and else what is wrong with it. */
function testsById(files: ReadonlyMap<string, string>): Map<string, (string | undefined)[]> {
  const graph = new CodeGraph(files);
  const named = new Map<string, (string | undefined)[]>();
  for (const path of files.keys()) {
    if (!/\.(?:test|bench)\.tsx?$/.test(path)) continue;
    for (const statement of graph.statementsOf(path)) {
      const ids = [...titleWords(statement.titles)].filter((word) => /^[A-Z]+-\d+$/.test(word));
      if (ids.length === 0) continue;
      const { startsProgram, used, unused } = graph.subjectsOf(path, statement);
      const about =
        unused.length === 0 ? 'nothing of the product' : `${unused.join(', ')}, which the product does not use`;
      const isShown = startsProgram || (used.length > 0 && unused.length === 0);
      const problem = isShown ? undefined : `the test in ${path} that names it is about ${about}`;
      for (const id of ids) named.set(id, [...(named.get(id) ?? []), problem]);
    }
  }
  return named;
}

/** Whether a script is run on every change. */
function isStep(command: string, files: ReadonlyMap<string, string>): boolean {
  const { scripts } = JSON.parse(files.get('package.json')!) as { scripts: Record<string, string> };
  const steps = `${scripts['check']}\n${files.get('.ci/run')}`;
  return scripts[command] !== undefined && new RegExp(`npm (?:run )?(?:-s )?${command}(?![\\w:-])`).test(steps);
}
