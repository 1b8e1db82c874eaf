import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseToolDefinitions } from './parse-tool-definitions.ts';

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const NO_PARAMETERS = { type: 'object', properties: {} };
const READ_FILE = { name: 'read-file', description: 'Reads a file.', inputSchema: SCHEMA };

const openAi = { type: 'function', function: { name: 'read-file', description: 'Reads a file.', parameters: SCHEMA } };
const anthropic = { name: 'read-file', description: 'Reads a file.', input_schema: SCHEMA };
const wire = { name: 'read-file', description: 'Reads a file.', input_schema_json: JSON.stringify(SCHEMA) };

test('COMPAT-55 a tool in the shape of OpenAI Chat is understood', () => {
  expect(parseToolDefinitions([openAi])).toEqual([READ_FILE]);
});

test('a tool in the flat shape of OpenAI Responses is understood', () => {
  const flat = { type: 'function', name: 'read-file', description: 'Reads a file.', parameters: SCHEMA, strict: true };

  expect(parseToolDefinitions([flat])).toEqual([{ ...READ_FILE, strict: true }]);
});

test('COMPAT-56 a tool with an object under input_schema is understood', () => {
  expect(parseToolDefinitions([anthropic])).toEqual([READ_FILE]);
});

test('COMPAT-57 a tool of which only name and description are known takes no parameters', () => {
  expect(parseToolDefinitions([{ name: 'list-tasks', description: 'Lists tasks.' }, { name: 'stop' }])).toEqual([
    { name: 'list-tasks', description: 'Lists tasks.', inputSchema: NO_PARAMETERS },
    { name: 'stop', description: '', inputSchema: NO_PARAMETERS },
  ]);
});

test('COMPAT-58 a wrapped tool is understood by what is inside, whatever shape that has', () => {
  const wrapped = [
    { definition: anthropic },
    { definition: openAi },
    { tool_definition: wire, remote_tool_id: 1 },
    { definition: { definition: wire } },
  ];

  expect(parseToolDefinitions(wrapped)).toEqual([READ_FILE, READ_FILE, READ_FILE, READ_FILE]);
});

test('COMPAT-59 a tool with its schema as JSON text is understood, with and without tool_safety', () => {
  expect(parseToolDefinitions([wire, { ...wire, tool_safety: 1 }])).toEqual([READ_FILE, READ_FILE]);
});

test('COMPAT-60 all shapes may stand in one list; order is kept and entries without a name are left out', () => {
  const renamed = (name: string) => ({ ...READ_FILE, name });

  expect(
    parseToolDefinitions([
      { type: 'function', function: { ...openAi.function, name: 'a' } },
      { description: 'nameless', input_schema: SCHEMA },
      { ...anthropic, name: 'b' },
      { name: 'c', description: 'Reads a file.' },
      { type: 'function', function: { description: 'nameless too' } },
      { definition: { ...anthropic, name: 'd' } },
      { name: '  ' },
      { ...wire, name: 'e' },
      null,
      'read-file',
      7,
      [],
    ]),
  ).toEqual([renamed('a'), renamed('b'), { ...renamed('c'), inputSchema: NO_PARAMETERS }, renamed('d'), renamed('e')]);
});

const unreadable = [
  { input_schema_json: '{"type":' },
  { input_schema_json: '' },
  { input_schema_json: '"text"' },
  { input_schema: null },
  { input_schema: [] },
  { input_schema: {} },
  { input_schema: { type: 'object' } },
  { input_schema: { type: 'string' } },
  { input_schema: { type: 'object', properties: null } },
  { parameters: null },
  {},
];

test.each(unreadable)('COMPAT-67 a tool with the schema %j is offered without parameters', (schema) => {
  expect(parseToolDefinitions([{ name: 'stop', description: 'Stops.', ...schema }])).toEqual([
    { name: 'stop', description: 'Stops.', inputSchema: { type: 'object', properties: {} } },
  ]);
});

test('a schema that only leaves out that it is an object, or may be null as well, keeps the rest', () => {
  const { type: _, ...untyped } = SCHEMA;

  expect(
    parseToolDefinitions([
      { name: 'a', input_schema: untyped },
      { name: 'b', input_schema: { ...SCHEMA, type: ['object', 'null'] } },
    ]).map((tool) => tool.inputSchema),
  ).toEqual([SCHEMA, SCHEMA]);
});

test('COMPAT-68 codebase-retrieval without parameters is offered with a required information_request', () => {
  const withRequest = {
    type: 'object',
    properties: {
      information_request: { type: 'string', description: 'What to find in the code base, in plain words.' },
    },
    required: ['information_request'],
  };

  for (const entry of [{}, { input_schema: NO_PARAMETERS }, { input_schema_json: 'not JSON' }])
    expect(parseToolDefinitions([{ name: 'codebase-retrieval', description: 'Finds code.', ...entry }])).toEqual([
      { name: 'codebase-retrieval', description: 'Finds code.', inputSchema: withRequest },
    ]);
  expect(parseToolDefinitions([{ ...anthropic, name: 'codebase-retrieval' }])[0]?.inputSchema).toEqual(SCHEMA);
});

test('what is not a list holds no tools', () => {
  expect([undefined, null, {}, 'tools', 3].map(parseToolDefinitions)).toEqual([[], [], [], [], []]);
});

test('whatever a client sends, each tool that comes out has a name and a schema for an object', () => {
  const key = fc.constantFrom(
    'name',
    'function',
    'definition',
    'parameters',
    'input_schema',
    'input_schema_json',
    'type',
    'properties',
    'constructor',
    '__proto__',
  );
  const { entry } = fc.letrec((tie) => ({
    entry: fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 1 }), fc.dictionary(key, tie('entry'))),
  }));

  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), (list) => {
      for (const { name, description, inputSchema } of parseToolDefinitions(list)) {
        expect(name.trim()).not.toBe('');
        expect(typeof description).toBe('string');
        expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
      }
    }),
    { seed: 1, numRuns: 100 },
  );
});

test('a name longer than any provider takes is none', () => {
  const named = (name: string) => ({ ...anthropic, name });

  expect(parseToolDefinitions([named('x'.repeat(128)), named('x'.repeat(129))])).toEqual([
    { ...READ_FILE, name: 'x'.repeat(128) },
  ]);
});

test('a schema in text that is nested too deep is the empty one', () => {
  const deep = `{"type":"object","properties":{"path":{"enum":${'['.repeat(200)}${']'.repeat(200)}}}}`;

  expect(parseToolDefinitions([{ ...wire, input_schema_json: deep }])).toEqual([
    { ...READ_FILE, inputSchema: NO_PARAMETERS },
  ]);
});

test('the schemas in texts share what they may hold', () => {
  const large = { ...SCHEMA, properties: { path: { enum: Array(60_000).fill(0) } } };
  const tool = { ...wire, input_schema_json: JSON.stringify(large) };

  expect(parseToolDefinitions([tool, tool, wire]).map(({ inputSchema }) => inputSchema)).toEqual([
    large,
    NO_PARAMETERS,
    SCHEMA,
  ]);
});
