import type { ToolDefinition } from '@dragoman/protocol';
import { isJsonObject, type JsonObject, ownValue, parseJson } from './json-object.ts';

/** A custom tool takes free text; a function that stands for it takes the text as its one argument. */
const INPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
};

/**
 * A custom tool as a function with one string.
 *
 * `format` may hold a grammar. Its own provider makes the model keep to it; here the model is told.
 */
export function customToolDefinition(name: string, description: string, format: unknown): ToolDefinition {
  const grammar = ownValue(format, 'type') === 'grammar' ? grammarText(ownValue(format, 'grammar') ?? format) : '';
  return { name, description: [description, grammar].filter(Boolean).join('\n\n'), inputSchema: INPUT_SCHEMA };
}

/** The arguments of that function. */
export function toCustomArguments(input: string): string {
  return JSON.stringify({ input });
}

/** The text in arguments that do not begin as the schema wants: another name for it, or the bare text. */
export function looseCustomInput(args: string): string {
  const value = parseJson(args);
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return args;
  const input = ownValue(value, 'input');
  if (typeof input === 'string') return input;
  const only = Object.values(value);
  return only.length === 1 && typeof only[0] === 'string' ? only[0] : only.length === 0 ? '' : args;
}

function grammarText(grammar: unknown): string {
  const definition = ownValue(grammar, 'definition');
  if (typeof definition !== 'string' || definition === '') return '';
  const kind = ownValue(grammar, 'syntax') === 'regex' ? 'match this regular expression' : 'follow this Lark grammar';
  return `The input must ${kind}:\n${definition}`;
}
