import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeEntities, stripTags } from './strip-tags.ts';

test('the bare words are left of a piece of HTML', () => {
  expect(
    stripTags(
      '<!doctype html><SCRIPT>if (a < b) { x() }</script><style>p{}</style><p>One &amp; <b>two</b></p><!-- not --><div>5 < 6</div><script>open',
    ),
  ).toBe('One & two\nnot\n5 < 6');
});

test('entities are read as characters, and unknown ones stay', () => {
  expect(decodeEntities('&lt;a&gt; &quot;x&quot; it&#39;s &#x20AC; &nbsp;&bogus; &#0; &am;')).toBe(
    '<a> "x" it\'s €  &bogus; &#0; &am;',
  );
});

test('no tag is left, whatever is given', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('<p>', '</div>', '<script>', '</script>', 'word', ' ', '<b>', '\n')),
      (pieces) => {
        expect(stripTags(pieces.join(''))).not.toMatch(/<\/?(?:p|div|script|b)>/);
      },
    ),
  );
});
