import { isJsonObject, type JsonObject } from '../tools/json-object.ts';
import { type MarkedCall, takesOpenAiCaching } from './mark-prompt.ts';
import { openAiModel } from './openai-responses/openai-model.ts';

/** How one of OpenAI's protocols writes a conversation. */
export interface OpenAiShape {
  /** Where it stands. */
  field: 'messages' | 'input';
  partType: 'text' | 'input_text';
  /** Where an item has what was said to the model; nothing for what the model said. */
  saidIn(item: JsonObject): 'content' | 'output' | undefined;
}

/** So many places before the last answer are marked: one of them is where the call before this one ended. */
const MARKED_BEFORE = 2;

/**
 * A request that names its conversation to the cache and, for models that read from marks only, marks the system prompt
 * and where the conversation ended when it was last asked. The service marks its present end itself.
 *
 * Fields of the client win.
 */
export function markOpenAiPrompt(body: JsonObject, call: MarkedCall, shape: OpenAiShape): JsonObject {
  const items = body[shape.field];
  if (items === undefined || !takesOpenAiCaching(call.target.provider)) return body;
  const sent: Record<string, unknown> = { ...body };
  sent['prompt_cache_key'] ??= call.conversation();
  const isOpen = Array.isArray(items) && body['prompt_cache_options'] === undefined && !items.some(hasBreakpoint);
  if (!isOpen || !openAiModel(call.target.model, undefined).readsFromBreakpoints) return sent;
  if (call.isOneOff) sent['prompt_cache_options'] = { mode: 'explicit' };
  return { ...sent, [shape.field]: withBreakpoints(items, call.isOneOff, shape) };
}

function withBreakpoints(items: readonly unknown[], isOneOff: boolean, shape: OpenAiShape): unknown[] {
  const said = items.map((item) => (isJsonObject(item) ? shape.saidIn(item) : undefined));
  const answer = said.lastIndexOf(undefined);
  const system = items.findIndex((item) => !isJsonObject(item) || !isSystem(item));
  const before = said.flatMap((field, index) => (field !== undefined && index < answer ? [index] : []));
  const marked = new Set([
    (system === -1 ? items.length : system) - 1,
    ...(isOneOff ? [] : before.slice(-MARKED_BEFORE)),
  ]);
  return items.map((item, index) =>
    said[index] === undefined ? item : withParts(item as JsonObject, said[index], shape.partType, marked.has(index)),
  );
}

/** Only parts can be marked. All are parts then: an item looks the same in the turn that marks it and in the others. */
function withParts(item: JsonObject, field: string, type: string, isMarked: boolean): JsonObject {
  const said = item[field];
  const parts: unknown = typeof said === 'string' ? [{ type, text: said }] : said;
  if (!Array.isArray(parts)) return item;
  const last: unknown = parts.at(-1);
  if (!isMarked || !isJsonObject(last)) return { ...item, [field]: parts };
  return { ...item, [field]: parts.with(-1, { ...last, prompt_cache_breakpoint: { mode: 'explicit' } }) };
}

function isSystem({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer';
}

function hasBreakpoint(item: unknown): boolean {
  if (!isJsonObject(item)) return false;
  return [item['content'], item['output']].some(
    (parts) => Array.isArray(parts) && parts.some((part) => isJsonObject(part) && part['prompt_cache_breakpoint']),
  );
}
