import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitBlocks } from './split-blocks.ts';

function told(text: string): string[] {
  return splitBlocks(text).map((block) =>
    block.type === 'code' ? `code ${block.language}: ${block.text}` : block.text.trim(),
  );
}

test('paragraphs, lists and code are parts of their own; a list keeps its items, and an item what belongs to it', () => {
  expect(told('# Title\n\nOne\ntwo\n\n- a\n\n- b\n\n  more of b\n\nThree\n```ts\nlet a;\n\nlet b;\n```\nFour')).toEqual(
    ['# Title', 'One\ntwo', '- a\n\n- b\n\n  more of b', 'Three', 'code ts: let a;\n\nlet b;', 'Four'],
  );
});

test('code ends with the fence that fits, and code in a list stays in it', () => {
  expect(told('````md\n```\ninside\n```\n````\n\nafter')).toEqual(['code md: ```\ninside\n```', 'after']);
  expect(told('- a\n\n  ```sh\n  ls\n\n  ls\n  ```\n- b')).toEqual(['- a\n\n  ```sh\n  ls\n\n  ls\n  ```\n- b']);
  expect(told('```js title="a"\nopen')).toEqual(['code js: open']);
});

test('where links are defined elsewhere, the part that uses them knows them', () => {
  expect(told('See [a][1].\n\nNo link.\n\n[1]: https://example.com')).toEqual([
    'See [a][1].\n\n[1]: https://example.com',
    'No link.',
    '[1]: https://example.com\n\n[1]: https://example.com',
  ]);
});

const line = fc.constantFrom(
  '<details>',
  '</details>',
  '<summary>s</summary>',

  'word',
  '',
  '',
  '- item',
  '  inner',
  '1. one',
  '```',
  '```ts',
  '~~~',
  '> quote',
  '    deep',
  '# t',
  '|a|b|',
  '\t',
);

test('of a text that grows by lines, every part but the last is as it was', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.nat(30), (lines, cut) => {
      // The line break at the end says that the last line is whole.
      const before = splitBlocks(`${lines.slice(0, cut).join('\n')}\n`);
      const after = splitBlocks(`${lines.join('\n')}\n`);
      expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
    }),
    { seed: 20_260_706, numRuns: 500 },
  );
});

test('no word is lost, whatever the text is', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 30 }), (lines) => {
      const text = lines.join('\n');
      const kept = splitBlocks(text)
        .map((block) => (block.type === 'fold' ? `${block.summary}\n${block.text}` : block.text))
        .join('\n');
      for (const word of text.replaceAll(/<\/?(?:details|summary)>/g, ' ').match(/\w{3,}/g) ?? [])
        expect(kept.includes(word) || /[`~]{3}/.test(text)).toBe(true);
    }),
    { seed: 20_260_707, numRuns: 300 },
  );
});
