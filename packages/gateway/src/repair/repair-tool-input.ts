import { isJsonObject, isParsable, type JsonObject, ownValue, parseJson } from '../tools/json-object.ts';
import { conformToSchema } from './conform-to-schema.ts';
import { enrichMemory, isMemoryTool } from './enrich-memory.ts';
import { propertySchema } from './json-schema.ts';
import { mendJsonObject } from './mend-json-object.ts';

/** The tool a call names, and what the client said of it. */
export interface CalledTool {
  name: string;
  schema?: JsonObject | undefined;
  description?: string | undefined;
}

export interface RepairedInput {
  /** The text of a JSON object, always. */
  input: string;
  /** What was done, such as `filled:path`; empty when the input is as the model wrote it. */
  repairs: string[];
}

/**
 * A tool call's arguments in a state in which the client can use them.
 *
 * An Augment client ends the whole turn over arguments that it cannot parse, and a missing one costs the model a round,
 * so the text is mended, then filled from the tool's schema. Valid arguments come out as the text that went in. No text
 * at all is how several upstreams write "no arguments", and no repair.
 */
export function repairToolInput(input: string, tool: CalledTool | undefined, contextText: string): RepairedInput {
  if (!isParsable(input)) return { input, repairs: [] };
  const repairs = new Set<string>();
  const note = (repair: string) => void repairs.add(repair);

  let args = readArguments(input, note);
  if (tool !== undefined) {
    args = passQueryOn(args, tool, note);
    args = conformToSchema(args, tool.schema, note);
    if (isMemoryTool(tool.name, tool.description))
      args = enrichMemory(args, tool.schema, contextText, (repair) => {
        repairs.delete(repair.replace('enriched:', 'filled:'));
        note(repair);
      });
  }
  if (repairs.size === 0) return { input: input.trim() === '' ? '{}' : input, repairs: [] };
  return writeArguments(args, repairs) ?? { input, repairs: [] };
}

function readArguments(input: string, note: (repair: string) => void): JsonObject {
  const parsed = parseJson(input);
  if (isJsonObject(parsed)) return parsed;
  if (input.trim() === '') return {};
  note('mended-json');
  // Some models write the object as a string in JSON.
  return mendJsonObject(typeof parsed === 'string' ? parsed : input);
}

/** Models ask the retrieval tool for a `query`, which is what most tools of its kind take. */
function passQueryOn(args: JsonObject, tool: CalledTool, note: (repair: string) => void): JsonObject {
  if (tool.name !== 'codebase-retrieval') return args;
  const { query, ...others } = args;
  const request = ownValue(args, 'information_request');
  const isAsked = typeof query === 'string' && query.trim() !== '' && (request ?? '') === '';
  const takesQuery = propertySchema(tool.schema, 'query') !== undefined;
  const takesRequest = propertySchema(tool.schema, 'information_request') !== undefined;
  if (!isAsked || (takesQuery && !takesRequest)) return args;
  note('alias:query');
  return { ...(takesQuery ? args : others), information_request: query };
}

/** Nothing where the arguments are nested too deeply to be written again; then they were valid as they came. */
function writeArguments(args: JsonObject, repairs: Set<string>): RepairedInput | undefined {
  try {
    return { input: JSON.stringify(args), repairs: [...repairs] };
  } catch {
    return undefined;
  }
}
