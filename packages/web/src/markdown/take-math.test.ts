import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeMath } from './take-math.ts';

/** The formulas of a text; those that stand by themselves are marked. */
function found(text: string, isOpen = false): string[] {
  return takeMath(text, isOpen).formulas.map(
    ({ text: source, isDisplay, isWhole }) => `${isDisplay ? 'display ' : ''}${isWhole ? '' : 'open '}${source}`,
  );
}

test.each([
  ['Let $x_1 * y_1$ be.', ['x_1 * y_1']],
  ['$a$, ($b$) and 公式$c$是', ['a', 'b', 'c']],
  ['the $n$th of $k$-means', ['n', 'k']],
  ['$$\na \\, b\n$$', ['display a \\, b']],
  ['so $$x$$ it is', ['display x']],
  ['as \\(O(n)\\) and \\( \\alpha \\)', ['O(n)', '\\alpha']],
  ['\\[\nx = 1\n\\]', ['display x = 1']],
  ['1. So\n   \\[ x^2 \\]', ['display x^2']],
  ['$2\\pi r$ and $10^{-3}$ and $3 \\times 4$', ['2\\pi r', '10^{-3}', '3 \\times 4']],
  ['| $|a|$ | b |', ['|a|']],
  ['$\\text{costs \\$5}$', ['\\text{costs \\$5}']],
])('%j has formulas', (text, formulas) => {
  expect(found(text)).toEqual(formulas);
});

test.each([
  'It costs $5 and $10.',
  '$5-$10, $5–$10, $1,000 or US$ 20',
  'from $5/month or US$, all in',
  'A$5 and B$6$',
  'between $20k and US$ 30k',
  '$ x $',
  '$HOME/$USER and $PATH:$HOME',
  '\\$x\\$ is escaped',
  '`$x$` and ``a ` $y$``',
  '```sh\necho $a $b$\n```',
  '    echo $a$',
  '- a\n\n  ~~~\n  $x$\n  ~~~',
  'an \\[escaped link\\](https://example.com) and \\(these words\\)',
  'see \\[1\\] there',
  '$a\n\nb$',
  '$$',
  '$$$$',
])('%j has none', (text) => {
  expect(found(text)).toEqual([]);
  expect(takeMath(text, false).text).toBe(text);
});

test('while it is written, a formula on lines of its own is known by its beginning', () => {
  expect(found('So\n\n$$\na + \\fr', true)).toEqual(['display open a + \\fr']);
  expect(found('as \\(x +', true)).toEqual(['open x +']);
  expect(found('It costs $5', true)).toEqual([]);
});

test('every sign stands for its formula, whatever is around it', () => {
  const word = fc.constantFrom(
    'a',
    '$x$',
    '$5',
    '`$y$`',
    '$$z$$',
    '\\(q^2\\)',
    '\\$',
    '*',
    '_b_',
    '\n',
    '\n\n',
    '\\',
    '`',
    '$',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), (words) => {
      const text = words.join(' ');
      const { text: signed, formulas } = takeMath(text, false);
      expect(signed.replaceAll(/\uFDD0m(\d+)\uFDD1/g, (_all, index: string) => formulas[Number(index)]!.written)).toBe(
        text,
      );
    }),
    { seed: 20_261_119, numRuns: 500 },
  );
});

test('of very many formulas the first are taken', () => {
  expect(found('$x$ '.repeat(2000))).toHaveLength(300);
});
