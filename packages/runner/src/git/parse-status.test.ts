import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStatus, type StatusEntry } from './parse-status.ts';

const HASH = '1'.repeat(40);

test('the branch, its upstream and every kind of change are read', () => {
  const text = [
    `# branch.oid ${HASH}`,
    '# branch.head main',
    '# branch.upstream origin/main',
    '# branch.ab +2 -10',
    `1 .M N... 100644 100644 100644 ${HASH} ${HASH} src/a b.ts`,
    `1 AD N... 000000 100644 000000 ${HASH} ${HASH} gone.ts`,
    `1 .A N... 000000 000000 100644 ${HASH} ${HASH} announced.ts`,
    `1 T. N... 100644 120000 120000 ${HASH} ${HASH} link`,
    `2 RM N... 100644 100644 100644 ${HASH} ${HASH} R87 new name.ts`,
    'old\nname.ts',
    `2 C. N... 100644 100644 100644 ${HASH} ${HASH} C100 copy.ts`,
    'origin.ts',
    `u UU N... 100644 100644 100644 100644 ${HASH} ${HASH} ${HASH} both.ts`,
    '? "new".ts',
    '! ignored.ts',
    '',
  ].join('\0');

  expect(parseStatus(text)).toEqual({
    branch: 'main',
    upstream: 'origin/main',
    ahead: 2,
    behind: 10,
    isUnborn: false,
    entries: [
      { path: 'src/a b.ts', unstaged: 'modified' },
      { path: 'gone.ts', staged: 'added', unstaged: 'deleted' },
      { path: 'announced.ts', unstaged: 'added' },
      { path: 'link', staged: 'modified' },
      { path: 'new name.ts', oldPath: 'old\nname.ts', staged: 'renamed', unstaged: 'modified' },
      { path: 'copy.ts', staged: 'added' },
      { path: 'both.ts', unstaged: 'conflicted' },
      { path: '"new".ts', unstaged: 'added', isUntracked: true },
    ],
  });
});

test('a repository without a commit, and one without a branch', () => {
  expect(parseStatus('# branch.oid (initial)\0# branch.head main\0')).toEqual({
    branch: 'main',
    isUnborn: true,
    entries: [],
  });
  expect(parseStatus(`# branch.oid ${HASH}\0# branch.head (detached)\0`)).toEqual({ isUnborn: false, entries: [] });
});

/** A name on a disk holds anything but a slash at its ends and NUL. */
const path = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((name) => !name.includes('\0'));
const LETTERS = { modified: 'M', added: 'A', deleted: 'D', renamed: 'R' } as const;
const plainKind = fc.constantFrom('modified', 'added', 'deleted');
const entry: fc.Arbitrary<StatusEntry> = fc.oneof(
  fc.record({ path, staged: plainKind }),
  fc.record({ path, unstaged: plainKind }),
  fc.record({ path, staged: plainKind, unstaged: plainKind }),
  fc.record({ path, oldPath: path, staged: fc.constant('renamed' as const) }),
  fc.record({ path, oldPath: path, staged: fc.constant('renamed' as const), unstaged: plainKind }),
  fc.record({ path, unstaged: fc.constant('conflicted' as const) }),
  fc.record({ path, unstaged: fc.constant('added' as const), isUntracked: fc.constant(true as const) }),
);

function letterOf(kind: StatusEntry['staged']): string {
  return kind === undefined || kind === 'conflicted' ? '.' : LETTERS[kind];
}

/** As git writes it. */
function written({ path: name, oldPath, staged, unstaged, isUntracked }: StatusEntry): string {
  if (isUntracked === true) return `? ${name}\0`;
  const modes = 'N... 100644 100644 100644';
  if (unstaged === 'conflicted') return `u UU ${modes} 100644 ${HASH} ${HASH} ${HASH} ${name}\0`;
  const head = `${letterOf(staged)}${letterOf(unstaged)} ${modes} ${HASH} ${HASH}`;
  return oldPath === undefined ? `1 ${head} ${name}\0` : `2 ${head} R100 ${name}\0${oldPath}\0`;
}

test('whatever files are called, each is read back as it was written', () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      expect(parseStatus(entries.map(written).join('')).entries).toEqual(entries);
    }),
    { numRuns: rounds(10_000) },
  );
});

test('no text makes it fail, and none gives an entry without a path', () => {
  const noise = fc.array(fc.oneof(fc.string(), fc.constantFrom('1 ', '2 .R ', 'u ', '? ', '# branch.ab +', '\0')));
  fc.assert(
    fc.property(noise, (pieces) => {
      for (const { path: name } of parseStatus(pieces.join('')).entries) expect(name).not.toBe('');
    }),
    { numRuns: rounds(10_000) },
  );
});
