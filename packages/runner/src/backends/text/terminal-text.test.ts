import { expect, test } from 'vitest';
import { TerminalText } from './terminal-text.ts';

/** The text of these bytes, one at a time. */
function textOf(source: string | Uint8Array): string {
  const terminal = new TerminalText();
  let text = '';
  for (const byte of Buffer.from(source)) text += terminal.push(Uint8Array.of(byte));
  return text + terminal.end();
}

test('colours, cursor movements, titles, links and character sets leave nothing behind', () => {
  const link = '\u001b]8;;https://example.org\u001b\\here\u001b]8;;\u001b\\';
  expect(textOf(`\u001b[1;31mred\u001b[0m \u001b[2K\u001b[?25l${link} \u001b]0;title\u0007\u001b(Bend\u001b7`)).toBe(
    'red here end',
  );
});

test('a sequence that is never ended swallows no more than its line', () => {
  expect(textOf('a\u001b]0;title\nb\u001b[31')).toBe('a\nb');
  expect(textOf(`\u001b]${'x'.repeat(5000)}`).length).toBeGreaterThan(0);
});

test('lines end with \\n, other carriage returns stay, and what is no UTF-8 is marked', () => {
  expect(textOf('a\r\nb\rc\r')).toBe('a\nb\rc\r');
  expect(textOf(Uint8Array.of(0x61, 0xff, 0xe6, 0x80))).toBe('a\ufffd\ufffd');
});
