import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { format } from './format-paths.fixture.ts';
import { git } from './git.fixture.ts';
import { PathFilter } from './path-filter.ts';
import { tempTree, writeTree } from './tree.fixture.ts';

const ruleLine = fc
  .tuple(
    fc.constantFrom('', '!', '/'),
    fc.constantFrom('a', 'b', '*', '?b', 'a/b', '**/b', 'c/**', 'c'),
    fc.constantFrom('', '/'),
  )
  .map(([start, body, end]) => (start + body + end).replace('//', '/'));
const rules = fc.array(ruleLine, { maxLength: 3 }).map((lines) => lines.join('\n'));
const TREE = ['a', 'b', 'ab', 'c/a', 'c/b', 'c/c/a', 'c/c/b', 'a.d/b', 'a.d/c/a', 'a.d/c/b'];

test('SYNC-31 whatever is written at three levels, the files left are those that git leaves', () => {
  const root = tempTree(Object.fromEntries(TREE.map((path) => [path, ''])));
  git(root, ['init', '-q']);

  fc.assert(
    fc.property(rules, rules, rules, rules, (top, exclude, c, cc) => {
      writeTree(root, { '.gitignore': top, '.git/info/exclude': exclude, 'c/.gitignore': c, 'c/c/.gitignore': cc });
      const all = [...TREE, '.gitignore', 'c/.gitignore', 'c/c/.gitignore'].toSorted();
      const left = git(root, ['ls-files', '-z', '--others', '--exclude-standard']).split('\0').filter(Boolean);

      const ours = all.filter((path) => format(root, path) === 'Accepted');

      expect(ours).toEqual(left.toSorted());
    }),
    { seed: 24, numRuns: rounds(5_000) },
  );
});

test('what the layers say one by one adds up to the verdict', () => {
  const root = tempTree(Object.fromEntries(TREE.map((path) => [path, ''])));

  fc.assert(
    fc.property(rules, rules, rules, fc.constantFrom(...TREE), (gitignore, own, inner, path) => {
      writeTree(root, { '.gitignore': gitignore, '.augmentignore': own, 'c/.dragomanignore': inner });
      const names = path.split('/');
      const filter = new PathFilter(root);
      const local = filter.makeLocalFilter(names.slice(0, -1).join('/'));
      const layers = local.explain(names.at(-1)!, 'File');

      const last = layers.findLast(({ verdict }) => verdict !== 'passes');

      expect(local.getPathInfo(names.at(-1)!, 'File').accepted).toBe(last?.verdict !== 'left out');
    }),
    { seed: 38, numRuns: rounds(5_000) },
  );
});
