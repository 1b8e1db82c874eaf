/** One place of the product that is broken on purpose, and the tests that must notice. */
export interface Mutant {
  /** The requirement that rests on the place. */
  id: string;
  file: string;
  /** Stands exactly once in the file. */
  find: string;
  replace: string;
  tests: string[];
  /** Where a file of tests is slow: only those whose title matches this are run. */
  only: string | undefined;
}

/** Reads the table: a line of names, then one line for each mutant, its fields apart by tabs. */
export function readMutants(table: string): Mutant[] {
  const lines = table.trimEnd().split('\n').slice(1);
  return lines.map((line, index) => {
    const [id, file, find, replace, tests, only] = line.split('\t');
    if (!id || !file || !find || replace === undefined || !tests)
      throw new Error(`line ${index + 2} of the table of mutants needs id, file, find, replace and tests`);
    return { id, file, find, replace, tests: tests.split(' '), only: only || undefined };
  });
}

/** The source with the one place broken, or an error that says why it is not one place. */
export function breakSource(source: string, { find, replace }: Pick<Mutant, 'find' | 'replace'>): string {
  const places = source.split(find).length - 1;
  if (places !== 1) throw new Error(`the text to find stands there ${places} times instead of once: ${find}`);
  if (find === replace) throw new Error('the text that replaces it is the same');
  return source.replace(find, () => replace);
}

/** The mutant in one line, for people. */
export function describeMutant({ id, file, find, replace }: Mutant): string {
  return `${id} ${file}: ${find.trim()} → ${replace.trim() || '(nothing)'}`;
}
