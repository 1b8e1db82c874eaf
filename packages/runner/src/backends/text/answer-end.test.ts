import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnswerEnd } from './answer-end.ts';

/** What is told for these pieces of output; `|` stands for the end of an answer. */
function told(pieces: readonly string[], how: { endMarker?: string; promptPattern?: RegExp }): string {
  let text = '';
  const end = new AnswerEnd({ ...how, onText: (piece) => (text += piece), onEnd: () => (text += '|') });
  for (const piece of pieces) end.push(piece);
  return text;
}

test('only a line that is nothing but the marker ends an answer, however the output is cut', () => {
  const words = fc.constantFrom('END', 'EN', 'D', '\n', 'text', ' ');
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), (pieces) => {
      const output = `${pieces.join('')}\n`;
      const expected = output.replaceAll(/^END\n/gm, '|');
      expect(told([...pieces, '\n'], { endMarker: 'END' })).toBe(expected);
      expect(told(output.split(''), { endMarker: 'END' })).toBe(expected);
    }),
    { seed: 4, numRuns: 300 },
  );
});

test('text is told before its line ends, unless the line can still become the marker', () => {
  expect(told(['Wor'], { endMarker: 'END' })).toBe('Wor');
  expect(told(['EN'], { endMarker: 'END' })).toBe('');
  expect(told(['EN', 'T'], { endMarker: 'END' })).toBe('ENT');
});

test('an unfinished line that looks like the prompt ends an answer; whole lines never do', () => {
  expect(told(['one\n', '> quoted\n', 'half'], { promptPattern: /^> $/ })).toBe('one\n> quoted\n');
  expect(told(['one\n', '>', ' '], { promptPattern: /^> $/ })).toBe('one\n|');
});
