import { expect, test } from 'vitest';
import { decodeText, looksLikeText } from './decode-text.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const latin = (text: string) => Buffer.from(text, 'latin1');

test('text is decoded as the server says', () => {
  expect(decodeText(latin('caf\xe9'), 'text/plain; charset=ISO-8859-1')).toBe('café');
  expect(decodeText(bytes(0x93, 0xfa, 0x96, 0x7b), 'text/html; charset="Shift_JIS"')).toBe('日本');
});

test('a byte order mark wins over what the server says, and is not part of the text', () => {
  expect(decodeText(bytes(0xef, 0xbb, 0xbf, 0x61), 'text/plain; charset=iso-8859-1')).toBe('a');
  expect(decodeText(bytes(0xff, 0xfe, 0x61, 0), '')).toBe('a');
  expect(decodeText(bytes(0xfe, 0xff, 0, 0x61), '')).toBe('a');
});

test('a page that tells its own encoding is believed', () => {
  expect(decodeText(latin('<meta charset=windows-1251>\xcf'), 'text/html')).toBe('<meta charset=windows-1251>П');
  expect(
    decodeText(latin('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">\xf0'), 'text/html'),
  ).toContain('П');
  expect(decodeText(latin('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>'), 'text/xml')).toContain('é');
});

test('without a word it is UTF-8, and Windows-1252 where it cannot be that', () => {
  expect(decodeText(Buffer.from('naïve – ok'), '')).toBe('naïve – ok');
  expect(decodeText(latin('na\xefve \x96 ok'), '')).toBe('naïve – ok');
  expect(decodeText(Buffer.from('naïve'), 'text/plain; charset=no-such-thing')).toBe('naïve');
});

test('bytes are text when they are valid UTF-8 without zeros, also where a character is cut', () => {
  expect(looksLikeText(Buffer.from('plain'))).toBe(true);
  expect(looksLikeText(Buffer.from(`a${'é'.repeat(6000)}`))).toBe(true);
  expect(looksLikeText(bytes(0xff, 0xfe, 0x61, 0))).toBe(true);
  expect(looksLikeText(bytes(0x61, 0, 0x62))).toBe(false);
  expect(looksLikeText(bytes(0x80, 0x81))).toBe(false);
});
