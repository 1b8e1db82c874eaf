import type { ContentBlock } from '@dragoman/protocol';
import fc from 'fast-check';

/** What somebody would write who wants a card to call people, to lie, or to be refused. */
const HOSTILE = [
  '<at id=all></at>',
  '<AT user_id="all">x</AT>',
  '&lt;at id=all&gt;&lt;/at&gt;',
  '&#60;at id=all&#62;',
  '`<at id=all></at>`',
  '``<at id=all></at>``',
  '<person id="ou_1"></person>',
  "<font color='red'>Approved</font>",
  "<text_tag color='red'>x</text_tag>",
  '<number_tag>1</number_tag>',
  '![x](img_v3_key)',
  '![x](https://evil.example/a.png)',
  '<img src=x>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&#58;alert(1))',
  '[x](lark://x)',
  '[x]($urlVal)',
  '[x](//evil.example)',
  '[<at id=all></at>](https://a.example)',
  '[x](https://a.example/<at id=all></at>)',
  '[a]: javascript:alert(1)\n\n[a]',
  ':OK: :DONE:',
  '# heading',
  '---',
  '> quote\nlazy',
  '- [x] done\n- [ ] not',
  '1. one\n   - two\n     ```js\n     let a;\n     ```',
  '| a | b |\n|---|---|\n| <at id=all></at> | `|` |',
  '```html\n<at id=all></at>',
  '````md\n```js\nx\n```\n````',
  '~~~\n```\n~~~\n<at id=all></at>',
  '> ```\n> <at id=all></at>\n\n<at id=all></at>',
  '    <at id=all></at>',
  '\\<at id=all>\\</at>',
  '*<at id=all>*</at>',
  '</details><script>alert(1)</script>',
  '<!--',
  '👩‍👩‍👧‍👦 🇩🇪 👍🏽 😀',
  'مرحبا بالعالم שלום עולם',
  '\u202egnp.exe\u202c \u2066\u2067\u2069\u200f',
  '\u001b[31mred\u001b[0m \u0000\u0007\u0085',
  '\ud800 lone \udc00',
  '"quotes" \\ and \\\\',
  '中文，标点。**粗体**、`代码`',
];

/** Much of one thing: lengths and depths that nobody means. */
const bulk: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('[', '*', '_', '`', '|', '#', '<', '&', '\\', '~', 'a', '字', '😀', '"'),
    fc.constantFrom('', '\n', ' ', '> ', '- ', '](', '\n\n', '**a', '|'),
    fc.constantFrom(300, 3000, 30_000, 100_000),
  )
  .map(([one, other, length]) => `${one}${other}`.repeat(length / (one.length + other.length)));

const tables = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 40 }))
  .map(([count, rows]) => `| a | b |\n|:--|--:|\n${'| x | y |\n'.repeat(rows)}\n`.repeat(count));

const word = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 2, arbitrary: fc.lorem({ maxCount: 8 }) },
  { weight: 1, arbitrary: tables },
);

/** Any text, bad ones more often than good ones. One in some hundreds is a megabyte. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 400,
    arbitrary: fc
      .array(word, { minLength: 1, maxLength: 8 })
      .chain((words) => fc.constantFrom(' ', '\n', '\n\n', '').map((between) => words.join(between))),
  },
  { weight: 20, arbitrary: bulk },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('x', '<b>', '[', '文', '😀', 'a line of output\n', '```\n')
      .map((piece) => piece.repeat(1_000_000 / piece.length)),
  },
);

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 10, arbitrary: anyText },
  { weight: 5, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(30, 300, 3000).map((depth) => nested(depth)) },
);

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const bytes = fc.constantFrom(
  { data: 'aGVsbG8=' },
  { url: '/api/attachments/att_0123456789' },
  { url: 'https://evil.example/a.png' },
  { url: 'javascript:alert(1)' },
  {},
);
const image = bytes.map((where) => ({ type: 'image' as const, media_type: 'image/png', ...where }));
const file = fc.tuple(anyText, bytes).map(([name, where]) => ({ type: 'file' as const, name, ...where }));
const diff = fc
  .tuple(anyText, anyText)
  .map(([path, text]) => ({ path, unified: `--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n-${text}\n+${text}` }));

/** Any block that an agent could send. */
export const anyBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  { weight: 6, arbitrary: anyText.map((text): ContentBlock => ({ type: 'text', text })) },
  { weight: 2, arbitrary: anyText.map((thinking): ContentBlock => ({ type: 'thinking', thinking })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('bash', 'read', 'edit', 'task', 'grep', '<at id=all></at>'),
        fc.dictionary(fc.oneof(fc.constantFrom('command', 'filePath', 'content', '__proto__'), anyText), anyJson, {
          maxKeys: 4,
        }),
        fc.option(anyText, { nil: undefined }),
        fc.uuid(),
      )
      .map(([name, input, title, id]): ContentBlock => ({
        type: 'tool_use',
        id,
        name,
        input,
        ...(title !== undefined && { title }),
      })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(anyText, fc.boolean(), fc.array(diff, { maxLength: 2 }), fc.array(fc.oneof(image, file), { maxLength: 2 }))
      .map(([content, is_error, diffs, attachments]): ContentBlock => ({
        type: 'tool_result',
        tool_use_id: 'call_1',
        content,
        is_error,
        diffs,
        attachments,
      })),
  },
  { weight: 1, arbitrary: image },
  { weight: 1, arbitrary: file },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(anyText, fc.constantFrom('pending', 'in_progress', 'completed', 'cancelled')), {
        minLength: 1,
        maxLength: 60,
      })
      .map((entries): ContentBlock => ({
        type: 'plan',
        entries: entries.map(([content, status]) => ({ content, status })),
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyText, anyText, fc.uuid())
      .map(([title, reason, id]): ContentBlock => ({ type: 'approval', id, title, reason, options: [] })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyText, anyText).map(([message, fix]): ContentBlock => ({ type: 'error', message, fix })),
  },
  { weight: 1, arbitrary: anyText.map((text): ContentBlock => ({ type: 'notice', text, level: 'warning' })) },
);
