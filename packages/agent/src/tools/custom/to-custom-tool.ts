import { z } from 'zod';
import { type JsonSchema, Tool } from '../tool.ts';

/**
 * Makes a tool of what a file exports, or says what is wrong with it.
 *
 * What people write is taken as they meant it: a tool made with `Tool.define`, or a plain object with the same fields;
 * parameters as a schema of zod, as an object of such schemas, or as JSON Schema; a result in full, or only its text.
 */
export function toCustomTool(value: unknown, fallbackId: string): Tool.Info | string {
  if (typeof value !== 'object' || value === null)
    return `Expected an object {description, parameters, execute}; it is ${value === null ? 'null' : `a ${typeof value}`}.`;
  const tool = value as Partial<Readonly<Record<keyof Tool.Info, unknown>>>;
  const id = tool.id ?? fallbackId;
  const { description, execute } = tool;
  if (typeof id !== 'string') return '"id" must be a text.';
  if (typeof description !== 'string' || description.trim() === '')
    return '"description" is missing: a text that tells the model what the tool does and when to use it.';
  if (typeof execute !== 'function') return '"execute" is missing: a function of the input and the context.';
  const parameters = toParameters(tool.parameters);
  if (typeof parameters === 'string') return parameters;
  try {
    return Tool.define({
      ...(value as Tool.ForeignDefinition),
      id,
      description,
      parameters: parameters as JsonSchema,
      execute: async (input, context) => toResult(id, await Reflect.apply(execute, value, [input, context])),
    });
  } catch (error) {
    return (error as Error).message;
  }
}

function toParameters(parameters: unknown): z.ZodType | JsonSchema | string {
  if (parameters === undefined) return z.object({});
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    return '"parameters" is neither a zod schema nor a JSON Schema of an object.';
  if (isZod(parameters)) return isObject(parameters) ? parameters : '"parameters" must be a zod schema of an object.';
  // Older versions have their marks in another place, and cannot be told to a model.
  if ('_def' in parameters) return '"parameters" is a schema of an older zod; use zod 4, or JSON Schema.';
  const fields = Object.values(parameters);
  if (fields.length > 0 && fields.every(isZod)) return z.object(parameters as z.ZodRawShape);
  const { type } = parameters as JsonSchema;
  return type === 'object' || (type === undefined && 'properties' in parameters)
    ? { type: 'object', ...parameters }
    : '"parameters" as JSON Schema must have "type": "object".';
}

/** Told by its marks and not by its class: a tool may come with a copy of zod of its own. */
function isZod(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

function isObject(schema: z.ZodType): boolean {
  try {
    return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })['type'] === 'object';
  } catch {
    return false;
  }
}

function toResult(id: string, value: unknown): Tool.Result {
  if (typeof value === 'string') return { title: id, output: value };
  if (typeof value === 'object' && value !== null && typeof (value as Tool.Result).output === 'string')
    return { title: id, ...(value as Partial<Tool.Result> & Pick<Tool.Result, 'output'>) };
  return { title: id, output: value === undefined ? 'Done.' : JSON.stringify(value, null, 2) };
}
