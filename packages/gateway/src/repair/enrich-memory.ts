import { type JsonObject, ownValue } from '../tools/json-object.ts';
import { propertySchema, schemaTypes } from './json-schema.ts';

const TITLE_FIELDS = ['title', 'name', 'summary'];
const CONTENT_FIELDS = ['memory', 'content', 'text'];
const SCENARIO_FIELDS = ['context', 'scenario'];

const TITLE_LENGTH = 80;
/** Content below this says too little to be worth remembering. */
const MIN_CONTENT_LENGTH = 20;
/** A memory is read in every later conversation; nobody wants a pasted file there. */
const MAX_CONTEXT_LENGTH = 2_000;

/** A tool that keeps something for later conversations, by its name or description. */
export function isMemoryTool(name: string, description = ''): boolean {
  return /memory|remember/i.test(name) || /memory|remember/i.test(description);
}

/**
 * The arguments of a memory tool, with the fields that the model left empty filled from what the user said.
 *
 * Models call such tools with hardly any content, and an empty memory is worse than none: it is shown again for ever.
 * Only text fields that the schema declares are filled, and what the model wrote stays.
 */
export function enrichMemory(
  args: JsonObject,
  schema: unknown,
  contextText: string,
  note: (repair: string) => void,
): JsonObject {
  const context = contextText.trim();
  if (context === '') return args;
  const title = firstCharacters(context, TITLE_LENGTH);
  const enriched: Record<string, unknown> = { ...args };
  const fill = (fields: string[], text: string, minLength: number) => {
    for (const field of fields) {
      if (!isTextField(schema, field) || !isShorter(ownValue(args, field), minLength)) continue;
      enriched[field] = text;
      note(`enriched:${field}`);
    }
  };

  fill(TITLE_FIELDS, title, 1);
  fill(CONTENT_FIELDS, memoryText(firstCharacters(context, MAX_CONTEXT_LENGTH)), MIN_CONTENT_LENGTH);
  fill(SCENARIO_FIELDS, title, 1);
  return enriched;
}

/** In the language of the context, as far as that is Chinese or not. */
function memoryText(context: string): string {
  return /\p{Script=Han}/u.test(context)
    ? `要记住的内容：${context}\n\n使用场景：当后续对话再次涉及该信息时，用于保持一致性与减少重复确认。`
    : `To remember: ${context}\n\nWhen it helps: if this comes up again later, so that answers agree and nothing is asked twice.`;
}

function isTextField(schema: unknown, field: string): boolean {
  const declared = propertySchema(schema, field);
  return declared !== undefined && (schemaTypes(declared) ?? ['string']).includes('string');
}

function isShorter(value: unknown, minLength: number): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'string' && value.trim().length < minLength;
}

/** Without half an emoji at the end. */
function firstCharacters(text: string, count: number): string {
  return text.slice(0, count).replace(/[\uD800-\uDBFF]$/, '');
}
