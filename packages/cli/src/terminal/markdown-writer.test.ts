import { stripVTControlCharacters } from 'node:util';
import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownWriter } from './markdown-writer.ts';
import { readable } from './readable.fixture.ts';
import { textWidth } from './text-width.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

function write(text: string, width: number, isColored: boolean, cuts: readonly number[] = []): string {
  let written = '';
  const writer = markdownWriter({ write: (piece) => (written += piece), width, isColored });
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((one, other) => one - other), text.length];
  for (let index = 1; index < places.length; index++) writer.push(text.slice(places[index - 1], places[index]));
  writer.end();
  return written;
}

const colored = (text: string, width = 60) => readable(write(text, width, true));
const plain = (text: string, width = 60) => write(text, width, false);

test('marks inside a line become styles', () => {
  expect(colored('*a* _b_ **c** __d__ ***e*** ~~f~~ `g` ``h`i``')).toBe(
    '‹italic›a‹/› ‹italic›b‹/› ‹bold›c‹/› ‹bold›d‹/› ‹bold italic›e‹/› ‹strike›f‹/› ‹cyan›g‹/› ‹cyan›h`i‹/›\n',
  );
});

test('marks stand inside each other', () => {
  expect(colored('**bold *both* `code`** and *it **both***')).toBe(
    '‹bold›bold‹/› ‹bold italic›both‹/› ‹bold cyan›code‹/› and ‹italic›it‹/› ‹italic bold›both‹/›\n',
  );
});

test('a mark that is not closed, or could not be one, stands for itself', () => {
  expect(colored('2 * 3 * 4, snake_case_name, **kwargs, ~x~, ****, `open', NO_LIMIT)).toBe(
    '2 * 3 * 4, snake_case_name, **kwargs, ~x~, ****, `open\n',
  );
  expect(colored('[x] [a](b c) ![ <not a tag> <b AT&T &unknown; \\d', NO_LIMIT)).toBe(
    '[x] [a](b c) ![ <not a tag> <b AT&T &unknown; \\d\n',
  );
});

test('emphasis that is not closed within reach stands for itself', () => {
  const far = 'word '.repeat(130);
  expect(colored(`*${far}end*`, NO_LIMIT)).toBe(`*${far}end*\n`);
  expect(colored(`[${far}](x)`, NO_LIMIT)).toBe(`[${far}](x)\n`);
});

test('escapes, entities and line breaks are read', () => {
  expect(colored('\\*a\\* &lt;b&gt; &amp;&nbsp;c<br>d\\\ne')).toBe('*a* <b> & c\nd\ne\n');
});

test('a link shows its text and its address, and is a hyperlink where that is safe', () => {
  expect(colored('[the *docs*](https://a.b/c_d "title") <https://x.y> [z](<https://z.z/(1)>)', NO_LIMIT)).toBe(
    '‹link https://a.b/c_d›‹underline›the‹/link›‹/› ‹link https://a.b/c_d›‹underline italic›docs‹/link›‹/›‹dim› (https://a.b/c_d)‹/› ' +
      '‹link https://x.y›‹underline›https://x.y‹/link›‹/› ‹link https://z.z/(1)›‹underline›z‹/link›‹/›‹dim› (https://z.z/(1))‹/›\n',
  );
  expect(colored('[run](javascript:alert(1)) ![](img.png) [](#x)', NO_LIMIT)).toBe(
    '‹underline›run‹/›‹dim› (javascript:alert(1))‹/› ‹underline›img.png‹/› ‹underline›#x‹/›\n',
  );
});

test('headings, rules and paragraphs', () => {
  expect(colored('\n\n# One *two*\n## Three\n\n\n\ntext\nmore\n***\n#no heading\n', 30)).toBe(
    [
      '‹bold underline›One‹/› ‹bold underline italic›two‹/›',
      '‹bold›Three‹/›',
      '',
      'text',
      'more',
      `‹dim›${'─'.repeat(30)}‹/›`,
      '#no heading',
      '',
    ].join('\n'),
  );
});

test('lists are nested by their indent, counted, and wrapped below their text', () => {
  const text = [
    '- one that is longer than the line is',
    '- two',
    '  - inner',
    '     still inner',
    '    * deep',
    '1. first',
    '1. second',
    '   1) sub',
    '7. seventh',
    '',
    '   a paragraph of seven',
    '',
    'outside',
    '- [ ] open',
    '- [x] done',
    '+ ',
  ].join('\n');
  expect(readable(write(text, 24, true))).toBe(
    [
      '‹dim›• ‹/›one that is longer',
      '  than the line is',
      '‹dim›• ‹/›two',
      '  ‹dim›◦ ‹/›inner',
      '    still inner',
      '    ‹dim›▪ ‹/›deep',
      '‹dim›1. ‹/›first',
      '‹dim›2. ‹/›second',
      '   ‹dim›1) ‹/›sub',
      '‹dim›7. ‹/›seventh',
      '',
      '   a paragraph of seven',
      '',
      'outside',
      '‹dim›[ ] ‹/›open',
      '‹green›[✓] ‹/›done',
      '‹dim›•‹/›',
      '',
    ].join('\n'),
  );
});

test('a year at the start of a line is no list', () => {
  expect(plain('It was\n1986. What a year')).toBe('It was\n1986. What a year\n');
});

test('quotes keep their bar on every line, and hold lists, code and quotes', () => {
  const text = '> one two three four five\nlazy\n>\n> - a\n> > deeper\n>\n> ```\n> code\n> ```\n> end\n\nafter';
  expect(readable(write(text, 20, true))).toBe(
    [
      '‹dim›│ ‹/›one two three four',
      '‹dim›│ ‹/›five',
      '‹dim›│ ‹/›lazy',
      '‹dim›│‹/›',
      '‹dim›│ • ‹/›a',
      '‹dim›│ │ ‹/›deeper',
      '‹dim›│‹/›',
      '‹dim›│ ‹/›  ‹cyan›code‹/›',
      '‹dim›│ ‹/›end',
      '',
      'after',
      '',
    ].join('\n'),
  );
});

test('code stays as it is, indented, and is never wrapped', () => {
  const text =
    '```ts\nconst a = 1; // a long line stays in one piece\n\n\tif (*a*) `x`\n``\n```\nafter\n~~~~\n```\n~~~\n~~~~';
  expect(readable(write(text, 20, true))).toBe(
    [
      '  ‹cyan›const a = 1; // a long line stays in one piece‹/›',
      '',
      '  ‹cyan›    if (*a*) `x`‹/›',
      '  ‹cyan›``‹/›',
      'after',
      '  ‹cyan›```‹/›',
      '  ‹cyan›~~~‹/›',
      '',
    ].join('\n'),
  );
});

test('code in an item loses the indent of its fence and keeps its own', () => {
  expect(colored('1. run\n   ```sh\n   if x\n     then\n   ```\n2. next')).toBe(
    '‹dim›1. ‹/›run\n     ‹cyan›if x‹/›\n     ‹cyan›  then‹/›\n‹dim›2. ‹/›next\n',
  );
});

test('a fence ends with the quote it stands in', () => {
  expect(plain('> ```\n> code\nafter')).toBe('> ```\n> code\nafter\n');
});

test('indented code is code where no list and no paragraph is open', () => {
  expect(colored('a\n    b\n\n    code\n      more')).toBe('a\nb\n\n    ‹cyan›code‹/›\n    ‹cyan›  more‹/›\n');
});

test('a diff is coloured by its lines', () => {
  expect(colored('```diff\n@@ -1 +1 @@\n-old\n+new\n same\n```')).toBe(
    '  ‹cyan›@@ -1 +1 @@‹/›\n  ‹red›-old‹/›\n  ‹green›+new‹/›\n  ‹dim› same‹/›\n',
  );
});

const TABLE = '| Name | Size | 说明 |\n|:--|--:|:-:|\n| a \\| b | 12 | 中文字符 |\n| **c** | 3 |\n';

test('a table has its columns aligned, wide characters counted as two', () => {
  expect(stripVTControlCharacters(write(TABLE, 60, true))).toBe(
    [
      '│ Name  │ Size │   说明   │',
      '├───────┼──────┼──────────┤',
      '│ a | b │   12 │ 中文字符 │',
      '│ c     │    3 │          │',
      '',
    ].join('\n'),
  );
  expect(readable(write('| a |\n|---|\n| `x` |', 60, true))).toBe(
    '‹dim›│‹/› ‹bold›a‹/›   ‹dim›│‹/›\n‹dim›├─────┤‹/›\n‹dim›│‹/› ‹cyan›x‹/›   ‹dim›│‹/›\n',
  );
});

test('a table that is too wide wraps its widest cells; one with no room at all is shown row by row', () => {
  const text = '| key | value |\n|---|---|\n| name | a value that is much too long |\n| b | c |';
  expect(stripVTControlCharacters(write(text, 26, true))).toBe(
    [
      '│ key  │ value           │',
      '├──────┼─────────────────┤',
      '│ name │ a value that is │',
      '│      │ much too long   │',
      '│ b    │ c               │',
      '',
    ].join('\n'),
  );
  expect(readable(write(text, 14, true))).toBe(
    '‹bold›key:‹/› name\n‹bold›value:‹/› a value\nthat is much\ntoo long\n\n‹bold›key:‹/› b\n‹bold›value:‹/› c\n',
  );
});

test('a row that no ruler follows is text', () => {
  expect(plain('before\n| a | b |\nafter\n| c |\n| d |\n|---|\n')).toBe(
    'before\n| a | b |\nafter\n| c |\n| d   |\n| --- |\n',
  );
});

test('without colour the marks stay, and the result is Markdown', () => {
  const text = `# A *b*\n\nSome **bold** \`code\`, [x](https://y.z) and more\n* [x] done\n> quote\n\n\`\`\`make\nall:\n\tcc\n\`\`\`\n---\n${TABLE}`;
  expect(write(text, NO_LIMIT, false)).toBe(
    [
      '# A *b*',
      '',
      'Some **bold** `code`, [x](https://y.z) and more',
      '* [x] done',
      '> quote',
      '',
      '```make',
      'all:',
      '\tcc',
      '```',
      '---',
      '| Name   | Size |   说明   |',
      '| ------ | ---: | :------: |',
      '| a \\| b |   12 | 中文字符 |',
      '| **c**  |    3 |          |',
      '',
    ].join('\n'),
  );
});

test('Chinese is wrapped between characters, and no line begins with a full stop', () => {
  expect(plain('这是一段很长的中文文字。用来检查换行，真的。', 15)).toBe(
    '这是一段很长的\n中文文字。用来\n检查换行，真\n的。\n',
  );
});

test('a word that is longer than the line is cut where the line ends', () => {
  expect(plain('- see https://example.com/a/long/path ok', 16)).toBe(
    '- see\n  https://exampl\n  e.com/a/long/p\n  ath ok\n',
  );
});

test('emoji of several code points stay whole', () => {
  expect(plain('👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻 🇩🇪 👍🏽', 10)).toBe('👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻\n👩‍💻 🇩🇪 👍🏽\n');
});

test('text appears as soon as it is certain', () => {
  let written = '';
  const writer = markdownWriter({ write: (piece) => (written += piece), width: 40, isColored: true });
  const after = (delta: string) => {
    writer.push(delta);
    return readable(written);
  };

  expect(after('Hel')).toBe('');
  expect(after('lo wor')).toBe('Hello');
  expect(after('ld *it')).toBe('Hello world');
  expect(after('al* x')).toBe('Hello world ‹italic›ital');
  expect(after('\n')).toBe('Hello world ‹italic›ital‹/› x');
  expect(after('```\nco')).toBe('Hello world ‹italic›ital‹/› x\n  ‹cyan›co');
});

test('what would drive the terminal is shown as a picture', () => {
  expect(plain('a\u001B[31mb\u001B]0;title\u0007c\u009B2J\u007F\u0000d\r\ne\u202Ef\uD800g', 60)).toBe(
    'a␛[31mb␛]0;title␇c\uFFFD2J␡␀d\ne\uFFFDf\uFFFDg\n',
  );
});

/** Pieces that meet in all the ways in which marks can be cut, left open or nested. */
const PIECES = [
  '* _ ` ~ [ ] ( ) < > ! \\ & | # - + . : " \' ** *** ~~ ``` --- 1. 10) @@ +x word a snake_case'.split(' '),
  [' ', '\n', '\t', '\n\n', '  ', '    ', '```ts\n', '1. ', '- ', '- [ ] ', '- [x] ', '> ', '# '],
  ['](https://a.b/c_d "t")', '[x](', '<https://a.b>', '<br>', '&amp;', '| a | b |\n', '|---|:-:|\n', '| 1 |'],
  ['longer words than one line has room for', 'x'.repeat(45), 'many words '.repeat(54)],
  ['中文字符', '，。「」', 'e\u0301', '👩‍💻', '👍🏽', '🇩🇪', '❤️', '한국어'],
  ['\uD83D', '\u001B[31m', '\u001B]0;title\u0007', '\r\n', '\u009B2J', '\u202E', '\u007F'],
].flat();
const markdown = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));
const anyWidth = fc.constantFrom(12, 40, NO_LIMIT);

test('however a text is cut, the same is written', () => {
  fc.assert(
    fc.property(
      markdown,
      fc.array(fc.nat(), { maxLength: 30 }),
      anyWidth,
      fc.boolean(),
      (text, cuts, width, isColored) => {
        expect(write(text, width, isColored, cuts)).toBe(write(text, width, isColored));
      },
    ),
    { numRuns: rounds(20_000) },
  );
});

test('one character at a time is no different from all at once', () => {
  fc.assert(
    fc.property(markdown, fc.boolean(), (text, isColored) => {
      const all = Array.from({ length: text.length }, (_, index) => index);
      expect(write(text, 30, isColored, all)).toBe(write(text, 30, isColored));
    }),
    { numRuns: rounds(10_000) },
  );
});

/** All that the writer itself sends to a terminal: styles, and hyperlinks to addresses without control characters. */
// oxlint-disable-next-line no-control-regex
const OWN = /\u001B\[[\d;]+m|\u001B\]8;;(?:(?:https?:\/\/|mailto:)[\x21-\x7E]+)?\u001B\\/g;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;

test('no control character of a model reaches the terminal', () => {
  const anything = fc.oneof(
    markdown,
    fc.string({ unit: 'binary' }),
    fc.array(fc.nat(0xa0)).map((codes) => String.fromCharCode(...codes)),
  );
  fc.assert(
    fc.property(anything, anyWidth, fc.boolean(), (text, width, isColored) => {
      const written = write(text, width, isColored);
      expect(isColored ? written.replace(OWN, '') : written).not.toMatch(CONTROL);
    }),
    { numRuns: rounds(10_000) },
  );
});

test('every style and every hyperlink is ended with the line it stands on', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      for (const line of write(text, 30, true).split('\n')) {
        expect(line.match(/\u001B\]8;;[^\u001B]*\u001B\\/g)?.at(-1) ?? '\u001B]8;;\u001B\\').toBe('\u001B]8;;\u001B\\'); // oxlint-disable-line no-control-regex
        expect(line.match(/\u001B\[[\d;]+m/g)?.at(-1) ?? '\u001B[0m').toMatch(/\[(?:0|22)m$/); // oxlint-disable-line no-control-regex
      }
    }),
    { numRuns: rounds(5_000) },
  );
});

test('a line of running text is never wider than it may be', () => {
  const words = fc.array(
    fc.constantFrom('a', 'word', '中文', '，', '👩‍💻', 'x'.repeat(50), '**b**', '`c d`', ' ', '- ', '> '),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(words, (pieces) => {
      for (const line of stripVTControlCharacters(write(`- > ${pieces.join('')}`, 24, true)).split('\n'))
        expect(textWidth(line)).toBeLessThanOrEqual(24);
    }),
    { numRuns: rounds(5_000) },
  );
});

test('a text with many marks that are never closed is read in a time that grows with its length', () => {
  const text = '*a [b `c ~~d <e &f '.repeat(2_000);
  expect(write(text, 80, true)).toContain('*a [b');
});
