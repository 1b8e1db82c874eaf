import fc from 'fast-check';
import { expect, test } from 'vitest';
import { render } from '../render.fixture.tsx';
import { joinEmphasis } from './join-emphasis.ts';
import { Markdown } from './markdown.tsx';

/** What a paragraph is drawn as, without the frame around it. */
function drawn(text: string, isOpen = false): string | undefined {
  return /<p>(.*)<\/p>/s.exec(render(<Markdown text={text} isOpen={isOpen} />))?.[1];
}

test.each([
  ['**注意：**请小心。', '<strong>注意：</strong>请小心。'],
  ['这是**“重点”**内容', '这是<strong>“重点”</strong>内容'],
  ['以及**加粗（括号）**文字。', '以及<strong>加粗（括号）</strong>文字。'],
  ['先看**《手册》**，再看**甲。**乙', '先看<strong>《手册》</strong>，再看<strong>甲。</strong>乙'],
  ['这是*“重点”*内容，*注意：*请', '这是<em>“重点”</em>内容，<em>注意：</em>请'],
  ['已~~“删除”~~完毕，~~旧的：~~新的', '已<del>“删除”</del>完毕，<del>旧的：</del>新的'],
  ['这是***“重点”***内容', '这是<em><strong>“重点”</strong></em>内容'],
  ['**（甲）**、**（乙）**和**丙**。', '<strong>（甲）</strong>、<strong>（乙）</strong>和<strong>丙</strong>。'],
  ['これは**「重要」**です。**注意。**次', 'これは<strong>「重要」</strong>です。<strong>注意。</strong>次'],
  ['**설명(참고)**은 다음', '<strong>설명(참고)</strong>은 다음'],
  ['用**"ASCII"**也行', '用<strong>&quot;ASCII&quot;</strong>也行'],
  [String.raw`价格\*“甲”\*和2 * 3 * 4`, '价格*“甲”*和2 * 3 * 4'],
])('%j is emphasized where it was meant', (text, shown) => {
  expect(drawn(text)).toBe(shown);
});

test('code and links between Chinese words can be bold', () => {
  expect(drawn('运行**`npm test`**来检查')).toMatch(/^运行<strong><code[^>]*>npm test<\/code><\/strong>来检查$/);
  expect(drawn('请看**[说明](https://example.com/a)**一节')).toMatch(
    /^请看<strong><a [^>]*href="https:\/\/example.com\/a"[^>]*>说明.*<\/strong>一节$/,
  );
  expect(drawn('`**“a”**中`')).toMatch(/^<code[^>]*>\*\*“a”\*\*中<\/code>$/);
});

test('bold Chinese stays bold while the text grows', () => {
  expect(drawn('**注意：**请', true)).toBe('<strong>注意：</strong>请');
});

const pieces = (letters: readonly string[]) =>
  fc.array(fc.constantFrom(...letters, '*', '**', '~~', '`', '“', '”', '(', ')', '.', ' ', '\n', '\\'), {
    maxLength: 30,
  });

test('a text without Chinese, Japanese or Korean stays as it is', () => {
  fc.assert(
    fc.property(pieces(['a', 'Ünï', '9']), (words) => {
      const text = words.join('');
      expect(joinEmphasis(text)).toBe(text);
    }),
    { seed: 20_261_120, numRuns: 500 },
  );
});

test('whatever the marks are, no sign of ours is shown and no letter is lost', () => {
  fc.assert(
    fc.property(pieces(['a', '中', '文', '，', '。', '（', '）']), (words) => {
      const text = words.join('');
      const shown = render(<Markdown text={text} />);
      expect(shown).not.toMatch(/[\uFDD0-\uFDD2]/);
      const letters = (of: string) => of.match(/[中文，。（）]/g)?.join('') ?? '';
      expect(letters(shown)).toBe(letters(text));
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});
