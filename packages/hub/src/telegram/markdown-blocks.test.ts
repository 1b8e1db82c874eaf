import { expect, test } from 'vitest';
import { markdownBlocks } from './markdown-blocks.ts';
import { writeMarkdownV2 } from './write-markdown-v2.ts';

const written = (markdown: string) => writeMarkdownV2(markdownBlocks(markdown));

test('text, emphasis, code and links are written as Telegram wants them [UAP-35]', () => {
  expect(written('Hello **bold _both_** ~~gone~~ `a_b`, 1 + 1 = 2!')).toBe(
    'Hello *bold _both_* ~gone~ `a_b`, 1 \\+ 1 \\= 2\\!',
  );
  expect(written('See [the **docs**](https://example.org/a_(b)) and https://example.org.')).toBe(
    'See [the *docs*](https://example.org/a_(b\\)) and [https://example\\.org](https://example.org/)\\.',
  );
  expect(written('A [trap](javascript:alert(1)) and ![a picture](https://example.org/a.png)')).toBe(
    'A trap \\(javascript:alert\\(1\\)\\) and [a picture](https://example.org/a.png)',
  );
  expect(written('Write to <ada@example.org> or [Ada](mailto:ada@example.org)')).toBe(
    'Write to ada@example\\.org or Ada \\(ada@example\\.org\\)',
  );
});

test('headings, lists, quotations, rules and code have their own shapes [UAP-35]', () => {
  const markdown = [
    '# Title',
    'Intro\nsecond line',
    '- one\n- two\n  1. inner\n  2. next\n- [x] done\n- [ ] open',
    '> quoted\n> more',
    '---',
    '```js\nlet a = `x`;\n```',
    '<b>tag</b> &amp; more',
  ];
  expect(written(markdown.join('\n\n'))).toBe(
    [
      '*Title*',
      'Intro\nsecond line',
      '• one\n• two\n   1\\. inner\n   2\\. next\n☑ done\n☐ open',
      '>quoted\n>more',
      '———',
      '```js\nlet a = \\`x\\`;```',
      '<b\\>tag</b\\> & more',
    ].join('\n\n'),
  );
});

test('a table is code with its columns under one another, and a wide one is told row by row [UAP-35]', () => {
  expect(written('| Name | Size |\n|:--|--:|\n| a.ts | 1 |\n| 文件 | 20 |')).toBe(
    ['```', 'Name │ Size', '─────┼─────', 'a.ts │    1', '文件 │   20```'].join('\n'),
  );
  const wide = `| Name | What it is for |\n|--|--|\n| door | ${'long '.repeat(20)} |`;
  expect(written(wide)).toBe(`• *Name*: door\n   *What it is for*: ${'long '.repeat(20).trim()}`);
});

test('code in a list stands between its items, and code in a quotation is lines of code [UAP-35]', () => {
  expect(written('1. Run\n\n   ```sh\n   npm test\n   ```\n2. Look')).toBe(
    '1\\. Run\n\n```sh\nnpm test```\n\n2\\. Look',
  );
  expect(written('> ```\n> a\n> b\n> ```')).toBe('>`a`\n>`b`');
});

test('nobody is mentioned by what an agent says [UAP-35]', () => {
  expect(written('Ask @ada_lovelace')).toBe('Ask @\u2060ada\\_lovelace');
});

test('what only a machine would write is shown as it is [UAP-35]', () => {
  expect(markdownBlocks('> '.repeat(5000))).toMatchObject([{ type: 'text' }]);
  expect(written('\u200b')).toBe('…');
});

test('a paragraph made of marks is shown as it was written, and the others as they are meant [UAP-35]', () => {
  const heavy = '_a_'.repeat(1000);
  expect(markdownBlocks(`${heavy}\n\nThis is _fine_.`)).toEqual([
    { type: 'text', spans: [{ text: heavy }] },
    { type: 'text', gap: true, spans: [{ text: 'This is ' }, { text: 'fine', italic: true }, { text: '.' }] },
  ]);
});
