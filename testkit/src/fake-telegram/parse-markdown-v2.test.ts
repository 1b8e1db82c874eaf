import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../rounds.ts';
import { parseMarkdownV2 } from './parse-markdown-v2.ts';
import { settleText } from './settle-text.ts';
import type { TelegramEntity } from './telegram-wire.ts';

/** What people get: the text and its entities, each as the piece of text it covers. */
function read(source: string): { text: string; entities: [string, string, ...string[]][] } {
  const { text, entities } = settleText(parseMarkdownV2(source));
  return { text, entities: entities.map((entity) => [entity.type, piece(text, entity), ...detail(entity)]) };
}

function piece(text: string, { offset, length }: TelegramEntity): string {
  return text.slice(offset, offset + length);
}

function detail({ url, language, user, custom_emoji_id }: TelegramEntity): string[] {
  return [url, language, user && String(user.id), custom_emoji_id].filter((value) => value !== undefined);
}

const ESCAPED = /[_*[\]()~`>#+\-=|{}.!\\]/g;

function escape(text: string): string {
  return text.replaceAll(ESCAPED, String.raw`\$&`);
}

describe('the examples of the Bot API', () => {
  test.each([
    [String.raw`*bold \*text*`, 'bold *text', [['bold', 'bold *text']]],
    [String.raw`_italic \*text_`, 'italic *text', [['italic', 'italic *text']]],
    ['__underline__', 'underline', [['underline', 'underline']]],
    ['~strikethrough~', 'strikethrough', [['strikethrough', 'strikethrough']]],
    ['||spoiler||', 'spoiler', [['spoiler', 'spoiler']]],
    ['[inline URL](http://www.example.com/)', 'inline URL', [['text_link', 'inline URL', 'http://www.example.com/']]],
    ['[a user](tg://user?id=123456789)', 'a user', [['text_mention', 'a user', '123456789']]],
    ['![👍](tg://emoji?id=5368324170671202286)', '👍', [['custom_emoji', '👍', '5368324170671202286']]],
    ['`inline fixed-width code`', 'inline fixed-width code', [['code', 'inline fixed-width code']]],
    ['```\npre-formatted\ncode block\n```', 'pre-formatted\ncode block', [['pre', 'pre-formatted\ncode block']]],
    ['```python\nprint(1)\n```', 'print(1)', [['pre', 'print(1)', 'python']]],
  ])('%s', (source, text, entities) => {
    expect(read(source)).toEqual({ text, entities });
  });

  test('styles nest in each other', () => {
    const source =
      '*bold _italic bold ~italic bold strikethrough ||italic bold strikethrough spoiler||~ __underline italic bold___ bold*';
    expect(read(source)).toEqual({
      text: 'bold italic bold italic bold strikethrough italic bold strikethrough spoiler underline italic bold bold',
      entities: [
        [
          'bold',
          'bold italic bold italic bold strikethrough italic bold strikethrough spoiler underline italic bold bold',
        ],
        ['italic', 'italic bold italic bold strikethrough italic bold strikethrough spoiler underline italic bold'],
        ['strikethrough', 'italic bold strikethrough italic bold strikethrough spoiler'],
        ['spoiler', 'italic bold strikethrough spoiler'],
        ['underline', 'underline italic bold'],
      ],
    });
  });

  test('quotations begin with a line, end with it, and are folded by two bars at their end', () => {
    const source = [
      '>Block quotation started',
      '>Block quotation continued',
      '>The last line of the block quotation',
      '**>The expandable block quotation started right after the previous block quotation',
      '>It is separated from the previous block quotation by an empty bold entity',
      '>The last line of the expandable block quotation with the expandability mark||',
    ].join('\n');
    const { text, entities } = read(source);
    expect(text.split('\n')).toHaveLength(6);
    expect(
      entities.map(([type, covered]) => [type, covered.split('\n')[0], covered.trimEnd().split('\n').length]),
    ).toEqual([
      ['blockquote', 'Block quotation started', 3],
      ['expandable_blockquote', 'The expandable block quotation started right after the previous block quotation', 3],
    ]);
  });
});

describe('what Telegram refuses, in its own words', () => {
  test.each([
    ['a.b', `Character '.' is reserved and must be escaped with the preceding '\\'`],
    ['a > b', `Character '>' is reserved and must be escaped with the preceding '\\'`],
    ['a|b', `Character '|' is reserved and must be escaped with the preceding '\\'`],
    ['hi!', `Character '!' is reserved and must be escaped with the preceding '\\'`],
    ['- item', `Character '-' is reserved and must be escaped with the preceding '\\'`],
    ['é *bold', `Can't find end of Bold entity at byte offset 3`],
    ['_a', `Can't find end of Italic entity at byte offset 0`],
    ['😀 __a', `Can't find end of Underline entity at byte offset 5`],
    ['```js\nx', `Can't find end of PreCode entity at byte offset 0`],
    ['```\nx``', `Can't find end of Pre entity at byte offset 0`],
    ['`x', `Can't find end of Code entity at byte offset 0`],
    ['[x](http://a.b', `Can't find end of a URL at byte offset 4`],
    ['[x', `Can't find end of TextUrl entity at byte offset 0`],
    ['>*a\nb*', `Can't find end of Bold entity at byte offset 1`],
    ['![x](http://a.b)', 'Invalid tg://emoji or tg://time URL specified'],
  ])('%j', (source, message) => {
    expect(() => parseMarkdownV2(source)).toThrow(message);
  });

  test('a tick inside a fence opens code, so the fence never ends', () => {
    expect(() => parseMarkdownV2('```\na`b```')).toThrow("Can't find end of Pre entity at byte offset 0");
  });
});

describe('the rules between entities', () => {
  test('two underscores are read as underline first, and an empty bold keeps italic and underline apart', () => {
    expect(() => parseMarkdownV2('___italic underline___')).toThrow("Can't find end of");
    expect(read('___italic underline_**__').entities).toEqual([
      ['italic', 'italic underline'],
      ['underline', 'italic underline'],
    ]);
  });

  test('code takes no other style, so bold is cut around it', () => {
    expect(read('*a `b` c*')).toEqual({
      text: 'a b c',
      entities: [
        ['bold', 'a '],
        ['code', 'b'],
        ['bold', ' c'],
      ],
    });
  });

  test('code and links stand inside quotations', () => {
    expect(read('>a `b` [c](https://example.org)').entities).toEqual([
      ['blockquote', 'a b c'],
      ['code', 'b'],
      ['text_link', 'c', 'https://example.org/'],
    ]);
  });

  test('a link to nowhere leaves its text', () => {
    expect(read('[a](nowhere) [b](http://localhost/x) [c](javascript:alert)')).toEqual({ text: 'a b c', entities: [] });
  });

  test('a backslash before a letter beyond ASCII is a backslash', () => {
    expect(read('\\é').text).toBe('\\é');
  });

  test('a language is a word before a blank; a word before the closing fence is the code', () => {
    expect(read('```py x```').entities).toEqual([['pre', ' x', 'py']]);
    expect(read('```word```').entities).toEqual([['pre', 'word']]);
  });
});

describe('what Telegram makes of a text', () => {
  test('ends are trimmed, tabs are blanks, marks of direction go, and entities move along', () => {
    expect(read('\n a\tb \u202e*c*\r\n\n')).toEqual({ text: 'a b c', entities: [['bold', 'c']] });
  });

  test('offsets count UTF-16 units', () => {
    expect(parseMarkdownV2('😀*b*').entities).toEqual([{ type: 'bold', offset: 2, length: 1 }]);
  });

  test('a message keeps a hundred entities', () => {
    expect(read('*a* b '.repeat(150)).entities).toHaveLength(100);
  });

  test('links, mentions, commands and hashtags are found without markup, but not inside code', () => {
    const { text, found } = settleText(parseMarkdownV2('/start @ann \\#tag https://example\\.org/a `@bob`'));
    expect(found.map((entity) => [entity.type, piece(text, entity)])).toEqual([
      ['bot_command', '/start'],
      ['mention', '@ann'],
      ['hashtag', '#tag'],
      ['url', 'https://example.org/a'],
    ]);
  });
});

const anyText = fc.string({
  minLength: 1,
  unit: fc.oneof(
    fc.constantFrom(...'_*[]()~`>#+-=|{}.!\\\n\r '.split('')),
    fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  ),
});

test('what an escaper wrote comes back, plain and in every style', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(parseMarkdownV2(escape(text))).toEqual({ text, entities: [] });
      for (const [sign, type] of [
        ['*', 'bold'],
        ['_', 'italic'],
        ['__', 'underline'],
        ['~', 'strikethrough'],
        ['||', 'spoiler'],
      ] as const) {
        const entities = [{ type, offset: 0, length: text.length }];
        expect(parseMarkdownV2(sign + escape(text) + sign)).toEqual({ text, entities });
      }
      const code = text.replaceAll(/[`\\]/g, String.raw`\$&`);
      const entities = [{ type: 'pre', language: 'x', offset: 0, length: text.length }];
      expect(parseMarkdownV2(`\`\`\`x\n${code.replace(/^[\n\r]/, String.raw`\$&`)}\`\`\``)).toEqual({ text, entities });
    }),
    { seed: 1, numRuns: rounds(10_000) },
  );
});

test('any text is read or refused, and what is read has entities inside it that only nest', () => {
  fc.assert(
    fc.property(anyText, (source) => {
      const { text, entities, refusal } = readOrRefuse(source);
      expect(refusal ?? "Can't find end of").toMatch(/^(Character '|Can't find end of|The entity must|Invalid tg)/);
      for (const [index, { offset, length }] of entities.entries()) {
        expect(offset >= 0 && length > 0 && offset + length <= text.length).toBe(true);
        for (const other of entities.slice(index + 1)) {
          const isApart = other.offset >= offset + length;
          const isInside = other.offset + other.length <= offset + length;
          expect(isApart || isInside).toBe(true);
        }
      }
    }),
    { seed: 1, numRuns: rounds(20_000) },
  );
});

function readOrRefuse(source: string): { text: string; entities: TelegramEntity[]; refusal?: string } {
  try {
    return settleText(parseMarkdownV2(source));
  } catch (error) {
    return { text: '', entities: [], refusal: (error as Error).message };
  }
}
