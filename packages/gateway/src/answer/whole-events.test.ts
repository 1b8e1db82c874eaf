import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WholeEvents } from './whole-events.ts';

/** A stream in pieces, as it is passed on: what came out for each, and what was held at the end. */
function pass(pieces: readonly string[], gap: '\n' | '\n\n' = '\n\n'): { shown: string[]; held: string } {
  const events = new WholeEvents(gap);
  const shown = pieces.map((piece) => String(events.take(Buffer.from(piece))));
  return { shown, held: String(events.end()) };
}

test('whole events are passed on at once, and the beginning of another one with its end', () => {
  expect(pass(['data: 1\n\n', 'data: 2\n\ndata: 3', '\n', '\ndata: 4\r\n\r', '\ndata: 5'])).toEqual({
    shown: ['data: 1\n\n', 'data: 2\n\n', '', 'data: 3\n\n', 'data: 4\r\n\r\n'],
    held: 'data: 5',
  });
});

test('where every line is an event it is passed on with its end', () => {
  expect(pass(['{"a":1}\n', '{"b":', '2}\n{"c"'], '\n')).toEqual({
    shown: ['{"a":1}\n', '', '{"b":2}\n'],
    held: '{"c"',
  });
});

test('nothing is lost or changes its place, and what is shown ends with an event, however the stream comes in pieces', () => {
  const piece = fc.array(fc.constantFrom('\n', '\r', 'a', 'data: x', '\n\n', '\r\n\r\n'), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (lists) => {
      const pieces = lists.map((list) => list.join(''));
      const { shown, held } = pass(pieces);
      expect(shown.join('') + held).toBe(pieces.join(''));
      for (const text of shown) expect(text).toMatch(/^$|\n\r?\n$/);
    }),
  );
});

test('an event that is too long to be held is passed on as it comes', () => {
  const { shown, held } = pass(['data: ', 'x'.repeat(300_000), 'y\n\n']);
  expect(shown.map((text) => text.length)).toEqual([0, 300_006, 3]);
  expect(held).toBe('');
});
