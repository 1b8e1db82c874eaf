import type { Json } from './asked.ts';

/** A value that a JSON schema takes, also in the words that Gemini has for one. */
export function exampleOf(schema: Json): unknown {
  const { enum: choices, anyOf } = schema as { enum?: unknown[]; anyOf?: Json[] };
  if (choices !== undefined) return choices[0];
  if (anyOf !== undefined) return exampleOf(anyOf[0]!);
  switch (String(schema['type']).toLowerCase()) {
    case 'object': {
      const properties = (schema['properties'] ?? {}) as Record<string, Json>;
      return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, exampleOf(inner)]));
    }
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, () => exampleOf(schema['items'] as Json));
    case 'number':
    case 'integer':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return 'A title';
  }
}
