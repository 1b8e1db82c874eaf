import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownBlocks } from './markdown-blocks.ts';
import { splitPosts } from './split-posts.ts';
import { plainText } from './write-markdown-v2.ts';

function texts(markdown: string): string[] {
  return splitPosts([{ blocks: markdownBlocks(markdown) }], []).map(({ blocks }) => plainText(blocks));
}

const line = (length: number) =>
  'word '
    .repeat(Math.ceil(length / 5))
    .slice(0, length - 1)
    .concat('.');

test('a long text goes on in the next message where a paragraph begins [UAP-35]', () => {
  const paragraphs = Array.from({ length: 8 }, (_, index) => `${index} ${line(700)}`);
  expect(texts(paragraphs.join('\n\n')).map((text) => text.split('\n\n').map((part) => part[0]))).toEqual([
    ['0', '1', '2', '3', '4'],
    ['5', '6', '7'],
  ]);
});

test('a long paragraph goes on at a line, a long line at a word, and a long word between characters [UAP-35]', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `${index} ${line(97)}`).join('\n');
  const [first, second] = texts(lines);
  expect([first, second].join('\n')).toBe(lines);

  const words = line(6000);
  expect(texts(words).join(' ')).toBe(words);

  const family = '👩‍👩‍👧‍👦';
  expect(texts(family.repeat(600)).map((text) => text.length % family.length)).toEqual([0, 0]);
});

test('code that goes on is code again, and what is bold stays bold [UAP-35]', () => {
  const code = Array.from({ length: 200 }, (_, index) => `line(${index}, "${line(30)}");`).join('\n');
  const posts = splitPosts([{ blocks: markdownBlocks(`\`\`\`ts\n${code}\n\`\`\``) }], []);
  expect(posts.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([['pre'], ['pre'], ['pre']]);
  expect(posts.map(({ blocks }) => plainText(blocks)).join('\n')).toBe(code);

  const bold = splitPosts([{ blocks: markdownBlocks(`**${line(5000)}**`) }], []);
  expect(
    bold.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'pre' ? [] : block.spans))),
  ).toMatchObject([{ bold: true }, { bold: true }]);
});

test('while a text grows, only the last message changes [UAP-35]', () => {
  const piece = fc.oneof(
    fc.lorem({ maxCount: 80 }),
    fc.lorem({ maxCount: 12 }).map((text) => `## ${text}`),
    fc
      .array(fc.lorem({ maxCount: 10 }), { minLength: 1, maxLength: 20 })
      .map((all) => all.map((text) => `- ${text}`).join('\n')),
    fc
      .array(fc.lorem({ maxCount: 10 }), { minLength: 1, maxLength: 60 })
      .map((all) => `\`\`\`ts\n${all.join('\n')}\n\`\`\``),
    fc.constantFrom(3000, 9000).map((length) => 'x'.repeat(length)),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 5, maxLength: 40 }),
      fc.integer({ min: 200, max: 1500 }),
      (pieces, step) => {
        const text = pieces.join('\n\n').slice(0, 20_000);
        let shown: string[] = [];
        for (let end = step; end < text.length + step; end += step) {
          const now = texts(text.slice(0, end));
          // A word or a mark that is half written may still become part of the markup, but only in the last one.
          expect(now.slice(0, shown.length - 1)).toEqual(shown.slice(0, -1));
          expect(now.length).toBeGreaterThanOrEqual(shown.length);
          shown = now;
        }
      },
    ),
    { numRuns: rounds(2000), seed: 37 },
  );
});

test('what stands at the end is in the last message, or in one of its own where it does not fit [UAP-35]', () => {
  const ending = (length: number) => [
    { type: 'text' as const, gap: true as const, spans: [{ text: 'e'.repeat(length) }] },
  ];
  const text = [{ blocks: markdownBlocks(line(3700)) }];
  expect(splitPosts(text, ending(200))).toHaveLength(1);
  expect(splitPosts(text, ending(900)).map(({ blocks }) => plainText(blocks).length)).toEqual([3700, 900]);
});
