import { expect, test } from 'vitest';
import { linesOf, render } from '../render.fixture.tsx';
import { PictureSessionContext } from '../picture/picture-session.ts';
import { Markdown } from './markdown.tsx';

function html(text: string, isOpen = false): string {
  return render(<Markdown text={text} isOpen={isOpen} />);
}

test('what Markdown means is shown as it is meant', () => {
  const shown = html(
    '# Title\n\nSome **bold**, _slanted_ and ~~gone~~ words with `code`.\n\n1. one\n2. two\n   - inner\n\n- [x] done\n- [ ] open\n\n> quoted\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n---\n\n```ts\nlet a;\n```',
  );

  for (const part of [
    /<h3[^>]*>Title<\/h3>/,
    /<strong>bold<\/strong>/,
    /<em>slanted<\/em>/,
    /<del>gone<\/del>/,
    /<code[^>]*>code<\/code>/,
    /<ol start="1"[^>]*><li[^>]*>one<\/li><li[^>]*>two<ul[^>]*><li[^>]*>inner<\/li><\/ul><\/li><\/ol>/,
    /<blockquote[^>]*><p>quoted<\/p><\/blockquote>/,
    /<th scope="col"[^>]*>a<\/th>/,
    /<td[^>]*text-right[^>]*>2<\/td>/,
    /<hr[^>]*>/,
    /<pre[^>]*aria-label="Code, typescript"/,
  ])
    expect(shown).toMatch(part);
  expect(linesOf(shown)).toEqual(expect.arrayContaining(['Done', 'done', 'Not done', 'open', 'ts', 'let a;']));
});

test('tags are shown, not followed', () => {
  expect(
    linesOf(
      html(
        '<b onclick="x()">Hi</b> <script>alert(1)</script>\n\n<details ontoggle="x()"><summary>x</summary></details>\n\n<kbd class="a">b</kbd> </sub> <sup>',
      ),
    ),
  ).toEqual([
    '<b onclick="x()">Hi</b> <script>alert(1)</script>',
    '<details ontoggle="x()"><summary>x</summary></details>',
    '<kbd class="a">b</kbd> </sub> <sup>',
  ]);
});

test('keys, small letters and line breaks are drawn from their tags, and remarks are not', () => {
  const shown = html('Press <kbd>Ctrl</kbd>, H<sub>2</sub>O, x<sup>**2**</sup>,<br>next <!-- a remark --> `<kbd>`');
  expect(shown).toMatch(
    /Press <kbd[^>]*>Ctrl<\/kbd>, H<sub[^>]*>2<\/sub>O, x<sup[^>]*><strong>2<\/strong><\/sup>,<br\/>next {2}<code[^>]*>&lt;kbd&gt;<\/code>/,
  );
  expect(linesOf(html('One\n\n<!-- a\n\nb -->\n\nTwo'))).toEqual(['One', 'Two']);
  expect(linesOf(html('One <!-- still', true))).toEqual(['One']);
  expect(linesOf(html('One\n\n<!-- never\n\nends'))).toEqual(['One', '<!-- never', 'ends']);
});

test('headings go one deeper at most, whatever levels the text has', () => {
  const levels = (text: string) => [...html(text).matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
  expect(levels('### a\n\ntext\n\n##### b\n\n### c\n\n# d\n\n#### e')).toEqual([3, 4, 3, 3, 4]);
  expect(levels('a\n===\n\nb\n---\n\n> #### c\n\n<details>\n\n##### d\n\n</details>')).toEqual([3, 4, 5, 5]);
  expect(levels('```\n# code\n```\n\n## a')).toEqual([3]);
});

test('a table has a head, keeps short cells in one line and scrolls by itself', () => {
  const shown = html(`| Name | Time | Words |\n|---|---|---|\n| a | 812 ms | ${'long words '.repeat(9)} |`);
  expect(shown).toMatch(/<thead class="[^"]*bg-hover[^"]*"><tr><th scope="col" class="[^"]*font-semibold[^"]*">Name/);
  expect(shown).toMatch(/<td class="[^"]*whitespace-nowrap[^"]*">812 ms<\/td><td class="(?![^"]*nowrap)/);
  expect(shown).toMatch(/<div tabindex="0" role="group" aria-label="Table" class="overflow-x-auto/);
});

test('a fold is drawn from text, with Markdown inside, in one another and while it is written', () => {
  const shown = html(
    'Before\n<details>\n<summary><b>More</b> of `it`</summary>\n\n- one\n- **two**\n\n```html\n</details>\n```\n\n<details open><summary>Inner</summary>deep</details>\n</details>\n\nAfter',
  );
  expect(linesOf(shown)).toEqual([
    'Before',
    'More of it',
    'one',
    'two',
    'html',
    '</details>',
    'Inner',
    'deep',
    'After',
  ]);
  expect(shown.match(/<details(?: open="")?/g)).toEqual(['<details', '<details open=""']);
  expect(linesOf(html('<details>\n<summary>Mo', true))).toEqual(['Mo']);
  expect(linesOf(html('<details>\n<summary>More</summary>\n\nsome **wor', true))).toEqual(['More', 'some wor']);
  expect(linesOf(html('<details>\n<summary>More</summary>\n\nwords\n</deta', true))).toEqual(['More', 'words']);
  expect(linesOf(html('<details>no line</details>'))).toEqual(['Details', 'no line']);
});

test('a footnote is shown once, at the foot, numbered and linked there and back', () => {
  const shown = html(
    'One[^b] and two[^A].\n\nAgain[^b], no note[^c], `code[^a]`.\n\n[^a]: The **first**.\n[^b]: The second,\n    which goes on.\n\nThree [link](https://example.com).',
  );
  const links = [...shown.matchAll(/<a id="([^"]*)" href="([^"]*)" role="doc-noteref"[^>]*>(\d)<\/a>/g)];
  expect(links.map(([, , , number]) => number)).toEqual(['1', '2', '1']);
  for (const [, id, href] of links) {
    expect(shown).toContain(`id="${href!.slice(1)}"`);
    expect(shown).toContain(`href="#${id}" role="doc-backlink"`);
  }
  expect(shown.match(/role="doc-backlink"/g)).toHaveLength(3);
  expect(shown.match(/The second/g)).toHaveLength(1);
  expect(shown).toMatch(/no note\[\^c\], <code[^>]*>code\[\^a\]<\/code>/);
  expect(linesOf(shown).slice(-6)).toEqual(['The second,\nwhich goes on.', '↩', '↩', '2', 'The first.', '↩']);
});

test('while an answer streams, its notes are there as far as they are written', () => {
  expect(linesOf(html('Words[^1].\n\n[^1]: A no', true))).toEqual(['Words', '1', '.', 'A no', '↩']);
});

test('a link leads where its words say, or says where else', () => {
  expect(html('[docs](https://example.com/a)')).toContain(
    '<a href="https://example.com/a" title="https://example.com/a" target="_blank" rel="noopener noreferrer"',
  );
  expect(linesOf(html('[bank.example](https://evil.example)'))).toEqual(['bank.example', '(evil.example)']);
  expect(linesOf(html('[x](javascript:alert(1))'))).toEqual(['x (javascript:alert(1))']);
});

test('a file that is named can be opened where there is a place for it', () => {
  const text = 'See `src/a.ts:12` and [b](src/b.ts).';
  expect(html(text)).not.toContain('<button');
  const shown = render(<Markdown text={text} onOpenFile={() => {}} />);
  expect([...shown.matchAll(/<button[^>]*title="([^"]*)"/g)].map(([, title]) => title)).toEqual([
    'Open src/a.ts',
    'Open src/b.ts',
  ]);
});

test('an image of the session is asked for when it comes near to the screen; until then its words stand there', () => {
  const text = 'See ![the plan](docs/plan.png) and ![](https://example.com/b.png).';
  const shown = render(
    <PictureSessionContext value="ses_1">
      <Markdown text={text} />
    </PictureSessionContext>,
  );
  expect(shown).not.toContain('<img');
  expect(shown).toContain('title="Loading image…"');
  expect(linesOf(shown)).toEqual(['See', 'the plan', 'and', 'Image', '.']);
});

test('an image from elsewhere is never loaded: it is a link with its words', () => {
  const shown = html('![a chart](https://example.com/a.png) ![](https://example.com/b.png)');
  expect(shown).not.toContain('<img');
  expect(linesOf(shown)).toEqual(['a chart', 'Image']);
});

test('an image in a link is part of that link, and leads nowhere else', () => {
  const shown = html('[![badge](https://example.com/a.svg)](https://example.com/b)');
  expect([...shown.matchAll(/<(?:a|button)[^>]*(?:href|title)="([^"]*)"/g)].map(([, target]) => target)).toEqual([
    'https://example.com/b',
  ]);
  expect(linesOf(shown)).toEqual(['badge']);
});

test('while a text is written its open ends are not shown, and a caret stands behind it', () => {
  expect(linesOf(html('It is **very', true))).toEqual(['It is very']);
  expect(html('It is', true)).toContain('animate-breathe');
  expect(html('It is')).not.toContain('animate-breathe');
  expect(linesOf(html('```ts\nlet a = 1;\nlet b', true))).toEqual(['ts', 'let a = 1;', 'let b']);
});

test('lines of a prompt stay lines', () => {
  expect(render(<Markdown text={'one\ntwo'} keepsLines />)).toMatch(/whitespace-pre-wrap[^>]*>.*one\ntwo/s);
});

test.each([
  ['[', 100_000],
  ['*', 100_000],
  ['_', 100_000],
  ['`', 100_000],
  ['|', 100_000],
  ['> ', 50_000],
  ['- ', 50_000],
  ['1. ', 30_000],
  ['<', 100_000],
  ['[a](<b', 15_000],
  ['![', 50_000],
  ['*a **b ', 15_000],
  ['a', 1_000_000],
  ['word ', 200_000],
  ['\n', 100_000],
  [' '.repeat(500) + '- a\n', 300],
  ['|a|b|\n', 20_000],
  ['```\n', 25_000],
  ['[a]: b\n', 15_000],
])('%j over and over is shown without end, bounded in what is drawn', (piece, count) => {
  expect(html(piece.repeat(count)).length).toBeLessThan(2_000_000);
});

test('a text of a megabyte is shown from its beginning, and more of it when it is asked for', () => {
  const lines = linesOf(html('x'.repeat(1_000_000)));

  expect(lines).toEqual(['x'.repeat(20_000), 'Show more (980 KB left)']);
});

test('an answer of the code search is shown as places that open where they are', () => {
  const found = '```\nThe following code sections were retrieved:\nPath: src/a.ts\n    41\tlet a;\n    42\tlet b;\n```';
  const shown = render(<Markdown text={found} onOpenFile={() => {}} />);
  expect(shown).toMatch(/<button[^>]*title="Open src\/a\.ts"/);
  expect(linesOf(shown)).toEqual(['src/a.ts', 'lines 41–42', '41', 'let a;', '42', 'let b;']);
});
