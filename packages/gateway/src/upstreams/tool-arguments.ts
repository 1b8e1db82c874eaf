import { isJsonObject, parseJson } from '../tools/json-object.ts';

/**
 * A tool call's argument text as an object, for protocols that carry arguments as one.
 *
 * What is not a JSON object goes along as text, so that the model sees what it wrote and what came of it.
 */
export function parseToolArguments(input: string): Readonly<Record<string, unknown>> {
  if (input.trim() === '') return {};
  const value = parseJson(input);
  return isJsonObject(value) ? value : { input };
}
