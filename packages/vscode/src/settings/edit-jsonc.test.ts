import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedJsonc, changeJsonc, parseJsonc, readJsonc, Verbatim } from './edit-jsonc.ts';

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
    ['{\r\n}', '{\r\n    "chat.allowAnonymousAccess": true\r\n\r\n}'],
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

describe('a field of a setting', () => {
  const put = (text: string, value: unknown, ...path: string[]) => changedJsonc(text, path, value);

  test('is added, changed and removed in its place, and every comment around it stays', () => {
    const before = `{\n  // above\n  "o": { // mine\n    "a": "x", /* kept */ "b": [1,]\n  }, // behind\n  "z": 1\n}\n`;
    const added = `{\n  // above\n  "o": { // mine\n    "a": "x", /* kept */ "b": [1,],\n      "c": 2\n  }, // behind\n  "z": 1\n}\n`;
    expect(put(before, 2, 'o', 'c')).toBe(added);
    expect(put(added, undefined, 'o', 'c')).toBe(before);
    expect(put(before, 'y', 'o', 'a')).toBe(before.replace('"x"', '"y"'));
    expect(put(before, new Verbatim('/* v */ 1'), 'o', 'a')).toBe(before.replace('"x"', '/* v */ 1'));
  });

  test('of a setting that is empty or not there', () => {
    expect(put('{\n  "o": {}\n}', 1, 'o', 'a')).toBe('{\n  "o": {\n      "a": 1\n  }\n}');
    expect(put('{\n  "o": {\n      "a": 1\n  }\n}', undefined, 'o', 'a')).toBe('{\n  "o": {}\n}');
    expect(put('{\n  "z": 1\n}', 1, 'o', 'a')).toBe('{\n  "z": 1,\n  "o": { "a": 1 }\n}');
    expect(put('{ "o": null }', 1, 'o', 'a')).toBe('{ "o": { "a": 1 } }');
    expect(put('{ "o": null }', undefined, 'o', 'a')).toBe('{ "o": null }');
  });
});

test('a setting is read as it stands, and its comments mean nothing', () => {
  const found = readJsonc('{ "a": 1, "o": { "u": "http://x", // "y"\n "l": [1, /* , */], } }', 'o')!;
  expect(found.text).toBe('{ "u": "http://x", // "y"\n "l": [1, /* , */], }');
  expect(parseJsonc(found)).toEqual({ u: 'http://x', l: [1] });
  expect(readJsonc('{ "a": 1 }', 'o')).toBe(undefined);
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
    lineEnd: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ fields, space, indent, hasComma, lineEnd }) => {
    const lines = fields.map(
      ([name, value]) => `${space}${JSON.stringify(name)}:${space}${JSON.stringify(value, undefined, indent)}${space}`,
    );
    const text = `${space}{${lines.join(',')}${hasComma && fields.length > 0 ? ',' : ''}${space}}${space}`;
    return { text: text.replaceAll('\n', lineEnd), fields };
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

  test('fields of a setting that is one of them can be added one after the other, and removing them leads back to the letter', () => {
    fc.assert(
      fc.property(file, ({ text, fields }) => {
        fc.pre(fields.length > 0 && !fields.some(([name]) => name === 'one' || name === 'two'));
        const before = `{ "z": 1, "o": ${text} }`;
        const one = changedJsonc(before, ['o', 'one'], 1)!;
        const two = changedJsonc(one, ['o', 'two'], { a: [2] })!;
        expect(parseJsonc(readJsonc(two, 'o')!)).toMatchObject({ one: 1, two: { a: [2] } });
        expect(changedJsonc(two, ['o', 'two'], undefined)).toBe(one);
        expect(changedJsonc(one, ['o', 'one'], undefined)).toBe(before);
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
