import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainMarkdown } from './plain-markdown.ts';

test.each([
  ['# Done\nThe **price** of `a_b * c`', 'Done\nThe price of a_b * c'],
  ['It is *translated*, … See [the docs](https://example.com/a_(b)).', 'It is translated, … See the docs.'],
  ['It is *translated*, … See [the docs](https://exam', 'It is translated, … See the docs'],
  [
    '***both***, __bold__, _slanted_, ~~gone~~ and snake_case_name * 2',
    'both, bold, slanted, gone and snake_case_name * 2',
  ],
  ['- one\n- [x] two\n  * three\n1. four', 'one\ntwo\n  three\n1. four'],
  ['> quoted\n> > twice', 'quoted\ntwice'],
  ['```ts\nconst a = **b**;\n```\nafter', 'const a = **b**;\nafter'],
  ['```ts\nstill open **', 'still open **'],
  ['| a | b |\n|---|--:|\n| 1 | **2** |', 'a · b\n1 · 2'],
  ['A note[^1] and [a][1].\n\n[^1]: words\n[1]: https://example.com', 'A note and a.'],
  ['![a chart](a.png) <https://example.com> <kbd>Ctrl</kbd><!-- x -->', 'a chart https://example.com Ctrl'],
  ['<details><summary>More</summary>\n\nwords</details>', 'More\n\nwords'],
  ['2 \\* 3 \\[x\\] 5*3*2 and a < b', '2 * 3 [x] 532 and a < b'],
  ['> [!NOTE]\n> Mind it', 'Mind it'],
  ['价格是 **五元**，见[文档](https://example.com)。', '价格是 五元，见文档。'],
  ['a = b[0](x) && arr[i]', 'a = b0 && arr[i]'],
])('%j reads as words', (text, words) => {
  expect(plainMarkdown(text)).toBe(words);
});

test('no word of a text is lost but addresses and names of what is not shown', () => {
  const word = fc.constantFrom(
    'alpha',
    '**beta**',
    '`gam_ma`',
    '_delta_',
    '- eps',
    '> zeta',
    '# eta',
    '\n',
    '\n\n',
    '*',
    '`',
    '[theta](u)',
    '~~',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const plain = plainMarkdown(words.join(' '));
      for (const one of words.join(' ').match(/[a-z_]{3,}/g) ?? [])
        expect(plain).toContain(one.replaceAll(/^_|_$/g, ''));
    }),
    { seed: 20_261_120, numRuns: 500 },
  );
});

test.each(['[', '*', '_', '`', '![', '[a](', '<!--', '| ', '> ', '**a ', '`a ', '[['])(
  '%j over and over is read to its end',
  (piece) => {
    expect(plainMarkdown(piece.repeat(5000)).length).toBeLessThanOrEqual(piece.length * 5000);
  },
);
