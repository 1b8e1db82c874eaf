import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CustomInputStream, readCustomInput } from './custom-input-stream.ts';
import { customToolDefinition, toCustomArguments } from './custom-tool.ts';

function pieces(...deltas: string[]): string[] {
  const stream = new CustomInputStream();
  return [...deltas.map((delta) => stream.push(delta)), stream.end()];
}

test('the text is read while its arguments are written, escapes and characters whole', () => {
  expect(pieces('{"inp', 'ut": "*** Begin', ' Patch\\', 'n+a\\u00', 'e9\\ud83d', '\\ude00', '"', '}')).toEqual([
    '',
    '*** Begin',
    ' Patch',
    '\n+a',
    'é',
    '😀',
    '',
    '',
    '',
  ]);
});

test('arguments of another form are read at their end', () => {
  expect(readCustomInput('{"patch":"a\\nb"}')).toBe('a\nb');
  expect(readCustomInput('"a\\nb"')).toBe('a\nb');
  expect(readCustomInput('const x = 1;\nprint(x)')).toBe('const x = 1;\nprint(x)');
  expect(readCustomInput('{"reason":"why","input":"a"}')).toBe('a');
  expect(readCustomInput('{"a":1,"b":"c"}')).toBe('{"a":1,"b":"c"}');
  expect(readCustomInput('{}')).toBe('');
  expect(readCustomInput('')).toBe('');
});

test('a text with line ends as they are, or with an escape that JSON does not have, is read as it was meant', () => {
  expect(readCustomInput('{"input":"a\nb\\d+\\/"}')).toBe('a\nb\\d+/');
});

test('any text in any pieces comes out whole, and no piece holds half a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.boolean(),
      fc.array(fc.nat(200), { maxLength: 12 }),
      (text, isEscaped, cuts) => {
        const plain = toCustomArguments(text);
        const args = isEscaped
          ? plain.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : plain;
        const places = [0, ...cuts.map((cut) => cut % (args.length + 1)).toSorted((a, b) => a - b), args.length];
        const taken = pieces(...places.slice(1).map((end, index) => args.slice(places[index], end)));
        expect(taken.join('')).toBe(text);
        for (const piece of taken) expect(piece.isWellFormed()).toBe(true);
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});

test('a custom tool is a function with one string, and is told its grammar', () => {
  expect(
    customToolDefinition('apply_patch', 'Edits files.', { type: 'grammar', syntax: 'lark', definition: 'start: "x"' }),
  ).toEqual({
    name: 'apply_patch',
    description: 'Edits files.\n\nThe input must follow this Lark grammar:\nstart: "x"',
    inputSchema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The input of the tool, as plain text.' } },
      required: ['input'],
      additionalProperties: false,
    },
  });
  expect(
    customToolDefinition('day', '', { type: 'grammar', grammar: { syntax: 'regex', definition: '[a-z]+' } })
      .description,
  ).toBe('The input must match this regular expression:\n[a-z]+');
  expect(customToolDefinition('say', 'Says it.', { type: 'text' }).description).toBe('Says it.');
});
