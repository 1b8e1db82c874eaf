import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchTexts, cutText } from './batch-texts.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.nat(60_000).map((length) => 'é'.repeat(length)),
);

test('batches hold all texts in their order, and none of them is more than a service takes', () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 300 }), (texts) => {
      const batches = batchTexts(texts);
      expect(batches.flat()).toEqual(texts);
      for (const batch of batches) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(96);
        const bytes = batch.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
        expect(batch.length === 1 || bytes <= 48_000).toBe(true);
      }
    }),
  );
});

test('a text is cut between two characters, and no more than needed is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (text, most) => {
      const cut = cutText(text, most);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(most);
      expect(text.toWellFormed().startsWith(cut)).toBe(true);
      expect(cut.length === text.length || Buffer.byteLength(cut) > most - 4).toBe(true);
    }),
  );
});
