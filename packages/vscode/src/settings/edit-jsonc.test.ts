import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeJsonc } from './edit-jsonc.ts';

const NAME = 'chat.allowAnonymousAccess';

function change(text: string, value: unknown, name = NAME): string {
  const { start, end, text: put } = changeJsonc(text, name, value)!;
  return text.slice(0, start) + put + text.slice(end);
}

describe('a setting', () => {
  test('is added behind the last, with its indent, and every comment stays', () => {
    expect(change('// mine\n{\n  "a": 1, // one\n  /* two */ "b": { "c": "}" } // last\n}\n', true)).toBe(
      '// mine\n{\n  "a": 1, // one\n  /* two */ "b": { "c": "}" },\n    "chat.allowAnonymousAccess": true // last\n}\n',
    );
    expect(change('{\n\t"a": [1, "]",],\n}', true)).toBe(
      '{\n\t"a": [1, "]",],\n\t"chat.allowAnonymousAccess": true,\n}',
    );
  });

  test.each([
    ['', '{\n    "chat.allowAnonymousAccess": true\n}\n'],
    ['// nothing yet\n', '// nothing yet\n{\n    "chat.allowAnonymousAccess": true\n}\n'],
    ['{}', '{\n    "chat.allowAnonymousAccess": true\n}'],
    ['{\n}\n', '{\n    "chat.allowAnonymousAccess": true\n\n}\n'],
    ['{"a":1}', '{"a":1,\n    "chat.allowAnonymousAccess": true}'],
  ])('is added to %j', (before, after) => {
    expect(change(before, true)).toBe(after);
  });

  test('that is there gets the new value, also where its name stands in a text or further in', () => {
    const text = `{ "x": "\\"${NAME}\\": false", "y": { "${NAME}": false }, "${NAME}" : false, }`;
    expect(change(text, true)).toBe(`{ "x": "\\"${NAME}\\": false", "y": { "${NAME}": false }, "${NAME}" : true, }`);
  });

  test('is removed with its comma', () => {
    expect(change(`{\n  "a": 1,\n  "${NAME}": true\n}`, undefined)).toBe('{\n  "a": 1\n}');
    expect(change(`{\n  "${NAME}": true,\n  "a": 1\n}`, undefined)).toBe('{\n  "a": 1\n}');
    expect(change(`{\n  "a": 1,\n  "${NAME}": true,\n  "b": 2\n}`, undefined)).toBe('{\n  "a": 1,\n  "b": 2\n}');
    expect(change('{ "a": 1 }', undefined)).toBe('{ "a": 1 }');
  });
});

test('a text that is no file of settings is left alone', () => {
  for (const text of ['[]', '{', '{"a"}', '{"a":}', '{"a":1 "b":2}', '{"a":[1}', 'true', '{"a": "open\n}', '{a:1}'])
    expect([text, changeJsonc(text, NAME, true)]).toEqual([text, undefined]);
});

/** A file of settings: a JSON object written with comments, odd space and perhaps a comma too many. */
const file = fc
  .record({
    fields: fc.uniqueArray(fc.tuple(fc.string(), fc.jsonValue()), { selector: ([name]) => name, maxLength: 5 }),
    space: fc.constantFrom('', ' ', '\n', '\n  ', ' // note "{,\n', '/* } */ '),
    indent: fc.constantFrom(undefined, 2, '\t'),
    hasComma: fc.boolean(),
  })
  .map(({ fields, space, indent, hasComma }) => {
    const lines = fields.map(
      ([name, value]) => `${space}${JSON.stringify(name)}:${space}${JSON.stringify(value, undefined, indent)}${space}`,
    );
    const text = `${space}{${lines.join(',')}${hasComma && fields.length > 0 ? ',' : ''}${space}}${space}`;
    return { text, fields };
  });

/** What a reader without comments sees: ours are made so that these two suffice. */
function read(text: string): unknown {
  const plain = text.replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, '$1');
  return JSON.parse(plain.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*\})/g, '$1'));
}

describe('for any file', () => {
  test('setting one changes that one and nothing else, and removing it leads back to the letter', () => {
    fc.assert(
      fc.property(file, fc.jsonValue(), ({ text, fields }, value) => {
        fc.pre(!fields.some(([name]) => name === NAME) && fields.length > 0);
        const changed = change(text, value);
        expect(read(changed)).toEqual({
          ...(read(text) as object),
          [NAME]: JSON.parse(JSON.stringify(value)) as unknown,
        });
        expect(change(changed, undefined)).toBe(text);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('a setting that is there can be set and removed, wherever it stands', () => {
    fc.assert(
      fc.property(file, fc.nat(), fc.jsonValue(), ({ text, fields }, number, value) => {
        fc.pre(fields.length > 0 && !fields.some(([name]) => name === '__proto__'));
        const [name] = fields[number % fields.length]!;
        const { [name]: _gone, ...others } = read(text) as Record<string, unknown>;
        expect(read(change(text, value, name))).toEqual({
          ...others,
          [name]: JSON.parse(JSON.stringify(value)) as unknown,
        });
        expect(read(change(text, undefined, name))).toEqual(others);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
