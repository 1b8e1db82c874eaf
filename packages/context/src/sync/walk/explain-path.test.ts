import { join } from 'node:path';
import { truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../filter/tree.fixture.ts';
import { explainPath } from './explain-path.ts';

test('SYNC-38 for a file in a folder that is left out, the folder and the line that did it are named', () => {
  const root = tempTree({ '.gitignore': '# made\nbuild/\n', 'build/out/a.ts': '' });

  expect(explainPath(root, 'build/out/a.ts')).toEqual({
    path: 'build/out/a.ts',
    accepted: false,
    reason: `Ignored by ${root}/.gitignore:2 (build/)`,
    leftOut: 'build',
    layers: [
      { layer: 'default Augment rules', verdict: 'passes', reason: 'No rule matches' },
      { layer: 'Dragoman safety rules', verdict: 'passes', reason: 'No rule matches' },
      { layer: `${root}/.gitignore`, verdict: 'left out', reason: 'build/ in line 2' },
      { layer: 'Dragoman defaults', verdict: 'passes', reason: 'No rule matches' },
    ],
    decidedBy: { layer: `${root}/.gitignore`, verdict: 'left out', reason: 'build/ in line 2' },
  });
});

test('SYNC-24 SYNC-38 every layer has its word, in order, the content last', () => {
  const root = tempTree({
    '.gitignore': '*.log\n',
    'a/.gitignore': '!other.log\n',
    '.augmentignore': '!x.log\n',
    'a/.dragomanignore': 'y\n',
    'a/x.log': 'line\n',
  });

  expect(explainPath(root, 'a/x.log', { extensions: ['.log'] })).toEqual({
    path: 'a/x.log',
    accepted: true,
    reason: 'Accepted',
    leftOut: undefined,
    layers: [
      { layer: 'default Augment rules', verdict: 'passes', reason: 'No rule matches' },
      { layer: 'Dragoman safety rules', verdict: 'passes', reason: 'No rule matches' },
      { layer: `${root}/.gitignore`, verdict: 'left out', reason: '*.log in line 1' },
      { layer: `${root}/a/.gitignore`, verdict: 'passes', reason: 'No rule matches' },
      { layer: 'Dragoman defaults', verdict: 'passes', reason: 'No rule matches' },
      { layer: `${root}/.augmentignore`, verdict: 'taken back', reason: '!x.log in line 1' },
      { layer: `${root}/a/.dragomanignore`, verdict: 'passes', reason: 'No rule matches' },
      { layer: 'file extension', verdict: 'passes', reason: '.log is in the list' },
      { layer: 'content', verdict: 'passes', reason: 'Text of 5 bytes' },
    ],
    decidedBy: { layer: `${root}/.augmentignore`, verdict: 'taken back', reason: '!x.log in line 1' },
  });
});

test('SYNC-33 of a file that the safety rules leave out nobody else has a word, also who would take it back', () => {
  const root = tempTree({ '.gitignore': '*.log\n', '.augmentignore': '!.env\n', '.env': 'A=1\n' });
  const left = { layer: 'Dragoman safety rules', verdict: 'left out', reason: '*.env' };

  expect(explainPath(root, '.env')).toEqual({
    path: '.env',
    accepted: false,
    reason: 'Ignored by Dragoman safety rules (*.env)',
    leftOut: '.env',
    layers: [{ layer: 'default Augment rules', verdict: 'passes', reason: 'No rule matches' }, left],
    decidedBy: left,
  });
});

test('a file the rules allow may still be left out for what is in it', () => {
  const root = tempTree({ 'a.bin': '\0', 'b.txt': Buffer.from([0xe4]), large: '', empty: '' });
  truncateSync(join(root, 'large'), 2_400_000);
  const reasons = ['a.bin', 'b.txt', 'large', 'missing', 'a.bin/below', 'empty', '', '../x'].map(
    (path) => explainPath(root, path, { maxBytes: 1_000_000 }).reason,
  );

  expect(reasons).toEqual([
    'Binary file',
    'Binary file: not UTF-8',
    'Large file: 2400000 bytes; the limit is 1000000',
    'No such file',
    'No such file',
    'Accepted',
    'Accepted',
    'Outside the folder',
  ]);
});

test('a folder on the way to something taken back is explained as such, and so is what else is in it', () => {
  const root = tempTree({ '.gitignore': 'build/\n', '.dragomanignore': '\n!build/keep.ts\n', 'build/keep.ts': '' });

  expect(explainPath(root, 'build').layers.at(-1)).toEqual({
    layer: `${root}/.dragomanignore`,
    verdict: 'taken back',
    reason: 'Entered because of line 2',
  });
  expect(explainPath(root, 'build/keep.ts').accepted).toBe(true);
  expect(explainPath(root, 'build/other.ts')).toMatchObject({
    accepted: false,
    leftOut: 'build/other.ts',
    reason: `Ignored by ${root}/.gitignore:1 (build/)`,
  });
});

test('a path that is too deep to look at at once is refused, and a name that no system allows is no mistake of ours', () => {
  const root = tempTree({ 'a.ts': '' });

  expect(explainPath(root, `${'a/'.repeat(99)}b.ts`)).toMatchObject({ reason: 'No such file' });
  expect(() => explainPath(root, `${'a/'.repeat(100)}b.ts`)).toThrow(
    'The path is more than 100 folders deep; ask about a folder above it.',
  );
  expect(explainPath(root, `${'a'.repeat(1000)}/b.ts`)).toMatchObject({ accepted: false });
});
