import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonGauge, type JsonLimits } from './json-gauge.ts';

/** The smallest limits that a text is within, found by asking; the text arrives in pieces of this length. */
function measured(text: string, piece: number): JsonLimits {
  const bytes = new TextEncoder().encode(text);
  const fits = (limits: JsonLimits) => {
    const gauge = new JsonGauge(limits);
    for (let at = 0; at < bytes.length; at += piece)
      if (gauge.take(bytes.subarray(at, at + piece)) !== undefined) return false;
    return true;
  };
  const many = { depth: 1e6, values: 1e6, fields: 1e6, names: 1e6 };
  const least = (limit: keyof typeof many) => {
    let count = 0;
    while (!fits({ ...many, [limit]: count })) count++;
    return count;
  };
  return { depth: least('depth'), values: least('values'), fields: least('fields'), names: least('names') };
}

/** The same, counted in the parsed value. */
function counted(value: unknown): JsonLimits {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1, fields: 0, names: 0 };
  const inner = Object.values(value).map(counted);
  const sum = (pick: 'values' | 'fields') => inner.reduce((total, one) => total + one[pick], 0);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + Math.max(1, sum('values')),
    fields: sum('fields') + (Array.isArray(value) ? 0 : inner.length),
    names: Math.max(Array.isArray(value) ? 0 : inner.length, ...inner.map(({ names }) => names)),
  };
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\\"', '[{,:', '\\\\'.repeat(80), `${'x'.repeat(70)}"[`, `${'x'.repeat(63)}\\`),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));

test('depth, values, fields and names are those of the parsed value, in whichever pieces the text arrives', () => {
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 200 }), fc.constantFrom(0, 2), (given, piece, indent) => {
      const json = JSON.stringify(given, undefined, indent);
      expect(measured(json, piece)).toEqual(counted(JSON.parse(json)));
    }),
    { numRuns: 300 },
  );
});

test('a text that begins with endless brackets passes the limit at the first one too many', () => {
  const gauge = new JsonGauge({ depth: 3, values: 100, fields: 100, names: 100 });

  expect(gauge.take(new TextEncoder().encode('[[['))).toBeUndefined();
  expect(gauge.take(new TextEncoder().encode('['))).toBe('depth');
});
