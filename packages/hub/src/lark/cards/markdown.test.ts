import { rounds, seeMarkdown } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from './any-content.fixture.ts';
import { larkMarkdown } from './markdown.ts';

test('what Lark has a syntax for is written in it', () => {
  const text = [
    '## Title *here*',
    'Some **bold**, *slanted* and ~~gone~~ words with `code`,',
    'a [link](https://a.example/b_(c)) and https://auto.example/a_b.',
    '',
    '3. three',
    '4. four',
    '   - [x] done',
    '',
    '> said',
    '',
    '***',
    '',
    '```ts twoslash',
    'const a = `1`;',
    '```',
  ].join('\n');
  expect(larkMarkdown(text)).toBe(
    [
      '## Title *here*',
      '',
      'Some **bold**, *slanted* and ~~gone~~ words with `code`,',
      'a [link](https://a.example/b_%28c%29) and [https://auto.example/a&#95;b](https://auto.example/a_b).',
      '',
      '3. three',
      '4. four',
      '    - ☑ done',
      '',
      '> said',
      '',
      '---',
      '',
      '```ts',
      'const a = `1`;',
      '```',
    ].join('\n'),
  );
});

test('nothing that an agent writes becomes a mention, a colour, a tag or an image', () => {
  expect(larkMarkdown('<at id=all></at> <font color="red">x</font> &lt;at id=all&gt; \\<at id=all>')).toBe(
    '&#60;at id=all&#62;&#60;/at&#62; &#60;font color="red"&#62;x&#60;/font&#62; &#60;at id=all&#62; &#60;at id=all&#62;',
  );
  expect(larkMarkdown('![x](img_v3_1) ![y](https://a.example/y.png) :OK: 1 * 2 * 3')).toBe(
    'x [y](https://a.example/y.png) &#58;OK: 1 &#42; 2 &#42; 3',
  );
  expect(larkMarkdown('`<at id=all></at>`')).toBe('`<\u200bat id=all><\u200b/at>`');
});

test('an entity stays one where its character would not be seen', () => {
  expect(larkMarkdown('a&#x202e;b &#8203; &eacute; &#233;')).toBe('a&#38;#x202e;b &#38;#8203; &#38;eacute; é');
});

test('links lead to the web or to mail, and other addresses are only words', () => {
  expect(
    larkMarkdown('[a](javascript:alert(1)) [b](lark://x) [c](mailto:a@b.example) [d]($urlVal) [e]\n\n[e]: https://a'),
  ).toBe('a b [c](mailto:a@b.example) d &#91;e&#93;\n\n&#91;e&#93;: [https://a](https://a)');
});

test('fences in code cannot end it, and code in a quote is shown as words', () => {
  expect(larkMarkdown('````md\n```js\nx\n```\n````')).toBe('```md\n``\u200b`js\nx\n``\u200b`\n```');
  expect(larkMarkdown('> ```\n> <at id=all>\n> ```')).toBe('> &#60;at id=all&#62;');
  expect(larkMarkdown('- one\n  ```js\n  x\n  ```\n- two')).toBe('- one\n```js\nx\n```\n- two');
});

test('the first tables are tables, and those after them are lists', () => {
  const table = '| a | b |\n|---|---|\n| 1 \\| 2 | **x** |\n\n';
  expect(larkMarkdown(table.repeat(2), { left: 1 })).toBe(
    '| a | b |\n| --- | --- |\n| 1 &#124; 2 | **x** |\n\na · b\n- 1 &#124; 2 · **x**',
  );
});

test('a paragraph of nothing but marks is shown as words, and those around it as they are meant', () => {
  expect(larkMarkdown(`**before**\n\n${'_a'.repeat(600)}\n\n**after**`)).toBe(
    `**before**\n\n${'&#95;a'.repeat(600)}\n\n**after**`,
  );
});

test('whatever the text is, what is seen of it calls nobody and knows no tag', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { mentions, unknownTags, links, color } = seeMarkdown(larkMarkdown(text.slice(0, 21_000), { left: 4 }));
      expect({ mentions, unknownTags, color }).toEqual({ mentions: [], unknownTags: [], color: undefined });
      expect(links.filter((link) => !/^(?:https?:\/\/|mailto:)/i.test(link))).toEqual([]);
    }),
    { seed: 20_261_105, numRuns: rounds(5000) },
  );
});
