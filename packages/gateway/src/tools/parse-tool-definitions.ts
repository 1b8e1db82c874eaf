import { boundedJsonParser, type ToolDefinition } from '@dragoman/protocol';
import { isJsonObject, type JsonObject, ownValue } from './json-object.ts';
import { MAX_TOOL_NAME } from './tool-name.ts';

const EMPTY_SCHEMA: JsonObject = { type: 'object', properties: {} };

/** What the retrieval tool wants when a client leaves its parameters out: without them a model has nothing to fill in. */
const RETRIEVAL_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    information_request: {
      type: 'string',
      description: 'What to find in the code base, in plain words.',
    },
  },
  required: ['information_request'],
};

/** Keys under which a whole definition may stand: OpenAI Chat's, and those of wrapped lists. */
const WRAPPERS = ['function', 'definition', 'tool_definition'];

/** Keys under which a schema may stand: OpenAI's, Anthropic's, and Augment's, which is JSON text. */
const SCHEMA_KEYS = ['parameters', 'input_schema', 'input_schema_json'];

/**
 * Tool definitions in any of the shapes that clients send, mixed or not, in their order.
 *
 * One bad tool must not cost the user the whole request, so an entry without a name is left out, and a schema that cannot
 * be read is the empty one.
 */
export function parseToolDefinitions(list: unknown): ToolDefinition[] {
  if (!Array.isArray(list)) return [];
  return list.map(toolDefinitionParser()).filter((tool) => tool !== undefined);
}

/** The same for one tool after the other of a request. */
export function toolDefinitionParser(): (entry: unknown) => ToolDefinition | undefined {
  const parseJson = boundedJsonParser();
  return (entry) => {
    const fields = unwrap(entry);
    const name = ownValue(fields, 'name');
    if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_TOOL_NAME) return undefined;
    const description = ownValue(fields, 'description');
    return {
      name,
      description: typeof description === 'string' ? description : '',
      inputSchema: inputSchema(name, fields, parseJson),
      ...(ownValue(fields, 'strict') === true ? { strict: true } : {}),
    };
  };
}

function unwrap(entry: unknown): unknown {
  let inner = entry;
  while (ownValue(inner, 'name') === undefined) {
    const wrapper = WRAPPERS.find((key) => isJsonObject(ownValue(inner, key)));
    if (wrapper === undefined) return inner;
    inner = ownValue(inner, wrapper);
  }
  return inner;
}

function inputSchema(name: string, fields: unknown, parseJson: (text: string) => unknown): JsonObject {
  const schemas = SCHEMA_KEYS.map((key) => ownValue(fields, key)).map((value) =>
    readSchema(typeof value === 'string' ? parseJson(value) : value),
  );
  const schema = schemas.find((candidate) => candidate !== undefined) ?? EMPTY_SCHEMA;
  const hasProperties = Object.keys(schema['properties'] as JsonObject).length > 0;
  return name === 'codebase-retrieval' && !hasProperties ? RETRIEVAL_SCHEMA : schema;
}

/** Upstreams refuse a schema that is not an object's, or that has no `properties`; one that has both stays as it came. */
function readSchema(schema: unknown): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { type, properties } = schema;
  if (type === 'object' && isJsonObject(properties)) return schema;
  const isForObject = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!isForObject) return undefined;
  return { ...schema, type: 'object', properties: isJsonObject(properties) ? properties : {} };
}
