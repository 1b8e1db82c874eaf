import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNumstat } from './parse-numstat.ts';

test('lines are counted by path, a renamed file under its new name, and files that are no text are left out', () => {
  expect(parseNumstat('3\t1\tsrc/a.ts\x00-\t-\tlogo.png\x000\t2\t\0old.ts\0new\tname.ts\x001\t0\tb.ts\0')).toEqual(
    new Map([
      ['src/a.ts', { added: 3, removed: 1 }],
      ['new\tname.ts', { added: 0, removed: 2 }],
      ['b.ts', { added: 1, removed: 0 }],
    ]),
  );
});

test('whatever files are called, each is read back as it was written', () => {
  const path = fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !name.includes('\0'));
  const count = fc.record({ added: fc.nat(), removed: fc.nat() });
  fc.assert(
    fc.property(fc.array(fc.tuple(path, count, fc.option(path))), (files) => {
      const text = files.map(([name, { added, removed }, old]) =>
        old === null ? `${added}\t${removed}\t${name}\0` : `${added}\t${removed}\t\0${old}\0${name}\0`,
      );
      expect(parseNumstat(text.join(''))).toEqual(new Map(files.map(([name, lines]) => [name, lines])));
    }),
    { numRuns: rounds(10_000) },
  );
});
