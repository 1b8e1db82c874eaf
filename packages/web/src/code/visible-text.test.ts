import { expect, test } from 'vitest';
import { visibleText, withVisibleTurns } from './visible-text.ts';

test('marks that hide or turn text around are shown by their number; tabs, lines and emoji stay', () => {
  expect(visibleText('a\u202eb\u2066c\u200bd')).toBe('a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d');
  expect(visibleText('a\u00adb\u{e0041}c\u3164d\re')).toBe('a⟨U+00AD⟩b⟨U+E0041⟩c⟨U+3164⟩d␍e');
  expect(visibleText('\u0000\u001b\u007f')).toBe('␀␛␡');
  expect(visibleText('a\tb\r\nc 👩‍💻 中文')).toBe('a\tb\nc 👩‍💻 中文');
});

test('in a text to be read only marks that turn the order around are shown', () => {
  expect(withVisibleTurns('\u202elive\u202c a\u200fb')).toBe('⟨U+202E⟩live⟨U+202C⟩ a\u200fb');
});
