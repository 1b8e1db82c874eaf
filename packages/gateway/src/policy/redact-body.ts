import type { Turns } from '@dragoman/protocol/secrets';
import { isJsonObject, type JsonObject } from '../tools/json-object.ts';
import { inTurns } from './in-turns.ts';
import { each, Redaction } from './redaction.ts';

/** What offers tools. A provider needs the credentials in it to reach a server of tools for the client. */
const DEFINITIONS = new Set(['tools', 'functions', 'mcp_servers']);

/** Never looked into: bytes of files, names by which things are found again, and what a provider made for itself. */
const OPAQUE = new Set([
  'data',
  'url',
  'image_url',
  'file_data',
  'signature',
  'encrypted_content',
  'reasoning_details',
  'id',
  'tool_use_id',
  'tool_call_id',
  'call_id',
  'type',
  'role',
]);

/** What a tool is called with. */
const ARGUMENTS = new Set(['arguments', 'input', 'action', 'operation']);
/** What came of it. */
const OUTPUT = new Set(['output', 'outputs']);

/**
 * A request in its own protocol without its secrets, and how many there were: what `redactCall` does to a call, for a
 * body that is passed on. `said` names the fields that hold the conversation.
 *
 * A person's text keeps words such as `"password": "x"`. Definitions of tools, files and reasoning that its provider
 * signed stay as they are.
 */
export async function redactBody(
  body: JsonObject,
  said: readonly string[],
  signal?: AbortSignal,
): Promise<{ body: JsonObject; count: number }> {
  const redaction = new Redaction();
  const entries = await inTurns(
    each(Object.entries(body), function* ([name, value]): Turns<[string, unknown]> {
      if (said.includes(name)) return [name, yield* withoutSecrets(value, false, redaction)];
      if (name === 'metadata') return [name, yield* redaction.toolValue(value)];
      return [name, DEFINITIONS.has(name) ? value : (yield* redaction.fields({ [name]: value }))[name]];
    }),
    signal,
  );
  return redaction.count === 0 ? { body, count: 0 } : { body: Object.fromEntries(entries), count: redaction.count };
}

function* withoutSecrets(value: unknown, isOfTool: boolean, redaction: Redaction): Turns<unknown> {
  if (typeof value === 'string') return yield* isOfTool ? redaction.toolText(value) : redaction.text(value);
  if (Array.isArray(value)) return yield* each(value, (item) => withoutSecrets(item, isOfTool, redaction));
  if (!isJsonObject(value) || isSigned(value)) return value;
  const isInTool = isOfTool || isToolResult(value);
  const entries = yield* each(Object.entries(value), function* ([key, item]): Turns<[string, unknown]> {
    if (ARGUMENTS.has(key))
      return [key, yield* typeof item === 'string' ? redaction.toolText(item) : redaction.toolValue(item)];
    if (isOpaque(key, value)) return [key, item];
    const field = typeof item === 'string' ? redaction.field(key, item) : item;
    return [key, yield* withoutSecrets(field, isInTool || OUTPUT.has(key), redaction)];
  });
  return Object.fromEntries(entries);
}

/** A document of plain text has it where other documents have their bytes. */
function isOpaque(key: string, { type }: JsonObject): boolean {
  return OPAQUE.has(key) && !(key === 'data' && type === 'text');
}

function isToolResult({ role, type }: JsonObject): boolean {
  return (
    role === 'tool' ||
    role === 'function' ||
    (typeof type === 'string' && /(?:_call|_call_output|tool_result)$/.test(type))
  );
}

/** A changed word would break the signature. */
function isSigned({ type, signature, encrypted_content: encrypted }: JsonObject): boolean {
  return (type === 'thinking' && Boolean(signature)) || (type === 'reasoning' && Boolean(encrypted));
}
