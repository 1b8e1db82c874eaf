import type { PrimitiveSchemaDefinition } from '@modelcontextprotocol/client';

/** What an MCP server may be given for a field. */
export type FieldValue = string | number | boolean | string[];

/** One of the answers that a field offers. */
interface FieldChoice {
  value: string | boolean;
  name: string;
}

/** A field of a form, as a person is asked for it. */
export interface FormField {
  name: string;
  label: string;
  description: string;
  isRequired: boolean;
  /** `choices` takes several of them. */
  kind: 'text' | 'number' | 'choice' | 'choices';
  choices: readonly FieldChoice[];
  default: FieldValue | undefined;
  /** As the server wrote it, for what an answer has to keep to. */
  schema: PrimitiveSchemaDefinition;
}

/** Reads a field in any of the forms that the protocol has had for it. */
export function formField(name: string, schema: PrimitiveSchemaDefinition, isRequired: boolean): FormField {
  const { title = name, description = '' } = schema;
  return {
    name,
    label: title === '' ? name : title,
    description,
    isRequired,
    kind: kindOf(schema),
    choices: choicesOf(schema),
    default: schema.default,
    schema,
  };
}

function kindOf(schema: PrimitiveSchemaDefinition): FormField['kind'] {
  if (schema.type === 'array') return 'choices';
  if (schema.type === 'boolean' || 'enum' in schema || 'oneOf' in schema) return 'choice';
  return schema.type === 'string' ? 'text' : 'number';
}

function choicesOf(schema: PrimitiveSchemaDefinition): FieldChoice[] {
  if (schema.type === 'boolean')
    return [
      { value: true, name: 'Yes' },
      { value: false, name: 'No' },
    ];
  if (schema.type === 'array')
    return 'anyOf' in schema.items ? titled(schema.items.anyOf) : schema.items.enum.map(untitled);
  if ('oneOf' in schema) return titled(schema.oneOf);
  if (!('enum' in schema)) return [];
  const names: readonly string[] = 'enumNames' in schema ? (schema.enumNames ?? []) : [];
  return schema.enum.map((value, index) => ({ value, name: names[index] ?? value }));
}

function titled(choices: readonly { const: string; title: string }[]): FieldChoice[] {
  return choices.map(({ const: value, title }) => ({ value, name: title }));
}

function untitled(value: string): FieldChoice {
  return { value, name: value };
}
