import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDefinitions } from './find-definitions.ts';
import { outline } from './outline.fixture.ts';

const PATHS =
  'a.ts a.js a.vue a.py a.go a.rs A.java a.kt a.c a.cpp a.h a.cs a.rb a.php a.swift a.scala a.lua a.ex a.sh a.fish a.hs a.zig a.dart a.sql a.md a.rst a.proto a.m'.split(
    ' ',
  );

/** Pieces that code is made of, and that a reader of code may stumble over. */
const CODE =
  'class A|struct A|interface A|enum A|trait A|impl A for B|namespace a|module A|template <class T>|function f|def f|fn f|func f|fun f|void f(int a)|f(a)|a.b = function|const a = |type A = |end|do|async|export|public|static|operator|requires|@a(|[a]|A(b)|汉字|\u{1f642}';
const SIGNS =
  '; , ( ) { } [ ] < > = => :: . : \\ " \' ` ${ """ \'\'\' /* */ // # -- --[[ ]] {- -} r#" R"( @" ?> <? $$ /[';
const LINES = ['\n', '\n  ', '\n\t', '\r\n', '\\\n', '<<EOF\n', '\nEOF\n', '\n=begin\n', '\n=end\n'];
const BRANCHES = ['\n#if A\n', '\n#else\n', '\n#endif\n', '\n#define A(x) \\\n'];
const PIECES = [...CODE.split('|'), ...SIGNS.split(' '), ...LINES, ...BRANCHES];

test('every language gives definitions in order and within the text, whatever the text', () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join('')),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(' ')),
    fc.string({ unit: 'binary', maxLength: 80 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...PATHS), text, (path, source) => {
      const lineCount = source.split('\n').length;
      let before = 1;
      for (const { name, line, endLine } of findDefinitions(path, source)) {
        expect(name).not.toBe('');
        expect(line).toBeGreaterThanOrEqual(before);
        expect(endLine).toBeGreaterThanOrEqual(line);
        expect(endLine).toBeLessThanOrEqual(lineCount);
        before = line;
      }
    }),
    { seed: 11, numRuns: 4000 },
  );
});

test('code that is cut off anywhere keeps the definitions that were complete before the cut', () => {
  const source = 'class A {\n  run() {\n    return "}";\n  }\n}\n\nfunction after(x) {\n  return `${x}`;\n}\n';
  const complete = source.indexOf('\n\nfunction');
  for (let cut = complete; cut <= source.length; cut++)
    expect(outline('a.ts', source.slice(0, cut)).slice(0, 2)).toEqual(['1-5 class A', '2-4 method A > run']);
});

describe('long lines', () => {
  test.each(PATHS)('%s of one line of a megabyte is given up', (path) => {
    for (const piece of ['function f(a){return a}', 'class A{', 'a.b=', '/[', '<a ', '((', '`${'])
      expect(findDefinitions(path, piece.repeat(1_000_000 / piece.length)).length).toBeLessThan(2);
  });

  test('one long line among others hides no more than itself', () => {
    const data = `const DATA = "${'x'.repeat(20_000)}";\n`;
    const code = Array.from({ length: 100 }, (_, index) => `function f${index}() {}\n`).join('');
    expect(findDefinitions('a.ts', data + code)).toHaveLength(101);
  });
});

test('a missing bracket spoils the definition it is in and not the ones behind it', () => {
  const text = `
function broken() {
  if (a) {
    go();
}

function whole() {
  return 1;
}
`;
  expect(outline('a.ts', text)).toEqual(['1-4 function broken', '6-8 function whole']);
});

test('branches of the preprocessor may each open the same bracket', () => {
  const text = `
int first(void)
{
#ifdef A
  if(a) {
#else
  if(b) {
#endif
  }
}

int second(void)
{
}
`;
  expect(outline('a.c', text)).toEqual(['1-9 function first', '11-13 function second']);
});

test('a byte order mark and carriage returns change nothing', () => {
  expect(outline('a.cs', '\uFEFFpublic class A\r\n{\r\n    void Run() { }\r\n}\r\n')).toEqual([
    '1-4 class A',
    '3-3 method A > Run',
  ]);
});

test('a text in no known language defines nothing', () => {
  expect(findDefinitions('data.json', '{"class": "function f() {}"}')).toEqual([]);
  expect(findDefinitions('empty.ts', '')).toEqual([]);
});
