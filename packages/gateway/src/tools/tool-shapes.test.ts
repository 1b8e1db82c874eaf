import { expect, test } from 'vitest';
import { indexToolDefinitions } from './index-tool-definitions.ts';
import { parseToolDefinitions } from './parse-tool-definitions.ts';
import { augmentToolsToAnthropic, toAnthropicTool } from './to-anthropic-tool.ts';
import { toAugmentTool } from './to-augment-tool.ts';
import { augmentToolsToOpenAi, toOpenAiTool } from './to-openai-tool.ts';

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const SCHEMA_JSON = '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}';

const augment = { name: 'view', description: 'Shows a file.', input_schema_json: SCHEMA_JSON, tool_safety: 1 };
const openAi = { type: 'function', function: { name: 'view', description: 'Shows a file.', parameters: SCHEMA } };
const anthropic = { name: 'view', description: 'Shows a file.', input_schema: SCHEMA };

test('COMPAT-61 an Augment tool becomes an OpenAI function with its schema as parameters', () => {
  expect(parseToolDefinitions([augment]).map(toOpenAiTool)).toEqual([openAi]);
});

test('COMPAT-62 an OpenAI function becomes an Augment tool with its schema as JSON text', () => {
  expect(parseToolDefinitions([openAi]).map((tool) => toAugmentTool(tool))).toEqual([
    { name: 'view', description: 'Shows a file.', input_schema_json: SCHEMA_JSON, tool_safety: 0 },
  ]);
});

test('COMPAT-63 an Augment tool becomes an Anthropic tool with an object schema', () => {
  expect(parseToolDefinitions([augment]).map(toAnthropicTool)).toEqual([anthropic]);
});

test('COMPAT-64 an Anthropic tool becomes an Augment tool with an equal schema, and as safe as the caller says', () => {
  expect(parseToolDefinitions([anthropic]).map((tool) => toAugmentTool(tool, 1))).toEqual([augment]);
});

const MIXED = [
  augment,
  { description: 'nameless' },
  { type: 'function', function: { name: 'stop' } },
  { definition: { ...anthropic, name: 'open' } },
];

test('COMPAT-65 a whole list becomes OpenAI tools in the same order', () => {
  expect(augmentToolsToOpenAi(MIXED)).toEqual([
    openAi,
    { type: 'function', function: { name: 'stop', description: '', parameters: { type: 'object', properties: {} } } },
    { type: 'function', function: { name: 'open', description: 'Shows a file.', parameters: SCHEMA } },
  ]);
});

test('COMPAT-66 a whole list becomes Anthropic tools in the same order', () => {
  expect(augmentToolsToAnthropic(MIXED)).toEqual([
    anthropic,
    { name: 'stop', description: '', input_schema: { type: 'object', properties: {} } },
    { name: 'open', description: 'Shows a file.', input_schema: SCHEMA },
  ]);
});

test('BYOK-47 the tool index finds schema and description by name, for every shape, and has no entry without a name', () => {
  expect([...indexToolDefinitions(parseToolDefinitions(MIXED))]).toEqual([
    ['view', { schema: SCHEMA, description: 'Shows a file.' }],
    ['stop', { schema: { type: 'object', properties: {} }, description: '' }],
    ['open', { schema: SCHEMA, description: 'Shows a file.' }],
  ]);
});
