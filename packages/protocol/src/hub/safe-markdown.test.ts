import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fenced, plainLine, quoted, safeMarkdown } from './safe-markdown.ts';

describe('Markdown that is safe as it is stays as it is', () => {
  test.each([
    'Two *words* and `code`.',
    '# A heading\n\n- a list\n- of 2 < 3 things',
    '```ts\nconst a: Array<string> = [];\n```',
    '1. Do this:\n   ```html\n   <b>\n   ```\n2. Then that',
    'See <https://example.com> and `a < b`.',
    '````md\n```\n````',
    '~~~\n```\n~~~',
  ])('%j', (text) => {
    expect(safeMarkdown(text)).toBe(text);
  });
});

test('tags are shown, also those in code within a line', () => {
  expect(safeMarkdown('a </details> b <!-- c <?d <T>')).toBe('a &lt;/details> b &lt;!-- c &lt;?d &lt;T>');
  expect(safeMarkdown('`Map<string, T[]>` and `x`')).toBe('<code>Map&lt;string, T&#91;&#93;&gt;</code> and `x`');
  expect(safeMarkdown('<https://a.b> <https://a b>')).toBe('<https://a.b> &lt;https://a b>');
});

describe('text whose fences are not in order is shown as it was written', () => {
  test.each([
    'Look:\n```html\n</details>',
    'Look:\r```html\r\n</details>',
    '```\n    ```\n</details>',
    '```\n ```\n</details>',
    '- a\n  ```\n</details>\n  ```',
    '- ```\n  code\n  ```',
    '\t```\n</details>\n\t```',
    '~~~\n```\n',
  ])('%j', (text) => {
    expect(safeMarkdown(text)).toBe(fenced(text));
  });
});

test('a fence deep in a list may end anywhere, so tags in it are shown too', () => {
  expect(safeMarkdown('- a\n    - b\n      ```\n      <b>\n')).toBe('- a\n    - b\n      ```\n      &lt;b>\n');
});

test('a fence is longer than what looks like one inside', () => {
  expect(fenced('a\n```\nb\n')).toBe('````\na\n```\nb\n````');
  expect(fenced('x', 'diff')).toBe('```diff\nx\n```');
});

test('a plain line means nothing but itself', () => {
  expect(plainLine(' a\n*b* <c> & [d](e) `f` ')).toBe(String.raw`a \*b\* &lt;c&gt; &amp; \[d\](e) \`f\``);
  expect(quoted('a\n\nb')).toBe('> a\n> \n> b');
});

test('whatever is written, no fence is left open and no tag stands outside of one', () => {
  const words = fc.constantFrom(
    '```',
    '~~~',
    '````',
    '`',
    '\n',
    '\n',
    '  ',
    '    ',
    '</details>',
    '<!--',
    'a',
    '- ',
    '> ',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), (pieces) => {
      const { outside, isOpen } = read(safeMarkdown(pieces.join('')));
      expect(isOpen).toBe(false);
      expect(outside.join('\n')).not.toMatch(/<(?!\/?code>)[a-z/!?]/i);
    }),
    { seed: 20_260_700, numRuns: 1000 },
  );
});

/** The lines that are outside of fences, as a viewer reads them. */
function read(markdown: string): { outside: string[]; isOpen: boolean } {
  const outside: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const marker = /^ {0,3}(~{3,}|`{3,}(?=[^`]*$))/.exec(line)?.[1];
    if (fence !== undefined) {
      if (marker?.startsWith(fence) === true && line.trim() === marker) fence = undefined;
    } else if (marker === undefined) outside.push(line);
    else fence = marker;
  }
  return { outside, isOpen: fence !== undefined };
}
