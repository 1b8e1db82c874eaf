import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf, render } from '../render.fixture.tsx';
import { Markdown } from './markdown.tsx';
import { renderNodes } from './markdown-nodes.tsx';
import { readBlock } from './read-block.ts';

const word = fc.constantFrom(
  'alpha',
  '**beta**',
  '`gamma[^1]`',
  '[delta][1]',
  '_eps_',
  'a < b',
  '5 * 3',
  'x]',
  '~~no~~',
);
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((all) => `w ${all.join(' ')}`);
const part = fc.oneof(
  words,
  fc.array(words, { minLength: 2, maxLength: 3 }).map((lines) => lines.join('\n')),
  fc.array(words, { minLength: 1, maxLength: 4 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
  fc
    .array(words, { minLength: 1, maxLength: 4 })
    .map((items) => items.map((item, at) => `${at + 1}. ${item}`).join('\n')),
  fc.tuple(words, words).map(([a, b]) => `> ${a}\n> ${b}`),
  fc.tuple(words, words).map(([a, b]) => `| A | B |\n|---|---|\n| ${a} | ${b} |`),
  words.map((title) => `## ${title}`),
  fc.constantFrom('```ts\nlet a;\n\n[^1]: code\n```', '---', '    deep code'),
);
const document = fc.array(part, { minLength: 1, maxLength: 8 });

test('a text in parts is drawn as it is in one piece', () => {
  fc.assert(
    fc.property(document, (parts) => {
      const text = [...apart(parts), '[1]: https://example.com'].join('\n\n');
      const whole = readBlock(text, false)!;
      expect(linesOf(render(<Markdown text={text} />))).toEqual(linesOf(render(<div>{renderNodes(whole)}</div>)));
    }),
    { seed: 20_261_117, numRuns: 300 },
  );
});

test('a footnote is drawn once, whatever the text around it is and wherever the note stands', () => {
  fc.assert(
    fc.property(document, fc.nat(8), fc.nat(8), (parts, at, from) => {
      const all = apart(parts);
      const noted = all
        .toSpliced(at, 0, 'The noted one[^note].')
        .toSpliced(from, 0, '[^note]: Words at the foot.', 'Then.');
      const shown = render(<Markdown text={noted.join('\n\n')} />);
      const lines = linesOf(shown);
      expect(lines.filter((line) => line.includes('Words at the foot.'))).toEqual(['Words at the foot.']);
      expect(lines.slice(-2)).toEqual(['Words at the foot.', '↩']);
      expect(shown.match(/role="doc-noteref"/g)).toHaveLength(1);
      expect(lines.join('\n')).not.toMatch(/\[\^note\]/);
    }),
    { seed: 20_261_118, numRuns: 300 },
  );
});

/** Two lists of a kind are one, and code further in belongs to a list above it: a line between keeps them apart. */
function apart(parts: readonly string[]): string[] {
  return parts.flatMap((text) => ['Then.', text]);
}
