import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repairToolInput } from './repair-tool-input.ts';

const tool = (properties: Record<string, unknown>, required: string[] = [], name = 'view') => ({
  name,
  schema: { type: 'object', properties, required },
  description: 'Shows a file.',
});

const VIEW = tool({ path: { type: 'string' }, type: { type: 'string', default: 'file' }, limit: { type: 'integer' } }, [
  'path',
  'type',
]);

describe('the text', () => {
  const texts: [input: string, repaired: string, repairs: string[]][] = [
    ['', '{}', []],
    [' \n', '{}', []],
    ['{"path":"a.ts"', '{"path":"a.ts"}', ['mended-json']],
    ["{'path': 'a.ts',}", '{"path":"a.ts"}', ['mended-json']],
    ['"{\\"path\\":\\"a.ts\\"}"', '{"path":"a.ts"}', ['mended-json']],
    ['[{"path":"a.ts"}]', '{"path":"a.ts"}', ['mended-json']],
    ['null', '{}', ['mended-json']],
    ['[]', '{}', ['mended-json']],
    ['7', '{}', ['mended-json']],
    ['"text"', '{}', ['mended-json']],
    ['src/a.ts', '{}', ['mended-json']],
  ];

  test.each(texts)('BYOK-35 %j never reaches the client as it is: it becomes %j', (input, repaired, repairs) => {
    expect(repairToolInput(input, tool({}), '')).toEqual({ input: repaired, repairs });
  });

  test('BYOK-35 mended arguments are filled like any others', () => {
    expect(repairToolInput('{"path":"a.t', VIEW, '')).toEqual({
      input: '{"path":"a.t","type":"file"}',
      repairs: ['mended-json', 'filled:type'],
    });
  });

  test('BYOK-51 a call to a tool that was not offered goes out with valid arguments', () => {
    for (const unknown of [undefined, { name: 'fly' }]) {
      expect(repairToolInput('', unknown, '')).toEqual({ input: '{}', repairs: [] });
      expect(repairToolInput('{"a":[1,', unknown, '')).toEqual({ input: '{"a":[1]}', repairs: ['mended-json'] });
      expect(repairToolInput('{"a": 1}', unknown, '')).toEqual({ input: '{"a": 1}', repairs: [] });
    }
  });
});

describe('required keys', () => {
  test('BYOK-36 each that is missing is filled with its default value', () => {
    expect(repairToolInput('{"limit":3}', VIEW, '')).toEqual({
      input: '{"limit":3,"path":"","type":"file"}',
      repairs: ['filled:path', 'filled:type'],
    });
  });

  test('BYOK-36 one without a property schema is filled with null', () => {
    expect(repairToolInput('{}', tool({}, ['anything']), '').input).toBe('{"anything":null}');
  });

  test('BYOK-36 they are filled inside objects and lists as well', () => {
    const edit = {
      type: 'object',
      properties: { line: { type: 'integer' }, text: { type: 'string' } },
      required: ['text'],
    };
    const edits = tool({ options: edit, edits: { type: 'array', items: edit } }, ['edits']);

    expect(repairToolInput('{"options":{},"edits":[{"line":1},{"text":"x"},{"line":2}]}', edits, '')).toEqual({
      input: '{"options":{"text":""},"edits":[{"line":1,"text":""},{"text":"x"},{"line":2,"text":""}]}',
      repairs: ['filled:options.text', 'filled:edits[].text'],
    });
  });

  test('a null counts as missing where the type has no null, and only there', () => {
    const nullable = tool({ a: { type: 'string' }, b: { type: ['string', 'null'] }, c: {} }, ['a', 'b', 'c']);

    expect(repairToolInput('{"a":null,"b":null,"c":null}', nullable, '')).toEqual({
      input: '{"a":"","b":null,"c":null}',
      repairs: ['filled:a'],
    });
  });

  test('names that every object inherits are missing like any others', () => {
    const odd = tool({}, ['constructor', '__proto__', 'toString']);

    expect(repairToolInput('{}', odd, '').input).toBe('{"constructor":null,"__proto__":null,"toString":null}');
  });
});

describe('types', () => {
  const coercions: [schema: object, value: string, coerced: string][] = [
    [{ type: 'integer' }, '"5"', '5'],
    [{ type: 'integer' }, '" -12 "', '-12'],
    [{ type: 'integer' }, '"5.0"', '5'],
    [{ type: 'number' }, '"2.5"', '2.5'],
    [{ type: 'boolean' }, '"true"', 'true'],
    [{ type: 'boolean' }, '"False"', 'false'],
    [{ type: 'string' }, '5', '"5"'],
    [{ type: 'string' }, 'true', '"true"'],
    [{ type: 'object' }, '"{\\"a\\":1}"', '{"a":1}'],
    [{ type: 'array' }, '"[1,2]"', '[1,2]'],
    [{ type: 'array', items: { type: 'string' } }, '"a.ts"', '["a.ts"]'],
    [{ type: 'array', items: { type: 'object' } }, '{"a":1}', '[{"a":1}]'],
    [{ type: 'array', items: { type: 'integer' } }, '["1",2]', '[1,2]'],
    [{ type: ['integer', 'null'] }, '"5"', '5'],
    [{ type: ['integer', 'null'] }, '"null"', 'null'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '"5"', '5'],
  ];

  test.each(coercions)('BYOK-38 by the schema %j the value %s can only mean %s', (schema, value, coerced) => {
    const repaired = repairToolInput(`{"x":${value}}`, tool({ x: schema }), '');

    expect(repaired.input).toBe(`{"x":${coerced}}`);
    expect(repaired.repairs).toHaveLength(1);
    expect(repaired.repairs[0]).toMatch(/^coerced:x(\[\])?$/);
  });

  const doubtful: [schema: object, value: string][] = [
    [{ type: 'integer' }, '"five"'],
    [{ type: 'integer' }, '5.5'],
    [{ type: 'integer' }, '"99999999999999999999"'],
    [{ type: 'integer' }, 'true'],
    [{ type: 'number' }, '"0x10"'],
    [{ type: 'number' }, '""'],
    [{ type: 'boolean' }, '"yes"'],
    [{ type: 'boolean' }, '"constructor"'],
    [{ type: 'boolean' }, '1'],
    [{ type: 'string' }, '{"a":1}'],
    [{ type: 'string' }, 'null'],
    [{ type: 'string' }, '"5"'],
    [{ type: 'object' }, '"{a}"'],
    [{ type: 'array' }, '"a.ts"'],
    [{ type: ['number', 'array'], items: { type: 'string' } }, '"5"'],
    [{ type: 'array', items: { type: 'integer' } }, '"a.ts"'],
    [{ type: ['string', 'integer'] }, '"5"'],
    [{ anyOf: [{ type: 'integer' }, { enum: ['all'] }] }, '"5"'],
    [{}, '"5"'],
  ];

  test.each(doubtful)('BYOK-38 by the schema %j the value %s stays as the model wrote it', (schema, value) => {
    expect(repairToolInput(`{"x": ${value}}`, tool({ x: schema }), '')).toEqual({
      input: `{"x": ${value}}`,
      repairs: [],
    });
  });

  test('BYOK-38 JSON text for an object is filled once it is one', () => {
    const range = {
      type: 'object',
      properties: { start: { type: 'integer' }, end: { type: 'integer' } },
      required: ['end'],
    };

    expect(repairToolInput('{"range":"{\\"start\\":\\"1\\"}"}', tool({ range }), '')).toEqual({
      input: '{"range":{"start":1,"end":0}}',
      repairs: ['coerced:range', 'coerced:range.start', 'filled:range.end'],
    });
  });
});

test('BYOK-37 valid arguments come out as the text that went in, with unknown keys and without optional ones', () => {
  const input = '{ "path": "a.ts",\n  "type": "directory", "note": 1, "id": 12345678901234567890 }';

  expect(repairToolInput(input, VIEW, 'some context')).toEqual({ input, repairs: [] });
});

test('BYOK-37 arguments that have the types of their schema are never touched', () => {
  const values = { s: fc.string(), i: fc.integer(), n: fc.double(), b: fc.boolean(), a: fc.array(fc.string()) };
  const schema = tool(
    {
      s: { type: 'string' },
      i: { type: 'integer' },
      n: { type: 'number' },
      b: { type: 'boolean' },
      a: { type: 'array', items: { type: 'string' } },
      any: {},
    },
    ['s', 'b'],
  );
  const args = fc.record({ ...values, any: fc.jsonValue() }, { requiredKeys: ['s', 'b'] });

  fc.assert(
    fc.property(
      args.filter(({ n }) => n === undefined || Number.isFinite(n)),
      (value) => {
        const input = JSON.stringify(value);

        expect(repairToolInput(input, schema, 'context')).toEqual({ input, repairs: [] });
      },
    ),
    { seed: 1, numRuns: 200 },
  );
});

test('BYOK-35 whatever the text and the schema, a JSON object comes out that needs no second repair', () => {
  const key = fc.constantFrom('a', 'title', 'content', 'query', '__proto__', 'constructor');
  const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object', 'null', 'date', 7);
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.record({ type }),
      fc.record({ type: fc.array(type, { maxLength: 2 }) }),
      fc.record({
        type: fc.constantFrom('object', 'array'),
        properties: fc.dictionary(key, tie('schema'), { maxKeys: 3 }),
        required: fc.array(key, { maxLength: 3 }),
        items: tie('schema'),
      }),
    ),
  }));
  const input = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.dictionary(key, fc.jsonValue()).map((value) => JSON.stringify(value)),
    fc.tuple(fc.json(), fc.nat()).map(([text, length]) => text.slice(0, length % text.length)),
  );
  const name = fc.constantFrom('view', 'remember', 'codebase-retrieval');

  fc.assert(
    fc.property(input, name, schema, (text, toolName, toolSchema) => {
      const called = { name: toolName, schema: toolSchema as Record<string, unknown> };
      const once = repairToolInput(text, called, 'the user prefers tabs over spaces');

      expect(JSON.parse(once.input)).toBeTypeOf('object');
      expect(repairToolInput(once.input, called, 'the user prefers tabs over spaces')).toEqual({
        input: once.input,
        repairs: [],
      });
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('arguments that are nested too deeply to be written again stay as they came', () => {
  const input = `{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;

  expect(repairToolInput(input, VIEW, '')).toEqual({ input, repairs: [] });
});

describe('codebase-retrieval', () => {
  const RETRIEVAL = tool({ information_request: { type: 'string' } }, ['information_request'], 'codebase-retrieval');

  test('COMPAT-69 a query is passed on as the information_request', () => {
    expect(repairToolInput('{"query":"where is login"}', RETRIEVAL, '')).toEqual({
      input: '{"information_request":"where is login"}',
      repairs: ['alias:query'],
    });
    expect(repairToolInput('{"query":"where","information_request":""}', RETRIEVAL, '').input).toBe(
      '{"information_request":"where"}',
    );
  });

  test('COMPAT-69 an information_request that is there stays, and so does the query of a tool that takes one', () => {
    const untouched = '{"information_request":"a","query":"b"}';
    const takesQuery = tool({ query: { type: 'string' } }, ['query'], 'codebase-retrieval');

    expect(repairToolInput(untouched, RETRIEVAL, '')).toEqual({ input: untouched, repairs: [] });
    expect(repairToolInput('{"query":"b"}', takesQuery, '')).toEqual({ input: '{"query":"b"}', repairs: [] });
    expect(repairToolInput('{"query":"b"}', tool({}, [], 'view'), '')).toEqual({ input: '{"query":"b"}', repairs: [] });
  });
});

describe('memory tools', () => {
  const text = { type: 'string' };
  const memory = (properties: Record<string, unknown>, required: string[] = []) =>
    tool(properties, required, 'remember');
  const CONTEXT = '用户喜欢使用 TypeScript，请记住';
  const CONTENT = `要记住的内容：${CONTEXT}\n\n使用场景：当后续对话再次涉及该信息时，用于保持一致性与减少重复确认。`;

  const names: [name: string, description: string, isMemory: boolean][] = [
    ['save_memory', '', true],
    ['AddMemory', '', true],
    ['REMEMBER', '', true],
    ['keep', 'Adds to the long-term Memory.', true],
    ['keep', 'Will REMEMBER it.', true],
    ['keep', 'Keeps it.', false],
    ['memo', 'Forgets it.', false],
  ];

  test.each(names)(
    'BYOK-42 the tool %j described as %j counts as memory-related: %s',
    (name, description, isMemory) => {
      const called = { name, description, schema: { type: 'object', properties: { title: text } } };

      expect(repairToolInput('{}', called, 'tabs').input).toBe(isMemory ? '{"title":"tabs"}' : '{}');
    },
  );

  test('BYOK-43 an empty title, name or summary is the first 80 characters of the context', () => {
    const long = 'x'.repeat(79) + '😀 and more';

    expect(
      repairToolInput('{"title":"","name":" "}', memory({ title: text, name: text, summary: text }), long),
    ).toEqual({
      input: JSON.stringify({ title: 'x'.repeat(79), name: 'x'.repeat(79), summary: 'x'.repeat(79) }),
      repairs: ['enriched:title', 'enriched:name', 'enriched:summary'],
    });
    expect(repairToolInput('{}', memory({ title: text }), 'y'.repeat(100)).input).toBe(`{"title":"${'y'.repeat(80)}"}`);
  });

  test('BYOK-44 an empty or short memory, content or text is made from the context', () => {
    const fields = { memory: text, content: text, text };

    expect(repairToolInput('{"memory":"","content":"TypeScript"}', memory(fields, ['memory']), CONTEXT)).toEqual({
      input: JSON.stringify({ memory: CONTENT, content: CONTENT, text: CONTENT }),
      repairs: ['enriched:memory', 'enriched:content', 'enriched:text'],
    });
  });

  test('BYOK-44 for a context that is not Chinese the memory is in English', () => {
    expect(repairToolInput('{}', memory({ memory: text }, ['memory']), 'Use tabs.')).toEqual({
      input: JSON.stringify({
        memory:
          'To remember: Use tabs.\n\nWhen it helps: if this comes up again later, so that answers agree and nothing is asked twice.',
      }),
      repairs: ['enriched:memory'],
    });
  });

  test('BYOK-44 of a long context only the beginning is remembered', () => {
    const { input } = repairToolInput('{}', memory({ text }), '码'.repeat(5000));

    expect(JSON.parse(input)).toEqual({
      text: `要记住的内容：${'码'.repeat(2000)}\n\n使用场景：当后续对话再次涉及该信息时，用于保持一致性与减少重复确认。`,
    });
  });

  test('BYOK-45 an empty context or scenario is the same short text as the title', () => {
    expect(
      repairToolInput('{"scenario":null}', memory({ title: text, context: text, scenario: text }), CONTEXT),
    ).toEqual({
      input: JSON.stringify({ scenario: CONTEXT, title: CONTEXT, context: CONTEXT }),
      repairs: ['enriched:title', 'enriched:context', 'enriched:scenario'],
    });
  });

  test('BYOK-46 what the model wrote stays, from 20 characters of content on', () => {
    const input = '{"title":"Tabs","content":"12345678901234567890","context":"x"}';

    expect(repairToolInput(input, memory({ title: text, content: text, context: text }), CONTEXT)).toEqual({
      input,
      repairs: [],
    });
  });

  test('BYOK-46 fields that the schema does not declare as text, and other tools, are not enriched', () => {
    const fields = { title: text, content: text, context: text };

    expect(repairToolInput('{}', memory({ content: { type: 'array' }, tags: text }), CONTEXT).input).toBe('{}');
    expect(repairToolInput('{}', tool(fields), CONTEXT).input).toBe('{}');
  });

  test('a default that the schema gives for a required field is not replaced, and without a context nothing is', () => {
    const titled = memory({ title: { type: 'string', default: 'Note' }, content: text }, ['title', 'content']);

    expect(repairToolInput('{"content":"12345678901234567890"}', titled, CONTEXT)).toEqual({
      input: '{"content":"12345678901234567890","title":"Note"}',
      repairs: ['filled:title'],
    });
    expect(repairToolInput('{"title":"a"}', titled, ' ')).toEqual({
      input: '{"title":"a","content":""}',
      repairs: ['filled:content'],
    });
  });
});
