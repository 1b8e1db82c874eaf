import { expect, test } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';

const ARTICLE =
  'This paragraph has enough words, commas, and substance, to be taken for the article of the page. '.repeat(8);

function page(body: string, head = ''): string {
  return `<!doctype html><html><head><title>The  title</title>${head}</head><body>${body}</body></html>`;
}

test('an article becomes Markdown, and what stands around it is left out', () => {
  const html = page(`
    <nav><a href="/">Home</a><a href="/about">About</a></nav>
    <script>var tracked = 1;</script><style>p { color: red }</style>
    <article><h1>A heading</h1><p>${ARTICLE}</p><h2>Next</h2><p>See <a href="../other.html#part">the other page</a>.</p></article>
    <footer>Copyright</footer>`);

  const { title, text } = htmlToMarkdown(html, 'https://docs.example/guide/start.html', 'markdown');

  expect(title).toBe('The title');
  expect(text).toContain('## Next\n\nSee [the other page](https://docs.example/other.html#part).');
  for (const dropped of ['Home', 'tracked', 'color', 'Copyright']) expect(text).not.toContain(dropped);
});

test('links follow the base of the page, and those that run code are only words', () => {
  const html = page(
    '<p><a href="x">one</a> <a href="javascript:alert(1)">two</a> <a href="/a_(b)">three</a></p>',
    '<base href="/deep/er/">',
  );

  expect(htmlToMarkdown(html, 'https://docs.example/', 'markdown').text).toBe(
    '[one](https://docs.example/deep/er/x) two [three](https://docs.example/a_%28b%29)',
  );
});

test('code keeps its lines and language, whichever way it is marked up', () => {
  const html = page(`
    <pre><code class="language-ts">const a = 1;
const b = \`x\`;</code></pre>
    <div class="highlight-source-shell"><pre><span>npm</span> <span>test</span></pre></div>
    <pre>\`\`\`
fence
\`\`\`</pre>`);

  expect(htmlToMarkdown(html, 'https://docs.example/', 'markdown').text).toBe(
    '```ts\nconst a = 1;\nconst b = `x`;\n```\n\n```shell\nnpm test\n```\n\n````\n```\nfence\n```\n````',
  );
});

test('a table of data stays a table, and one that lays out the page does not', () => {
  const data = '<table><tr><th>Name</th><th>Type</th></tr><tr><td>a | b</td><td>one<br>two</td></tr></table>';
  const layout = '<table><tr><td><ul><li>left</li></ul></td></tr><tr><td><p>right</p></td></tr></table>';

  expect(htmlToMarkdown(page(data), 'https://docs.example/', 'markdown').text).toBe(
    '| Name | Type |\n| --- | --- |\n| a \\| b | one two |',
  );
  expect(htmlToMarkdown(page(layout), 'https://docs.example/', 'markdown').text).toBe('-   left\n\nright');
});

test('images are named where they have words, and marks beside headings are dropped', () => {
  const html = page('<h2>Use<a href="#use">¶</a></h2><p><img src="a.png" alt="A plan"><img src="b.png">text</p>');

  expect(htmlToMarkdown(html, 'https://docs.example/', 'markdown').text).toBe(
    '## Use\n\n![A plan](https://docs.example/a.png)text',
  );
});

test('a page without an article comes whole, without its surroundings', () => {
  const html = page('<header>Menu</header><div>Just a line.</div><footer>Imprint</footer>');

  expect(htmlToMarkdown(html, 'https://docs.example/', 'markdown').text).toBe('Just a line.');
});

test('a page that is nothing but surroundings keeps them', () => {
  const html = page('<nav><a href="/a">First</a></nav>');

  expect(htmlToMarkdown(html, 'https://docs.example/', 'markdown').text).toBe('[First](https://docs.example/a)');
});

test('an article that is a small part of the page does not hide the rest', () => {
  const entries = Array.from({ length: 200 }, (_, index) => `<div><b>function_${index}</b> does thing ${index}</div>`);
  const html = page(`<div><p>${ARTICLE}</p></div><section>${entries.join('')}</section>`);

  expect(htmlToMarkdown(html, 'https://docs.example/', 'markdown').text).toContain('function_199');
});

test('plain text has a line for each block, and no markup', () => {
  const html = page(
    '<h1>Head</h1><p>Some <b>bold</b> words\n and <a href="/x">a link</a>.</p><ul><li>one</li><li>two</li></ul><pre>a\n  b</pre><table><tr><td>1</td><td>2</td></tr></table>',
  );

  expect(htmlToMarkdown(html, 'https://docs.example/', 'text').text).toBe(
    'Head\n\nSome bold words and a link.\n\none\n\ntwo\n\na\n  b\n\n1 2',
  );
});
