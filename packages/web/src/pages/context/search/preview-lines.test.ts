import fc from 'fast-check';
import { expect, test } from 'vitest';
import { previewLines } from './preview-lines.ts';

test('a short file is shown whole', () => {
  expect(previewLines('a\nb\n', 2)).toEqual({ text: 'a\nb', startLine: 1, endLine: 2, isWhole: true });
  expect(previewLines('', 1)).toEqual({ text: '', startLine: 1, endLine: 1, isWhole: true });
});

test('of a long file the lines around the place are shown, each under its own number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2001, max: 9000 }), fc.nat(), (count, somewhere) => {
      const wanted = (somewhere % count) + 1;
      const text = Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
      const shown = previewLines(text, wanted);
      const lines = shown.text.split('\n');
      expect(lines).toHaveLength(2000);
      expect(shown.isWhole).toBe(false);
      expect(lines[0]).toBe(`line ${shown.startLine}`);
      expect(lines.at(-1)).toBe(`line ${shown.endLine}`);
      expect(lines[wanted - shown.startLine]).toBe(`line ${wanted}`);
    }),
    { numRuns: 30 },
  );
});
