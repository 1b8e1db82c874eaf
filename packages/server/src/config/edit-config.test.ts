import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { type ConfigChange, editConfig } from './edit-config.ts';
import { parseJsoncDocument } from './jsonc-document.ts';

const WRITTEN = `{
  // The house's own.
  "$schema": "./dragoman.schema.json", // completes it
  "providers": {
    // Paid by the team.
    "claude": {
      "type": "anthropic-messages", // not chat
      "models": ["claude-sonnet-5"],
    },
    "local": { "type": "openai-chat", /* no key */ "models": ["*"] }, // at home
  },
  "log": { "level": "info" }
  // "limits": {}
}
`;

test('a changed value leaves everything around it as it was', () => {
  expect(editConfig(WRITTEN, [{ path: ['log', 'level'], value: 'debug' }])).toBe(WRITTEN.replace('"info"', '"debug"'));
  expect(editConfig(WRITTEN, [{ path: ['log', 'level'], value: 'info' }])).toBe(WRITTEN);
});

test('a new setting stands behind its neighbours, with the parents it needs', () => {
  expect(
    editConfig(WRITTEN, [
      { path: ['routes', 'default'], value: ['claude/claude-sonnet-5', 'local/qwen'] },
      { path: ['providers', 'gemini'], value: { type: 'gemini', apiKey: '{secret:gemini}', headers: {} } },
      { path: ['providers', 'local', 'images'], value: false },
    ]),
  ).toBe(`{
  // The house's own.
  "$schema": "./dragoman.schema.json", // completes it
  "providers": {
    // Paid by the team.
    "claude": {
      "type": "anthropic-messages", // not chat
      "models": ["claude-sonnet-5"],
    },
    "local": { "type": "openai-chat", /* no key */ "models": ["*"], "images": false }, // at home
    "gemini": {
      "type": "gemini",
      "apiKey": "{secret:gemini}",
      "headers": {}
    },
  },
  "log": { "level": "info" },
  "routes": {
    "default": ["claude/claude-sonnet-5", "local/qwen"]
  }
  // "limits": {}
}
`);
});

test('a removed setting takes its line along, and no other', () => {
  expect(
    editConfig(WRITTEN, [
      { path: ['providers', 'claude', 'type'] },
      { path: ['providers', 'local', 'type'] },
      { path: ['log'] },
      { path: ['not', 'there'] },
    ]),
  ).toBe(`{
  // The house's own.
  "$schema": "./dragoman.schema.json", // completes it
  "providers": {
    // Paid by the team.
    "claude": {
      "models": ["claude-sonnet-5"],
    },
    "local": { /* no key */ "models": ["*"] }, // at home
  }
  // "limits": {}
}
`);
  expect(editConfig('{ "a": 1, }', [{ path: ['a'] }])).toBe('{ }');
  expect(editConfig('{ "a": 1, "b": 2 }', [{ path: ['b'] }])).toBe('{ "a": 1 }');
});

test('an object that replaces one keeps the comments of what stays', () => {
  const claude = { type: 'anthropic-messages', models: ['claude-opus-5'], images: false };

  expect(editConfig(WRITTEN, [{ path: ['providers', 'claude'], value: claude }])).toBe(
    WRITTEN.replace('["claude-sonnet-5"],', '["claude-opus-5"],\n      "images": false,'),
  );
});

test('a setting that is called like something every object has is added and taken out like any other', () => {
  const text = '{ "routes": { "constructor": ["a"], "b": ["c"] } }';
  expect(editConfig(text, [{ path: ['routes'], value: { b: ['c'] } }])).toBe('{ "routes": { "b": ["c"] } }');
  expect(editConfig('{ "routes": {} }', [{ path: ['routes'], value: { toString: ['c'] } }])).toBe(
    '{ "routes": {\n  "toString": ["c"]\n} }',
  );
});

test('an object in another order is written anew, because the order of rules has a meaning', () => {
  const text = '{\n\t"permissions": {\n\t\t"bash": "ask", // first\n\t\t"*": "allow"\n\t}\n}\n';

  expect(editConfig(text, [{ path: ['permissions'], value: { '*': 'allow', bash: 'ask' } }])).toBe(
    '{\n\t"permissions": {\n\t\t"*": "allow",\n\t\t"bash": "ask"\n\t}\n}\n',
  );
});

test('a file with nothing in it, or nothing but comments, gets its first setting', () => {
  const change = [{ path: ['log', 'level'], value: 'warn' }];
  const first = '{\n  "log": {\n    "level": "warn"\n  }\n}\n';

  expect(editConfig('', change)).toBe(first);
  expect(editConfig('// Mine.', change)).toBe(`// Mine.\n${first}`);
  expect(editConfig('{}', change)).toBe(first.trim());
  expect(editConfig('{\n  // Nothing yet.\n}', change)).toBe(first.trim().replace('{', '{\n  // Nothing yet.'));
  expect(editConfig('// Mine.', [{ path: ['log'] }])).toBe('// Mine.');
});

test('lines end as they did', () => {
  expect(editConfig('{\r\n    "a": 1 // one\r\n}\r\n', [{ path: ['b'], value: { c: true } }])).toBe(
    '{\r\n    "a": 1, // one\r\n    "b": {\r\n        "c": true\r\n    }\r\n}\r\n',
  );
});

test('a setting inside a list or a single value is refused, and so is a name that no setting has', () => {
  expect(() => editConfig('{ "a": { "b": [1] } }', [{ path: ['a', 'b', '0'], value: 2 }])).toThrow(
    'a.b is a list, so a.b.0 cannot be set on its own. Set the whole value.',
  );
  expect(() => editConfig('{ "a": 1 }', [{ path: ['a', 'b'] }])).toThrow(
    'a is a single value, so a.b cannot be set on its own. Set the whole value.',
  );
  expect(() => editConfig('{}', [{ path: ['a', '__proto__'], value: 1 }])).toThrow(
    'a setting cannot be named __proto__',
  );
});

describe('whatever is written and whatever is changed', () => {
  interface Piece {
    text: string;
    value: unknown;
  }
  const NAMES = ['a', 'b', 'two words', '"quoted"', '7'];
  let comments = 0;
  /** Numbered, so that each can be looked for. */
  const trivia = fc
    .array(fc.constantFrom(' ', '\n', '\r\n', '\t', '//', '/**/', '/*\n*/'), { maxLength: 4 })
    .map((bits) =>
      bits
        .map((bit) => {
          if (bit === '//') return `// "©${++comments}": { ]\n`;
          return bit.startsWith('/*') ? bit.replace('*', `* ©${++comments} `) : bit;
        })
        .join(''),
    );
  const scalar: fc.Arbitrary<Piece> = fc
    .oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string(), fc.constant('{secret:x} // no comment'))
    .map((value) => ({ text: JSON.stringify(value), value }));
  const list = (items: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> =>
    fc.tuple(fc.array(fc.tuple(trivia, items), { maxLength: 3 }), fc.boolean(), trivia).map(([all, comma, end]) => ({
      text: `[${all.map(([before, { text }]) => before + text).join(',')}${comma && all.length > 0 ? ',' : ''}${end}]`,
      value: all.map(([, { value }]) => value),
    }));
  const object = (items: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> =>
    fc
      .tuple(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), items, trivia, trivia, trivia), {
          maxLength: 4,
          selector: ([name]) => name,
        }),
        fc.boolean(),
        trivia,
      )
      .map(([all, comma, end]) => ({
        text: `{${all
          .map(([name, { text }, before, colon, after]) => `${before}${JSON.stringify(name)}:${colon}${text}${after}`)
          .join(',')}${comma && all.length > 0 ? ',' : ''}${end}}`,
        value: Object.fromEntries(all.map(([name, { value }]) => [name, value])),
      }));
  const { tree } = fc.letrec<{ tree: Piece; items: Piece }>((tie) => ({
    items: fc.oneof({ maxDepth: 3 }, scalar, list(tie('items')), object(tie('items'))),
    tree: object(tie('items')),
  }));
  const document = fc.tuple(trivia, tree, trivia).map(([before, { text, value }, after]) => ({
    text: before + text + after,
    value: value as Record<string, unknown>,
  }));
  const change: fc.Arbitrary<ConfigChange> = fc.record(
    {
      path: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
      value: fc.jsonValue(),
    },
    { requiredKeys: ['path'] },
  );

  const REFUSED = Symbol('refused');
  /** What the change means, without a text. */
  function changed(value: unknown, [key, ...rest]: readonly string[], given: unknown): unknown {
    if (key === undefined) return JSON.stringify(given)?.includes('"__proto__":') === true ? REFUSED : given;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return REFUSED;
    const object = { ...(value as Record<string, unknown>) };
    if (!Object.hasOwn(object, key) && given === undefined) return object;
    const inner = changed(Object.hasOwn(object, key) ? object[key] : {}, rest, given);
    if (inner === undefined) delete object[key];
    else object[key] = inner;
    return inner === REFUSED ? REFUSED : object;
  }

  /** The text after a change, or that there can be none. */
  function editOrRefuse(text: string, one: ConfigChange): string | symbol {
    try {
      return editConfig(text, [one]);
    } catch {
      return REFUSED;
    }
  }

  test('the result says the old with the changes made, and comments elsewhere survive', () => {
    fc.assert(
      fc.property(document, fc.array(change, { minLength: 1, maxLength: 4 }), ({ text, value }, changes) => {
        let [edited, expected]: [string, unknown] = [text, value];
        for (const one of changes) {
          const [after, meant] = [editOrRefuse(edited, one), changed(expected, one.path, one.value)];
          expect(after === REFUSED).toBe(meant === REFUSED);
          if (typeof after === 'symbol') continue;
          expect(marks(after)).toEqual(expect.arrayContaining(marksOutside(edited, one)));
          [edited, expected] = [after, meant];
        }
        const read = parseJsoncDocument(edited, 'x.json');

        expect(read.problems).toEqual([]);
        expect(JSON.stringify(read.value)).toBe(JSON.stringify(expected));
      }),
      { seed: 1713723973, numRuns: rounds(50_000) },
    );
  });

  const marks = (text: string) => text.match(/©\d+/g) ?? [];

  /** The comments before and behind what is changed; a line of something that goes is its own to the end. */
  function marksOutside(text: string, { path, value }: ConfigChange): string[] {
    const node = findNodeAtLocation(parseTree(text, [], { allowTrailingComma: true })!, [...path]);
    if (node === undefined) return marks(text);
    const { offset, length } = value === undefined ? node.parent! : node;
    const line = /^[^,\n]*,?[^\n]*/.exec(text.slice(offset + length))![0];
    const end = offset + length + (value === undefined ? line.length : 0);
    return [...marks(text.slice(0, offset)), ...marks(text.slice(end))];
  }
});
