import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySession, markedPieces } from './found-places.ts';

const hit = (sessionId: string, seq: number) => ({
  sessionId,
  sessionTitle: `Title of ${sessionId}`,
  seq,
  role: 'user',
  kind: 'text',
  at: 0,
  excerpt: '',
  marks: [],
});

test('hits are grouped by session, the session with the best hit first', () => {
  const found = bySession([hit('b', 4), hit('a', 1), hit('b', 2)]);

  expect(found.map(({ title, hits }) => [title, ...hits.map(({ seq }) => seq)])).toEqual([
    ['Title of b', 4, 2],
    ['Title of a', 1],
  ]);
});

test('the words that were looked for are marked', () => {
  expect(
    markedPieces('Where is 折扣 applied?', [
      [9, 11],
      [0, 5],
    ]),
  ).toEqual([
    { text: 'Where', isMarked: true },
    { text: ' is ', isMarked: false },
    { text: '折扣', isMarked: true },
    { text: ' applied?', isMarked: false },
  ]);
});

test('whatever the marks are, the pieces are the text', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.array(fc.tuple(fc.integer({ min: -5, max: 60 }), fc.integer({ min: -5, max: 60 }))),
      (text, marks) => {
        const pieces = markedPieces(text, marks);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        expect(pieces.every((piece) => piece.text !== '')).toBe(true);
      },
    ),
  );
});
