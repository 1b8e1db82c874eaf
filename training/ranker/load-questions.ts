import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A question of the retrieval benchmark, asked in one scope of one repository. */
export interface LabelledQuestion {
  id: string;
  set: 'semble' | 'semble-full' | 'commit';
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

/** Reads the benchmark's questions. `base` holds `repos` (semble) and `crepos` (commits), as its README makes them. */
export function loadQuestions(data: string, base: string): LabelledQuestion[] {
  const read = (name: string, set: LabelledQuestion['set'], trees: string, isFull: boolean) => {
    const specs = JSON.parse(readFileSync(join(data, `${name}-repos.json`), 'utf8')) as {
      name: string;
      root?: string;
    }[];
    const roots = new Map(specs.map((spec) => [spec.name, spec.root ?? '']));
    return readFileSync(join(data, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RawQuestion)
      .map(({ id, repo, category, query, relevant, secondary }) => ({
        id,
        set,
        repo,
        category,
        query,
        root: isFull ? '' : roots.get(repo)!,
        folder: join(base, trees, repo),
        right: [...relevant, ...(secondary ?? [])],
      }));
  };
  return [
    ...read('semble', 'semble', 'repos', false),
    ...read('semble', 'semble-full', 'repos', true),
    ...read('commit', 'commit', 'crepos', true),
  ];
}
