import { expect, test } from 'vitest';
import { linesOf, render } from '../render.fixture.tsx';
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
    linesOf(html('<b onclick="x()">Hi</b> <script>alert(1)</script>\n\n<details><summary>x</summary></details>')),
  ).toEqual(['<b onclick="x()">Hi</b> <script>alert(1)</script>', '<details><summary>x</summary></details>']);
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

test('an image is never loaded: it is a link with its words', () => {
  const shown = html('![a chart](https://example.com/a.png) ![](https://example.com/b.png)');
  expect(shown).not.toContain('<img');
  expect(linesOf(shown)).toEqual(['a chart', 'Image']);
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
