import { expect, test } from 'vitest';
import { fitChanges } from './fit-changes.ts';

const change = (name: string) => ({ path: [name], value: true });
const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(change);

/** Fails with a bad name, and with one that needs another which is not there. */
function attempt(bad: readonly string[], needs: Readonly<Record<string, string>> = {}) {
  let tries = 0;
  const run = (changes: readonly { path: readonly string[] }[]) => {
    tries += 1;
    const names = changes.map(({ path }) => path[0]!);
    for (const name of names)
      if (bad.includes(name) || (needs[name] !== undefined && !names.includes(needs[name])))
        throw new Error(`no ${name}`);
    return names.join('');
  };
  return { run, tries: () => tries };
}

test('the changes that can be are all kept in their order, and each of the others is told with why', () => {
  const { run } = attempt(['c', 'h']);

  const { result, kept, refused } = fitChanges(all, run);

  expect([result, kept.map(({ path }) => path[0]).join('')]).toEqual(['abdefg', 'abdefg']);
  expect(refused.map(({ change: { path }, error }) => [path[0], (error as Error).message])).toEqual([
    ['c', 'no c'],
    ['h', 'no h'],
  ]);
});

test('a change that needs a later one is kept, and one that needs what cannot be is not', () => {
  expect(fitChanges(all, attempt(['h'], { a: 'g' }).run).result).toBe('abcdefg');
  expect(fitChanges(all, attempt(['h'], { a: 'h' }).run).result).toBe('bcdefg');
});

test('one bad change among a thousand takes some thirty attempts', () => {
  const many = Array.from({ length: 1000 }, (_, at) => change(String(at)));
  const { run, tries } = attempt(['700']);

  fitChanges(many, run);

  expect(tries()).toBeLessThan(30);
});

test('where nothing can be it fails as it does without any change', () => {
  expect(() =>
    fitChanges(all, (changes) => {
      throw new Error(`with ${changes.length}`);
    }),
  ).toThrow('with 0');
});
