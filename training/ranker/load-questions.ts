import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A question of the retrieval benchmark, asked in one scope of one repository. */
export interface LabelledQuestion {
  id: string;
  set: 'semble' | 'semble-full' | 'commit' | 'chinese';
  repo: string;
  category: string;
  query: string;
  /** The folder of the repository that is searched, '' for all of it. */
  root: string;
  folder: string;
  right: { path: string; start?: number; end?: number }[];
}

interface RawQuestion {
  id: string;
  repo: string;
  category: string;
  query: string;
  relevant: LabelledQuestion['right'];
  secondary?: LabelledQuestion['right'];
}

/**
 * Reads the questions. `base` holds the repositories they are about, in `repos` and, for those made of commits, `crepos`.
 * Throws where one of them, or a file of questions, is missing or wrong.
 */
export function loadQuestions(data: string, base: string): LabelledQuestion[] {
  const read = (name: string, set: LabelledQuestion['set'], trees: string, isFull: boolean) => {
    const reposFile = join(data, `${name}-repos.json`);
    const specs = parsed<{ name: string; root?: string }[]>(readFileSync(reposFile, 'utf8'), reposFile);
    const roots = new Map(specs.map((spec) => [spec.name, spec.root ?? '']));
    return readLines<RawQuestion>(join(data, `${name}.jsonl`)).map(
      ({ id, repo, category, query, relevant, secondary }) => {
        const root = roots.get(repo);
        if (root === undefined) throw new Error(`${reposFile} does not name ${repo}, which ${id} is about`);
        const folder = join(base, trees, repo);
        const right = [...relevant, ...(secondary ?? [])];
        return { id, set, repo, category, query, root: isFull ? '' : root, folder, right };
      },
    );
  };
  const annotated = read('semble', 'semble', 'repos', false);
  const questions = [
    ...annotated,
    ...read('semble', 'semble-full', 'repos', true),
    ...read('commit', 'commit', 'crepos', true),
    ...chineseQuestions(annotated),
  ];
  const missing = [...new Set(questions.map(({ folder }) => folder))].filter((folder) => !existsSync(folder));
  if (missing.length > 0) throw new Error(`repositories that questions are about are not there: ${missing.join(', ')}`);
  return questions;
}

/** The same questions as Chinese people ask them: they look for the same files. Those about other repositories are left out. */
function chineseQuestions(originals: readonly LabelledQuestion[]): LabelledQuestion[] {
  const byId = new Map(originals.map((question) => [question.id, question]));
  const file = fileURLToPath(new URL('../../bench/retrieval/chinese.jsonl', import.meta.url));
  return readLines<{ id: string; query: string }>(file).flatMap(({ id, query }) => {
    const original = byId.get(id);
    return original === undefined ? [] : [{ ...original, set: 'chinese' as const, query }];
  });
}

function readLines<Line>(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line, index) => parsed<Line>(line, `${file}:${index + 1}`));
}

function parsed<Value>(text: string, place: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (cause) {
    throw new Error(`${place}: ${(cause as Error).message}`, { cause });
  }
}
