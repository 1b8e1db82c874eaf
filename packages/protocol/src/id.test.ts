import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdMaker, idSchema, idTime, newId } from './id.ts';

test('an id is its prefix, the time in ten characters and sixteen random ones', () => {
  const makeId = createIdMaker({ now: () => 1_700_000_000_000, randomBytes: (count) => new Uint8Array(count).fill(7) });

  expect(makeId('tok')).toBe('tok_01hf7yat007777777777777777');
});

test('ids sort by the order they were made, whatever the clock does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 2 ** 45 }), { minLength: 2, maxLength: 50 }),
      fc.nat({ max: 255 }),
      (clock, fill) => {
        let tick = 0;
        const makeId = createIdMaker({
          now: () => clock[tick++]!,
          randomBytes: (count) => new Uint8Array(count).fill(fill),
        });
        const ids = clock.map(() => makeId('usr'));

        expect(ids.toSorted()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      },
    ),
    { seed: 1 },
  );
});

test('the time of an id can be read back', () => {
  const makeId = createIdMaker({ now: () => 1_763_181_945_123, randomBytes: (count) => new Uint8Array(count) });

  expect(idTime(makeId('req'))).toBe(1_763_181_945_123);
});

test('an id of another kind, a shortened one and a number are refused', () => {
  const schema = idSchema('tok');
  const id = newId('tok');

  expect(schema.safeParse(id).success).toBe(true);
  for (const wrong of [newId('usr'), id.slice(0, -1), `${id}0`, 'tok_', 7, null])
    expect(schema.safeParse(wrong).success).toBe(false);
});
