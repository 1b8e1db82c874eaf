import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { lexer } from 'marked';
import { expect, test } from 'vitest';
import { fenced, plainLine } from './note-text.ts';

test('whatever somebody else said stands in a note as text and nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      const line = text.replaceAll(/\s+/gu, ' ').trim();
      const [paragraph, ...rest] = lexer(`x ${plainLine(text)} x`, { gfm: true });
      const inside = (paragraph as { tokens: { type: string; text: string }[] }).tokens;
      expect(rest).toEqual([]);
      expect(inside.every(({ type }) => type === 'text' || type === 'escape')).toBe(true);
      expect(inside.map((token) => token.text).join('')).toBe(line === '' ? 'x  x' : `x ${line} x`);
    }),
    { seed: 8, numRuns: rounds(5_000) },
  );
});

test('a block of somebody else ends where we end it', () => {
  for (const text of ['plain', '```\ncode\n```', '`````', '> quote']) {
    const tokens = lexer(`${fenced(text)}\n\nours`);
    expect(tokens.flatMap((token) => (token.type === 'space' ? [] : [token.type]))).toEqual(['code', 'paragraph']);
    expect(tokens[0]).toMatchObject({ text });
  }
});
