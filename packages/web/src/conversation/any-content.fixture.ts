import type { ContentBlock } from '@dragoman/protocol';
import fc from 'fast-check';

/** What somebody would write who wants a page to run it, or to fall apart. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '<a href="javascript:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<details open onclick="x()"><summary><img src=x onerror=alert(1)></summary>\n\n<details><summary><script>x</script></summary>',
  '<kbd><sub><script>alert(1)</script></sub></kbd><sup onclick=x>2</sup>',
  'a[^1] b[^"><script>]\n\n[^1]: <script>x</script> [^1]\n[^"><script>]: [x](javascript:alert(1))',
  '\uFDD0n1.1\uFDD1 \uFDD0m0\uFDD1 $\\htmlStyle{x}{y}$',
  '</pre></code></div></details><style>*{display:none}</style>',
  '<!--',
  ']]>',
  '{{constructor.constructor("alert(1)")()}}',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](javascript&#58;alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](vbscript:msgbox)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '![x](https://evil.example/pixel.png)',
  '[x](//evil.example)',
  '[x](https:evil.example)',
  '[x](file:///etc/passwd)',
  '[x](blob:https://a/b)',
  '[x](https://a.example/"onclick="alert(1))',
  '<javascript:alert(1)>',
  '[a]: javascript:alert(1)\n\n[a]',
  '[https://bank.example](https://evil.example)',
  '\u202egnp.exe\u202c',
  '\u2066\u2067\u2068\u2069\u200f\u061c',
  '\u200b\u200c\u200d\ufeff\u2060',
  '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b2J',
  '\u0000\u0007\u0008\u007f\u0085',
  '\ud800 lone \udc00',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘',
  '| a | b |\n|---|---|\n| <b> | `|` |',
  '```html\n<script>alert(1)</script>',
  '~~~\n```\n~~~',
  '- [x] done\n- [ ] <u>not</u>',
  '$$\\href{javascript:alert(1)}{x}$$',
];

/** Much of one thing: lengths and depths that nobody means. */
const bulk: fc.Arbitrary<string> = fc
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
      '!',
      '&',
      '\\',
      '- ',
      '1. ',
      '~',
      'a',
      '字',
      '\u202e',
      '**a',
      '[a](',
      '\n',
      ' ',
      '\t',
    ),
    fc.constantFrom(300, 3000, 30_000),
  )
  .map(([piece, length]) => piece.repeat(length / piece.length));

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 2, arbitrary: fc.lorem({ maxCount: 8 }) },
);

/** Any text, bad ones more often than good ones. One in a thousand is a line of a megabyte. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 900,
    arbitrary: fc
      .array(word, { minLength: 1, maxLength: 6 })
      .chain((words) => fc.constantFrom(' ', '\n', '\n\n', '').map((between) => words.join(between))),
  },
  { weight: 20, arbitrary: bulk },
  {
    weight: 1,
    arbitrary: fc.constantFrom('x', '<b>', '[', '文').map((piece) => piece.repeat(1_000_000 / piece.length)),
  },
);

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 30, arbitrary: anyText },
  { weight: 10, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(30, 300, 3000).map((depth) => nested(depth)) },
);

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const url = fc.oneof(
  fc.constantFrom(
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'https://evil.example/a.png',
    '/api/attachments/att_0123456789',
    '/api/attachments/../tokens',
    '//evil.example/api/attachments/att_1',
  ),
  anyText,
);
const bytes = fc.oneof(
  fc.record({ data: fc.oneof(fc.base64String({ maxLength: 80 }), anyText) }),
  fc.record({ url }),
  fc.constant({}),
);
const mediaType = fc.constantFrom('image/png', 'image/svg+xml', 'text/html', 'image/png" onerror="alert(1)', '');
const image = fc
  .tuple(mediaType, bytes)
  .map(([media_type, where]) => ({ type: 'image' as const, media_type, ...where }));
const file = fc
  .tuple(anyText, mediaType, bytes)
  .map(([name, media_type, where]) => ({ type: 'file' as const, name, media_type, ...where }));
const diff = fc
  .tuple(
    anyText,
    fc.oneof(
      anyText,
      anyText.map((text) => `@@ -1,3 +1,4 @@ ${text}\n-${text}\n+${text}\n ${text}`),
    ),
  )
  .map(([path, unified]) => ({ path, unified }));

/** Any block that an agent could send. */
export const anyBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  { weight: 6, arbitrary: anyText.map((text): ContentBlock => ({ type: 'text', text })) },
  { weight: 2, arbitrary: anyText.map((thinking): ContentBlock => ({ type: 'thinking', thinking })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('bash', 'read', 'edit', 'task', 'mystery', '<script>'),
        fc.dictionary(
          fc.oneof(fc.constantFrom('command', 'filePath', 'path', '__proto__', 'content'), fc.string()),
          anyJson,
          { maxKeys: 4 },
        ),
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
      .tuple(
        anyText,
        fc.boolean(),
        fc.array(diff, { maxLength: 2 }),
        fc.array(fc.oneof(image, file), { maxLength: 2 }),
        fc.uuid(),
      )
      .map(([content, is_error, diffs, attachments, tool_use_id]): ContentBlock => ({
        type: 'tool_result',
        tool_use_id,
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
    arbitrary: anyText.map((content): ContentBlock => ({ type: 'plan', entries: [{ content, status: 'pending' }] })),
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
