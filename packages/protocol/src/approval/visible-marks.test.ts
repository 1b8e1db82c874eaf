import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableMarks, visibleMarks } from './visible-marks.ts';

test('marks that hide or turn text around are shown by their number; tabs, lines and letters stay', () => {
  expect(visibleMarks('a\u202eb\u2066c\u200bd\u00ade\ufefff')).toBe('a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d⟨U+00AD⟩e⟨U+FEFF⟩f');
  expect(visibleMarks('a\u3164b\u034fc\u{e0041}d')).toBe('a⟨U+3164⟩b⟨U+034F⟩c⟨U+E0041⟩d');
  expect(visibleMarks('\u0000\u001b\u007f')).toBe('␀␛␡');
  expect(visibleMarks('a\tb\r\nc 中文 é')).toBe('a\tb\nc 中文 é');
});

test('what belongs to an emoji or to a script with joiners is left alone', () => {
  const seen = ['👩‍💻', '👨🏽‍🚀', '🏳️‍🌈', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤️', '1️⃣', 'می‌خواهم', 'क्‍ष', '葛\u{e0100}'];
  expect(seen.map(visibleMarks)).toEqual(seen);
});

test('a joiner or selector that joins nothing is shown', () => {
  expect(visibleMarks('r\u200dm')).toBe('r⟨U+200D⟩m');
  expect(visibleMarks('👩\u200d')).toBe('👩⟨U+200D⟩');
  expect(visibleMarks('a\ufe00\ufe01')).toBe('a⟨U+FE00⟩⟨U+FE01⟩');
});

test('in a text to be read only marks that turn the order around are shown, and others are left out', () => {
  expect(readableMarks('\u202elive\u202c a\u200fb\u200bc\u00ad\u{e0041} 👩‍💻')).toBe('⟨U+202E⟩live⟨U+202C⟩ a\u200fbc 👩‍💻');
});

test('no text keeps a mark that turns letters around, and a text without hidden marks stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = visibleMarks(text);
      expect(shown).not.toMatch(/\p{Bidi_Control}/u);
      expect(visibleMarks(shown)).toBe(shown);
    }),
  );
  fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => visibleMarks(text) === text));
});
