import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seeMarkdown } from './see-markdown.ts';

test('marks are gone, words and code stay', () => {
  const seen = seeMarkdown(
    '# Title\n**bold** and *it* and `a*b*`\n- one\n> said\n```ts\nlet **a**;\n```\n[docs](https://example.org)',
  );

  expect(seen.lines).toEqual(['Title', 'bold and it and a*b*', '• one', '> said', 'let **a**;', 'docs']);
  expect(seen.links).toEqual(['https://example.org']);
});

test('escapes and entities are what they stand for', () => {
  expect(seeMarkdown('2 \\* 3 \\* 4 &lt;at id=all&gt; &#42;x&#42; a_b_c 5 * 6 * 7').lines).toEqual([
    '2 * 3 * 4 <at id=all> *x* a_b_c 5 * 6 * 7',
  ]);
});

test('mentions and tags that nobody knows are told', () => {
  const seen = seeMarkdown(
    '<at id=ou_1></at> <font color="green">ok</font> <script>x</script> `<at id=all>`\n```\n<at id=all>\n```',
  );

  expect(seen.mentions).toEqual(['ou_1']);
  expect(seen.unknownTags).toEqual(['script', 'script']);
  expect(seen.color).toBe('green');
  expect(seen.lines[0]).toBe('@ou_1 ok <script>x</script> <at id=all>');
});

test('tables are counted outside of code', () => {
  const table = '| a | b |\n|---|:-:|\n| 1 | 2 |';

  expect(seeMarkdown(`${table}\n\n${table}`).tables).toBe(2);
  expect(seeMarkdown(`\`\`\`\n${table}\n\`\`\``).tables).toBe(0);
  expect(seeMarkdown('a | b').tables).toBe(0);
});

test('text in which every mark is escaped is seen as it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const line = text.replaceAll(/[\n\r]/g, ' ').trim();
      const escaped = line.replaceAll(/[!-/:-@[-`{-~]/g, (mark) => `\\${mark}`);
      expect(seeMarkdown(`x${escaped}`).lines).toEqual([`x${line}`]);
    }),
  );
});
