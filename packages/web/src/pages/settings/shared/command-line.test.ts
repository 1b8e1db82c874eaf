import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCommandLine, writeCommandLine } from './command-line.ts';

const words = (text: string) => {
  const line = readCommandLine(text);
  return line.type === 'read' ? line.words : line.type;
};

test('a command is read as a terminal would, but nothing is expanded', () => {
  expect(words('npx -y "some server" --dir ~/a\\ b $HOME')).toEqual([
    'npx',
    '-y',
    'some server',
    '--dir',
    '~/a b',
    '$HOME',
  ]);
  expect(words(`a 'it''s' "say \\"hi\\"" ''`)).toEqual(['a', 'its', 'say "hi"', '']);
  expect(words('  ')).toEqual([]);
  expect(words('C:\\\\tools\\\\x.exe')).toEqual(['C:\\tools\\x.exe']);
});

test('a quote that is not closed is told', () => {
  expect([words('a "b'), words("a 'b")]).toEqual(['open-quote', 'open-quote']);
});

test('whatever the arguments are, what is written is read as the same', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (given) => {
      expect(words(writeCommandLine(given))).toEqual(given);
    }),
  );
});
