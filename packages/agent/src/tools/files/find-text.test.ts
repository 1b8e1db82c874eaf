import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findText, type Replacement } from './find-text.ts';
import { applyEdits } from './text-edit.ts';

/** What becomes of the text, and by which tolerance; or why nothing does. */
function replaced(content: string, oldString: string, newString: string, replaceAll = false) {
  const found = findText(content, { oldString, newString, replaceAll });
  switch (found.outcome) {
    case 'found':
      return [found.tolerance, applyEdits(content, found.edits)];
    case 'several':
      return [found.tolerance, found.starts];
    case 'none':
      return 'none';
  }
}

describe('exactly', () => {
  test('the one place is replaced [FR-32]', () => {
    expect(replaced('a b c', 'b', 'x')).toEqual(['exact', 'a x c']);
    expect(replaced('one\ntwo\nthree\n', 'two\n', '')).toEqual(['exact', 'one\nthree\n']);
    expect(replaced('cost: 5', '5', '$& $1 $$')).toEqual(['exact', 'cost: $& $1 $$']);
  });

  test('several places are told, also when they overlap', () => {
    expect(replaced('a b a', 'a', 'x')).toEqual(['exact', [0, 4]]);
    expect(replaced('aaa', 'aa', 'x')).toEqual(['exact', [0, 1]]);
  });

  test('all places are replaced when asked so [FR-32]', () => {
    expect(replaced('a b a', 'a', 'x', true)).toEqual(['exact', 'x b x']);
    expect(replaced('aaa', 'aa', 'x', true)).toEqual(['exact', 'xa']);
    expect(replaced('a b', 'b', 'x', true)).toEqual(['exact', 'a x']);
  });

  test('an exact place is taken though others are near it', () => {
    expect(replaced('  foo()\nfoo() \n"foo()"\n', 'foo() \n', 'bar()\n')).toEqual([
      'exact',
      '  foo()\nbar()\n"foo()"\n',
    ]);
  });

  test('new lines end like the lines of a file with CRLF', () => {
    expect(replaced('a\r\nb\r\n', 'b', 'b\nc')).toEqual(['exact', 'a\r\nb\r\nc\r\n']);
  });
});

describe('line ends', () => {
  test('a file with CRLF is found by text with LF, and keeps its line ends', () => {
    expect(replaced('a\r\nb\r\nc\r\n', 'a\nb', 'a\nx\ny')).toEqual(['line-endings', 'a\r\nx\r\ny\r\nc\r\n']);
    expect(replaced('a\r\nb\r\nc', '\nb', '\nx')).toEqual(['line-endings', 'a\r\nx\r\nc']);
    expect(replaced('a\r\nb\r\nc', '\nb', '')).toEqual(['line-endings', 'a\r\nc']);
  });

  test('a file with LF is found by text with CRLF', () => {
    expect(replaced('a\nb\nc\n', 'a\r\nb', 'x\r\ny\r\nz')).toEqual(['line-endings', 'x\ny\nz\nc\n']);
  });

  test('where line ends are mixed, lines that stay keep theirs', () => {
    expect(replaced('a\r\nb\nc\r\nd', 'a\nb\nc\nd', 'a\nb\nx\nd')).toEqual(['line-endings', 'a\r\nb\nx\r\nd']);
  });

  test('all places may be meant', () => {
    expect(replaced('a\r\nb\r\na\r\nb', 'a\nb', 'x', true)).toEqual(['line-endings', 'x\r\nx']);
    expect(replaced('a\r\nb\r\na\r\nb', 'a\nb', 'x')).toEqual(['line-endings', [0, 6]]);
    expect(replaced('\r\n\r\n\r\n', '\n\n', '\n', true)).toEqual(['line-endings', '\r\n\r\n']);
  });
});

describe('whitespace at line ends', () => {
  test('it is looked through, and stays on lines that stay', () => {
    expect(replaced('a  \nb\t\nc\n', 'a\nb\nc', 'a\nx\nc')).toEqual(['trailing-whitespace', 'a  \nx\nc\n']);
    expect(replaced('a\nb\n', 'a \nb\n', 'a \nc\n')).toEqual(['trailing-whitespace', 'a\nc\n']);
    expect(replaced('a  \r\nb\r\nc', 'a\nb', 'a\nb\nd')).toEqual(['trailing-whitespace', 'a  \r\nb\r\nd\r\nc']);
  });

  test('a line feed that the end of the file lacks is looked through too', () => {
    expect(replaced('a\nb', 'a\nb\n', 'a\nc\n')).toEqual(['trailing-whitespace', 'a\nc']);
    expect(replaced('a\nb ', 'b\n', 'c')).toEqual(['trailing-whitespace', 'a\nc']);
  });

  test('lines can go, come, and be joined', () => {
    expect(replaced('a\nb  \nc\n', 'a\nb\nc\n', 'a\nc\n')).toEqual(['trailing-whitespace', 'a\nc\n']);
    expect(replaced('a \nb\nc\n', 'a\nb\n', '')).toEqual(['trailing-whitespace', 'c\n']);
    expect(replaced('a \nb\nc\n', 'a\nb', 'a\nb\n')).toEqual(['trailing-whitespace', 'a \nb\n\nc\n']);
    expect(replaced('a \nb\nc\n', 'a\nb\n', 'x')).toEqual(['trailing-whitespace', 'xc\n']);
  });

  test('only whole lines count', () => {
    expect(replaced('let a \nlet b\n', 'a\nlet b', 'x')).toBe('none');
  });

  test('blank text is never looked for this way', () => {
    expect(replaced('a\n  \nb\n', '\n\n', 'x')).toBe('none');
    expect(replaced('a\n  \nb\n', '\t', 'x')).toBe('none');
  });
});

describe('indentation', () => {
  test('lines further in are found, and the new ones move in', () => {
    expect(
      replaced('{\n    if (a) {\n\n      b();\n    }\n}\n', 'if (a) {\n\n  b();\n}', 'if (a) {\n\n  c();\n\n  d();\n}'),
    ).toEqual(['indentation', '{\n    if (a) {\n\n      c();\n\n      d();\n    }\n}\n']);
  });

  test('lines further out are found, and the new ones move out', () => {
    expect(replaced('a {\n\tb\n}\n', '\t\ta {\n\t\t\tb\n\t\t}', '\t\ta {\n\t\t\tc\n \n\t\t\td\n\t\t}')).toEqual([
      'indentation',
      'a {\n\tc\n\n\td\n}\n',
    ]);
  });

  test('a new line with too little to take away is not guessed at', () => {
    expect(replaced('a {\n\tb\n}\n', '\t\ta {\n\t\t\tb\n\t\t}', '\t\ta {\n\tc\n\t\t}')).toBe('none');
  });

  test('lines that are off by different amounts are not found', () => {
    expect(replaced('  a\n      b\n', 'a\n  b', 'x')).toBe('none');
    expect(replaced('\ta\n\t\tb\n', '  a\n    b', 'x')).toBe('none');
    expect(replaced('a\n  b\n', '    a\n    b', 'x')).toBe('none');
  });

  test('two places are one too many', () => {
    expect(replaced('  a;\n  b;\n    a;\n    b;\n', 'a;\nb;', 'x')).toEqual(['indentation', [0, 10]]);
    expect(replaced('  a;\n  b;\n    a;\n    b;\n', 'a;\nb;', 'x', true)).toEqual(['indentation', [0, 10]]);
  });
});

describe('escaped characters', () => {
  test('one escape too many is looked through, in both texts', () => {
    expect(replaced('say("hi");\n', 'say(\\"hi\\");', 'say(\\"hello\\");')).toEqual([
      'escaped-characters',
      'say("hello");\n',
    ]);
    expect(replaced('a\n\tb\nc', 'a\\n\\tb', 'a\\n\\tx\\ny')).toEqual(['escaped-characters', 'a\n\tx\ny\nc']);
    expect(replaced('a\r\nb', 'a\\nb', 'a\\nc')).toEqual(['escaped-characters', 'a\r\nc']);
    expect(replaced('p = "C:\\x"', 'p = \\"C:\\\\x\\"', 'p = \\"D:\\\\x\\"')).toEqual([
      'escaped-characters',
      'p = "D:\\x"',
    ]);
  });

  test('an escape of the new text that the old one does not prove is not guessed at', () => {
    expect(replaced('say("hi");\n', 'say(\\"hi\\");', 'say(\\"hi\\n\\");')).toBe('none');
  });

  test('what the file really has is left alone', () => {
    expect(replaced('a = "x\\n"', 'a = "x\\n"', 'a = "y\\n"')).toEqual(['exact', 'a = "y\\n"']);
  });
});

describe('typographic quotes', () => {
  test('straight quotes find typographic ones, which stay where nothing changes', () => {
    expect(replaced('It’s “good” here.', 'It\'s "good" here', 'It\'s "great" here')).toEqual([
      'typographic-quotes',
      'It’s “great” here.',
    ]);
    expect(replaced('It’s\r\nhere', "It's\nhere", "It's\nnot\nthere")).toEqual([
      'typographic-quotes',
      'It’s\r\nnot\r\nthere',
    ]);
  });

  test('typographic quotes find straight ones, and new ones become straight', () => {
    expect(replaced("f('a')\n", 'f(‘a’)', 'f(‘b’, ‘c’)')).toEqual(['typographic-quotes', "f('b', 'c')\n"]);
  });

  test('a quote that has several shapes in the file stays as it was written', () => {
    expect(replaced('a “b” c', 'a "b" c', 'x "y" z "w" v')).toEqual(['typographic-quotes', 'x "y" z "w" v']);
  });

  test('two places are one too many', () => {
    expect(replaced('“a” "a"', '“a"', 'x')).toEqual(['typographic-quotes', [0, 4]]);
  });
});

describe('for any text', () => {
  const line = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\t', '"', '“', '\\', 'n', '$', '😀', ''),
    maxLength: 8,
  });
  const lines = fc.array(line, { minLength: 1, maxLength: 12 });
  const piece = fc.record({ from: fc.nat(60), length: fc.integer({ min: 1, max: 30 }) });

  test('a piece that is there once is replaced exactly as strings are [FR-32]', () => {
    fc.assert(
      fc.property(lines, piece, line, (all, { from, length }, newString) => {
        const content = all.join('\n');
        const oldString = content.slice(from, from + length);
        fc.pre(oldString !== '' && content.indexOf(oldString) === content.lastIndexOf(oldString));
        const at = content.indexOf(oldString);

        expect(replaced(content, oldString, newString)).toEqual([
          'exact',
          content.slice(0, at) + newString + content.slice(at + oldString.length),
        ]);
      }),
      { seed: 5, numRuns: 400 },
    );
  });

  test('a file with CRLF changes as it would with LF', () => {
    fc.assert(
      fc.property(lines, piece, lines, (all, { from, length }, fresh) => {
        const content = all.join('\n');
        const oldString = content.slice(from, from + length);
        fc.pre(oldString !== '' && content.indexOf(oldString) === content.lastIndexOf(oldString));
        const newString = fresh.join('\n');
        const expected = content.replace(oldString, () => newString).replaceAll('\n', '\r\n');
        fc.pre(content.includes('\n'));

        expect(replaced(content.replaceAll('\n', '\r\n'), oldString, newString)[1]).toEqual(expected);
      }),
      { seed: 6, numRuns: 400 },
    );
  });

  test('no tolerance touches a line outside the place, and the place is what it says', () => {
    const word = fc.constantFrom('a', 'b();', 'say("x")', 'it’s', '', 'end', 'a\\n', '“q”');
    const indent = fc.constantFrom('', '  ', '    ', '\t');
    const trail = fc.constantFrom('', ' ', '\t');
    const end = fc.constantFrom('\n', '\r\n');
    const fileLine = fc.tuple(indent, word, trail, end).map((parts) => parts.join(''));
    const slip = fc.constantFrom<(text: string) => string>(
      (text) => text.replaceAll('\r\n', '\n'),
      (text) => text.replace(/[ \t]+(?=\r?\n|$)/g, ''),
      (text) => text.replace(/^(?: {2}|\t)/gm, ''),
      (text) => text.replace(/^(?=\S)/gm, '  '),
      (text) => text.replaceAll('"', '\\"').replaceAll('\n', '\\n'),
      (text) => text.replaceAll('’', "'").replace(/[“”]/g, '"'),
    );
    const seenTolerances = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(fileLine, { minLength: 1, maxLength: 10 }),
        fc.nat(9),
        fc.integer({ min: 1, max: 4 }),
        slip,
        fc.boolean(),
        (all, from, count, spoil, replaceAll) => {
          const content = all.join('');
          const picked = all.slice(from, from + count).join('');
          const oldString = spoil(picked);
          const input: Replacement = { oldString, newString: spoil(`${picked}NEW`), replaceAll };
          fc.pre(oldString !== '');
          const found = findText(content, input);
          if (found.outcome !== 'found' || found.edits.length !== 1) return;
          seenTolerances.add(found.tolerance);
          const [{ start, end: stop, text } = { start: 0, end: 0, text: '' }] = found.edits;
          const after = applyEdits(content, found.edits);
          // Outside the place every byte is as it was; and what is there differs from what was asked for only in what may differ.
          expect(after).toBe(content.slice(0, start) + text + content.slice(stop));
          const essence = (value: string) =>
            value
              .replaceAll('\\n', '\n')
              .replaceAll('\\"', '"')
              .replaceAll('’', "'")
              .replace(/[“”]/g, '"')
              .replace(/\s+/g, '');
          expect(essence(after).replace('NEW', '')).toBe(essence(content));
          expect(after.split('NEW').length).toBe(2);
        },
      ),
      { seed: 8, numRuns: 1000 },
    );
    expect([...seenTolerances].toSorted()).toEqual([
      'escaped-characters',
      'exact',
      'indentation',
      'line-endings',
      'trailing-whitespace',
      'typographic-quotes',
    ]);
  });
});
