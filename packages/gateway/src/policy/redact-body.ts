import type { Turns } from '@dragoman/protocol/secrets';
import { inTurns } from '@dragoman/server';
import type { JsonObject } from '../tools/json-object.ts';
import { redactSaid } from './redact-said.ts';
import { each, Redaction } from './redaction.ts';

/** What offers tools. A provider needs the credentials in it to reach a server of tools for the client. */
const DEFINITIONS = new Set(['tools', 'functions', 'mcp_servers']);
/** Where Ollama's clients put the bytes of images. */
const IMAGES = 'images';

/**
 * A request in its own protocol without its secrets, and how many there were: what `redactCall` does to a call, for a
 * body that is passed on. `said` names the fields that hold the conversation.
 *
 * A person's text keeps words such as `"password": "x"`. Definitions of tools, files and reasoning that its provider
 * signed stay as they are; nothing else does, whatever it is for.
 */
export async function redactBody(
  body: JsonObject,
  said: readonly string[],
  signal?: AbortSignal,
): Promise<{ body: JsonObject; count: number }> {
  const redaction = new Redaction();
  const entries = await inTurns(
    each(Object.entries(body), function* ([name, value]): Turns<[string, unknown]> {
      if (DEFINITIONS.has(name) || name === IMAGES) return [name, value];
      if (typeof value === 'number' || typeof value === 'boolean') return [yield* redaction.name(name), value];
      if (said.includes(name)) return [name, yield* redactSaid(value, redaction)];
      if (name === 'metadata') return [name, yield* redaction.toolValue(value)];
      return Object.entries<unknown>(yield* redaction.value({ [name]: value }))[0]!;
    }),
    signal,
  );
  return redaction.count === 0 ? { body, count: 0 } : { body: Object.fromEntries(entries), count: redaction.count };
}
