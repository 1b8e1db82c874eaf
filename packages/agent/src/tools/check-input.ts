import type { z } from 'zod';
import { canonicalJson } from '../turn/canonical-json.ts';
import type { Tool } from './tool.ts';
import { isZod } from './tool-registry.ts';

/** What the model wrote as arguments, as the tool wants it, or what is wrong with it in words for the model. */
export type CheckedInput =
  | { isValid: true; input: Readonly<Record<string, unknown>> }
  | { isValid: false; problem: string };

/** Reads argument text. Nothing at all is an empty object. */
export function parseArguments(raw: string): CheckedInput {
  if (raw.trim() === '') return { isValid: true, input: {} };
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { isValid: true, input: value as Readonly<Record<string, unknown>> };
    return { isValid: false, problem: `The arguments must be a JSON object; they were: ${excerpt(raw)}` };
  } catch (error) {
    return {
      isValid: false,
      problem: `The arguments are not valid JSON (${(error as Error).message}). They were: ${excerpt(raw)}`,
    };
  }
}

/** Checks arguments against the tool's parameters. Foreign schemas are checked by whoever made them; only the outline is here. */
export function checkInput(tool: Tool.Info, input: Readonly<Record<string, unknown>>): CheckedInput {
  const { parameters } = tool;
  if (!isZod(parameters)) return checkOutline(tool.id, parameters, input);
  const parsed = parameters.safeParse(input);
  if (parsed.success) return { isValid: true, input: parsed.data as Readonly<Record<string, unknown>> };
  return {
    isValid: false,
    problem: `The arguments do not fit the tool "${tool.id}": ${parsed.error.issues.map(describe).join('; ')}. They were: ${excerpt(canonicalJson(input))}. Call it again with arguments that fit.`,
  };
}

function checkOutline(
  id: string,
  schema: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): CheckedInput {
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const missing = required.filter((name) => typeof name === 'string' && input[name] === undefined);
  const wrong = [
    ...(missing.length === 0 ? [] : [`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`]),
    ...wrongTypes(schema['properties'], input),
  ];
  if (wrong.length === 0) return { isValid: true, input };
  return {
    isValid: false,
    problem: `The arguments do not fit the tool "${id}": ${wrong.join('; ')}. They were: ${excerpt(canonicalJson(input))}.`,
  };
}

const IS_OF_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  null: (value) => value === null,
};

/** Properties whose plain type is another than the schema says; what it says in other ways is its maker's to check. */
function wrongTypes(properties: unknown, input: Readonly<Record<string, unknown>>): string[] {
  return Object.entries((properties ?? {}) as Record<string, { type?: unknown } | boolean>).flatMap(
    ([name, property]) => {
      const value = input[name];
      const type = typeof property === 'object' ? property?.type : undefined;
      const isRight = typeof type === 'string' ? IS_OF_TYPE[type] : undefined;
      return value === undefined || isRight === undefined || isRight(value)
        ? []
        : [`${name}: expected ${type as string}`];
    },
  );
}

function describe(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}

function excerpt(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}
