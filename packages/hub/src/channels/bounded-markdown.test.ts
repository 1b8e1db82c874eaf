import fc from 'fast-check';
import { Lexer } from 'marked';
import { expect, test } from 'vitest';
import { isHeavyMarkdown, lexMarkdown } from './bounded-markdown.ts';

test('a paragraph is heavy with more than 500 marks, or with more than 100 where it is long', () => {
  expect(isHeavyMarkdown('_a'.repeat(500))).toBe(false);
  expect(isHeavyMarkdown('_a'.repeat(501))).toBe(true);
  expect(isHeavyMarkdown(`${'_a'.repeat(100)}${'word '.repeat(1000)}`)).toBe(false);
  expect(isHeavyMarkdown(`${'_a'.repeat(101)}${'word '.repeat(1000)}`)).toBe(true);
  expect(isHeavyMarkdown('word, '.repeat(10_000))).toBe(false);
});

test('only the paragraph, heading, item or cell with too many marks is plain text', () => {
  const marks = '_a'.repeat(600);
  const tokens = lexMarkdown(
    `**bold**\n\n${marks}\n\n# *title*\n\n- ${marks}\n- *item*\n\n|a|b|\n|-|-|\n|${marks}|*cell*|`,
  );

  const plain = { type: 'text', raw: marks, text: marks };
  const [bold, heavy, title, list, table] = tokens.filter(({ type }) => type !== 'space');
  expect(bold).toMatchObject({ tokens: [{ type: 'strong' }] });
  expect(heavy).toMatchObject({ type: 'paragraph', tokens: [plain] });
  expect(title).toMatchObject({ type: 'heading', tokens: [{ type: 'em' }] });
  expect(list).toMatchObject({
    items: [{ tokens: [{ tokens: [plain] }] }, { tokens: [{ tokens: [{ type: 'em' }] }] }],
  });
  expect(table).toMatchObject({ rows: [[{ tokens: [plain] }, { tokens: [{ type: 'em' }] }]] });
});

test('what is not heavy is read as the library reads it', () => {
  const piece = fc.constantFrom(
    '*',
    '_',
    '**',
    '`',
    '[a](http://b.c)',
    '~~',
    'word',
    ' ',
    '\n',
    '\n\n',
    '- ',
    '> ',
    '#',
    '<b>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      expect(lexMarkdown(text)).toEqual(new Lexer({ gfm: true }).lex(text));
    }),
  );
});
