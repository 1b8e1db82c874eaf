import type { ContentBlock } from '@dragoman/protocol';
import fc from 'fast-check';

/** What breaks markup, tears characters apart, or pretends to be something else. */
const NASTY = [
  '_*[]()~`>#+-=|{}.!\\',
  '||spoiler|| **>quote',
  '***bold italic***, ~~_a_ **b**~~ and __under__ `co``de`',
  '`` ` `` ``` `',
  '[a](https://example.org/x_(y)\\z) [b](javascript:alert(1)) [c](tg://user?id=1)',
  '[`code` **bold**](https://example.org/?a=b&c=[d])',
  '![picture](https://example.org/a.png) ![](data:image/png;base64,AA==)',
  '<b>tag</b> <at id=all></at> <!-- x --> </details>',
  '@somebody_there @all ada@example.org /stop@other_bot #tag',
  '# heading\n\ntext\n===\n\n---\n\n> quote\n> > in a quote\n> - list\n>\n> ```js\n> code()\n> ```',
  '- a\n  - b\n    - c\n\n      ```\n      deep\n      ```\n- [x] done\n- [ ] not\n\n3. three\n4. four',
  '| a | b |\n|:--|--:|\n| `x|y` | **z** |\n| 字 | 😀 |',
  '| very long header of a column | another one that is as long as the first | and a third |\n|-|-|-|\n| 1 | 2 | @somebody |',
  '```html\n<script>alert(1)</script>\n````',
  '````md\n```\nnested\n```\n````',
  '~~~\nnever closed',
  '    indented code\n\ttab',
  '&amp; &lt;b&gt; &#42; &#x1F600; &#0; &bogus; &#99999999;',
  'مرحبا \u202egnp.exe\u202c \u2066x\u2069 שלום',
  '👩‍👩‍👧‍👦🏳️‍🌈👍🏽 e\u0301 \ud83d lone \ude00',
  '\u0000\u0007\u001b[31mred\u001b[0m\r\nprogress 1%\rprogress 99%',
  '\u200b\u200c\u200d\ufeff\u2060\u3164',
  'Z\u0351\u036b\u0343'.repeat(60),
];

/** Much of one thing. */
const bulk = fc
  .tuple(
    fc.constantFrom(
      '[',
      '*',
      '_',
      '`',
      '|',
      '> ',
      '#',
      '<',
      '](',
      '\\',
      '- ',
      '1. ',
      '~',
      'a',
      '字',
      '**a** ',
      '`a` ',
      '[a](https://a.example) ',
      '\n',
      'a\n',
      ' ',
      '\t',
      '😀',
      'e\u0301',
    ),
    fc.constantFrom(300, 5000, 30_000),
  )
  .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length)));

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 3, arbitrary: fc.lorem({ maxCount: 30 }) },
);

/** Any text, bad ones more often than good ones. One in a few hundred has a megabyte. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 300,
    arbitrary: fc
      .array(word, { minLength: 1, maxLength: 8 })
      .chain((words) => fc.constantFrom(' ', '\n', '\n\n', '').map((between) => words.join(between))),
  },
  {
    weight: 30,
    arbitrary: fc.array(word, { minLength: 30, maxLength: 120 }).map((words) => words.join('\n\n')),
  },
  { weight: 20, arbitrary: bulk },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('x', '<b>', '[', '文', 'word ', 'line\n')
      .map((piece) => piece.repeat(1_000_000 / piece.length)),
  },
);

const bytes = fc.oneof(
  fc.record({ data: fc.base64String({ maxLength: 80 }) }),
  fc.record({
    url: fc.oneof(
      fc.constantFrom('/api/attachments/att_1', 'javascript:alert(1)', 'https://example.org/a.png'),
      anyText,
    ),
  }),
);
const attachment = fc.oneof(
  bytes.map((where) => ({ type: 'image' as const, media_type: 'image/png', ...where })),
  fc.tuple(anyText, bytes).map(([name, where]) => ({ type: 'file' as const, name, ...where })),
);
const diff = fc
  .tuple(anyText, anyText)
  .map(([path, text]) => ({ path, unified: `@@ -1,2 +1,2 @@\n-${text}\n+${text}` }));
const input = fc.dictionary(
  fc.oneof(fc.constantFrom('command', 'filePath', '__proto__'), anyText),
  fc.oneof(anyText, fc.jsonValue()),
  {
    maxKeys: 4,
  },
);

const said = (make: (text: string) => ContentBlock) => anyText.map(make);

/** Any block that an agent could send. */
export const anyBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  { weight: 8, arbitrary: said((text) => ({ type: 'text', text })) },
  { weight: 2, arbitrary: said((thinking) => ({ type: 'thinking', thinking })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('bash', 'read', 'edit', 'task', '*_`['), input, fc.option(anyText, { nil: undefined }))
      .map(([name, given, title]): ContentBlock => ({
        type: 'tool_use',
        id: 'call_1',
        name,
        input: given,
        ...(title !== undefined && { title }),
      })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(anyText, fc.boolean(), fc.array(diff, { maxLength: 2 }), fc.array(attachment, { maxLength: 2 }))
      .map(([content, is_error, diffs, attachments]): ContentBlock => ({
        type: 'tool_result',
        tool_use_id: 'call_1',
        content,
        is_error,
        diffs,
        attachments,
      })),
  },
  { weight: 1, arbitrary: attachment },
  {
    weight: 1,
    arbitrary: fc.array(anyText, { minLength: 1, maxLength: 40 }).map((all): ContentBlock => ({
      type: 'plan',
      entries: all.map((content) => ({ content, status: 'pending' as const })),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyText, anyText).map(([message, fix]): ContentBlock => ({ type: 'error', message, fix })),
  },
  { weight: 1, arbitrary: said((text) => ({ type: 'notice', text, level: 'warning' })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyText, anyText)
      .map(([title, reason]): ContentBlock => ({ type: 'approval', id: 'apr_1', title, reason, options: [] })),
  },
);
