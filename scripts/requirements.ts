export interface RequirementsReport {
  done: number;
  total: number;
  /** Ids that are called done although no test or benchmark carries them in its title. */
  unnamed: string[];
  /** Lines of the table that cannot be read. */
  mistakes: string[];
}

const STATUSES = new Set(['planned', 'done']);
export const TITLE = /\b(?:test|it|describe|bench)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;

/** Holds the table of requirements against the titles of the tests. */
export function unnamedRequirements(table: string, sources: readonly string[]): RequirementsReport {
  const titles = sources.flatMap((source) => [...source.matchAll(TITLE)].map((match) => match[2]!));
  const words = new Set(titles.flatMap((title) => title.split(/[^\w-]+/)));
  const mistakes: string[] = [];
  const unnamed: string[] = [];
  const seen = new Set<string>();
  let done = 0;

  for (const [index, line] of table.trimEnd().split('\n').slice(1).entries()) {
    const [id, , status] = line.split('\t');
    if (id === undefined || status === undefined || !STATUSES.has(status))
      mistakes.push(`line ${index + 2}: the status is not planned or done`);
    else if (seen.has(id)) mistakes.push(`line ${index + 2}: ${id} stands here twice`);
    else if (status === 'done') {
      done++;
      if (!words.has(id)) unnamed.push(id);
    }
    if (id !== undefined) seen.add(id);
  }
  return { done, total: seen.size, unnamed, mistakes };
}
