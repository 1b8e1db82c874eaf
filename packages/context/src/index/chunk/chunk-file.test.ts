import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Definition } from '../definitions/definition.ts';
import { findDefinitions } from '../definitions/find-definitions.ts';
import { chunkFile } from './chunk-file.ts';

/** A file's chunks as `start-end symbol [names that begin in it]`. */
function chunks(path: string, text: string): string[] {
  const definitions = findDefinitions(path, text);
  return chunkFile(path, text, definitions).map(
    ({ start, end, symbol, definitions: inside }) =>
      `${start}-${end} ${symbol ?? '-'} [${inside.map((index) => definitions[index]!.name).join(' ')}]`,
  );
}

const body = (lines: number) => Array.from({ length: lines }, (_, index) => `  step(${index});\n`).join('');

test('a definition stays whole, together with the comments directly above it', () => {
  const text = `import a from 'a';\n\n// Runs.\n@traced\nfunction run() {\n${body(60)}}\n\n/** Stops. */\nfunction stop() {\n${body(60)}}\n`;
  expect(chunks('a.ts', text)).toEqual(['1-2 - []', '3-67 run [run]', '68-130 stop [stop]']);
});

test('a block comment belongs to what it stands above, even with a blank line between them', () => {
  const text = `const ALPHA = 1;\n${'\n'.repeat(50)}/**\n * Runs.\n */\n\nfunction run() {\n${body(45)}}\n`;
  expect(chunks('a.ts', text)).toEqual(['1-51 ALPHA [ALPHA]', '52-102 run [run]']);
});

test('small neighbours share a chunk, and its symbol is what most of it is', () => {
  const text = `const ALPHA = 1;\n\nfunction one() {\n${body(3)}}\n\nfunction two() {\n${body(20)}}\n`;
  expect(chunks('a.ts', text)).toEqual(['1-30 two [ALPHA one two]']);
});

test('a large class is cut at its methods, and several of them are called after the class', () => {
  const method = (name: string, lines: number) => `  ${name}() {\n${body(lines)}  }\n\n`;
  const text = `class Big {\n${['a', 'b', 'c', 'd', 'e'].map((name) => method(name, 18)).join('')}${method('f', 60)}}\n`;
  expect(chunks('a.ts', text)).toEqual(['1-43 Big [Big a b]', '44-85 Big [c d]', '86-106 e [e]', '107-170 f [f]']);
});

test('a function that is too long is cut at its blank lines, and each piece has its name', () => {
  const text = `function long() {\n${`${body(39)}\n`.repeat(4)}}\n`;
  expect(chunks('a.ts', text)).toEqual(['1-41 long [long]', '42-81 long []', '82-121 long []', '122-162 long []']);
});

test('a text without definitions is cut near the target, at the blank line with the least indentation behind it', () => {
  const text = `${body(30)}\nflush:\n${body(10)}\n${body(40)}`;
  expect(chunks('notes.txt', text)).toEqual(['1-31 - []', '32-81 - []', '82-83 - []']);
});

test('a document is cut at its headings', () => {
  const text = `# Title\n\n${'word\n'.repeat(45)}\n## One\n\n${'word\n'.repeat(40)}\n## Two\n\n${'word\n'.repeat(40)}`;
  expect(chunks('a.md', text)).toEqual(['1-48 Title [Title]', '49-91 One [One]', '92-133 Two [Two]']);
});

test('a very long line is a chunk of its own', () => {
  expect(chunks('a.txt', `a\n${'x'.repeat(1_000_000)}\nb\n`)).toEqual(['1-1 - []', '2-2 - []', '3-3 - []']);
});

test('an empty file has no chunks', () => {
  expect(chunkFile('a.ts', '', [])).toEqual([]);
  expect(chunks('a.ts', '\n')).toEqual(['1-1 - []']);
});

test('each line is in exactly one chunk and each definition begins in one, whatever the definitions', () => {
  const line = fc.constantFrom('', '', '  x', 'y', '}', '// c', `long ${'z'.repeat(300)}`);
  const spans = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 300 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 400 }), spans, (lines, found) => {
      const text = lines.join('\n');
      const definitions = found
        .map(([start, length]): Definition => ({
          name: `n${start}`,
          kind: 'function',
          line: start,
          endLine: start + length,
        }))
        .filter(({ line: start }) => start <= lines.length)
        .toSorted((a, b) => a.line - b.line || b.endLine - a.endLine);
      const result = chunkFile('a.ts', text, definitions);
      let next = 1;
      for (const { start, end } of result) {
        expect(start).toBe(next);
        expect(end).toBeGreaterThanOrEqual(start);
        next = end + 1;
      }
      const lineCount = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
      expect(next).toBe(lineCount + 1);
      const begun = result.flatMap(({ definitions: inside }) => inside);
      expect(begun).toEqual(definitions.flatMap(({ line: start }, index) => (start <= lineCount ? [index] : [])));
    }),
    { seed: 3, numRuns: 500 },
  );
});

test('no chunk is larger than a definition may be, unless a single line or what is blank makes it so', () => {
  const piece = fc.constantFrom(
    'function f() {\n',
    'class A {\n',
    '  m() {\n',
    '  }\n',
    '}\n',
    '\n',
    '  x();\n',
    '  x();\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 600 }), (pieces) => {
      const lines = pieces.join('').split('\n');
      const text = lines.join('\n');
      for (const { start, end } of chunkFile('a.ts', text, findDefinitions('a.ts', text))) {
        const written = lines
          .slice(start - 1, end)
          .join('\n')
          .trimEnd()
          .split('\n');
        expect(written.length).toBeLessThanOrEqual(120);
      }
    }),
    { seed: 9, numRuns: 300 },
  );
});
