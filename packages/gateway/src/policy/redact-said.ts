import type { Turns } from '@dragoman/protocol/secrets';
import { isJsonObject, type JsonObject } from '../tools/json-object.ts';
import { each, type Redaction } from './redaction.ts';

/** Where a value stands. */
interface Place {
  /** The field that it, or the list that it is in, is the value of. */
  name: string;
  /** Whether a tool was given it or answered it. */
  isOfTool: boolean;
  /** Whether the thought that it is a part of is signed. */
  isSigned: boolean;
}

/** What a tool is called with. */
const ARGUMENTS = new Set(['arguments', 'args', 'input', 'action', 'operation']);
/** What came of it. */
const OUTPUT = new Set(['output', 'outputs']);
/** What a result stands in that is an object. */
const RESPONSES = new Set(['functionResponse', 'function_response']);
/** Where the text of a thought stands that is signed as a whole. */
const THOUGHT = new Set(['summary', 'content']);
/** The parts of a thought, as a provider of OpenAI's older protocol streams them. */
const DETAILS = new Set(['reasoning_details', 'reasoningDetails']);

/** What the address of a file stands in. */
const FILE_ADDRESSES = new Set(['image_url', 'audio_url', 'video_url']);

/**
 * Texts that a provider needs as they are, by the names of their fields: a file, or the address that it is fetched from, and
 * what the provider made for itself. Nothing else in a conversation is left alone.
 */
const EXEMPT: Readonly<Record<string, (within: JsonObject, place: Place) => boolean>> = {
  data: ({ type }, { name }) =>
    (name === 'source' && type === 'base64') ||
    name === 'input_audio' ||
    name === 'inlineData' ||
    name === 'inline_data' ||
    type === 'redacted_thinking' ||
    (DETAILS.has(name) && type === 'reasoning.encrypted'),
  url: ({ type }, { name }) => FILE_ADDRESSES.has(name) || (name === 'source' && type === 'url'),
  image_url: ({ type }) => type === 'input_image' || type === 'image_url' || type === 'computer_screenshot',
  file_data: ({ type }, { name }) => type === 'input_file' || name === 'file',
  file_url: ({ type }) => type === 'input_file',
  fileUri: (_, { name }) => name === 'fileData' || name === 'file_data',
  file_uri: (_, { name }) => name === 'fileData' || name === 'file_data',
  result: ({ type }) => type === 'image_generation_call',
  signature: ({ type }, { name }) => type === 'thinking' || DETAILS.has(name) || name === 'anthropic',
  thinking: ({ type, signature }) => type === 'thinking' && isSignature(signature),
  redactedData: (_, { name }) => name === 'anthropic',
  thoughtSignature: (_, { name }) => name === 'google' || name === 'parts',
  thought_signature: (_, { name }) => name === 'google' || name === 'parts',
  encryptedContent: (_, { name }) => name === 'openai',
  encrypted_content: ({ type }) => type === 'reasoning' || type === 'compaction' || type === 'web_search_result',
  encrypted_index: ({ type }) => type === 'web_search_result_location',
  text: (within, { isSigned }) => isSigned || isSignedThought(within),
  summary: (_, { isSigned }) => isSigned,
};

/** Whether this is what a provider signed a thought with. */
export function isSignature(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** A piece of a conversation, in whatever protocol, without its secrets: every text and every name but those that are exempt. */
export function* redactSaid(value: unknown, redaction: Redaction, place: Partial<Place> = {}): Turns<unknown> {
  return yield* redact(value, redaction, { name: '', isOfTool: false, isSigned: false, ...place });
}

function* redact(value: unknown, redaction: Redaction, place: Place): Turns<unknown> {
  if (typeof value === 'string') return yield* place.isOfTool ? redaction.toolText(value) : redaction.text(value);
  if (Array.isArray(value)) {
    const signed = DETAILS.has(place.name) ? signedThoughts(value) : undefined;
    return yield* each(value, (item: unknown) =>
      redact(item, redaction, signed === undefined ? place : { ...place, isSigned: signed.has(thoughtOf(item)) }),
    );
  }
  if (!isJsonObject(value)) return value;
  const isOfTool = place.isOfTool || isToolResult(value);
  const isSigned = place.isSigned || (value['type'] === 'reasoning' && isSignature(value['encrypted_content']));
  const entries = yield* each(Object.entries(value), function* ([key, item]): Turns<[string, unknown]> {
    const name = yield* redaction.name(key);
    if (ARGUMENTS.has(key) || (key === 'response' && RESPONSES.has(place.name)))
      return [name, yield* typeof item === 'string' ? redaction.toolText(item) : redaction.toolValue(item)];
    if (key === 'images' && typeof value['role'] === 'string') return [name, item]; // The bytes of files, as Ollama has it.
    if (typeof item === 'string' && Object.hasOwn(EXEMPT, key) && EXEMPT[key]!(value, place)) return [name, item];
    const within = { name: key, isOfTool: isOfTool || OUTPUT.has(key), isSigned: isSigned && THOUGHT.has(key) };
    return [name, yield* redact(typeof item === 'string' ? redaction.field(key, item) : item, redaction, within)];
  });
  return Object.fromEntries(entries);
}

function isSignedThought({ thought, thoughtSignature, thought_signature: signature }: JsonObject): boolean {
  return thought === true && (isSignature(thoughtSignature) || isSignature(signature));
}

function isToolResult({ role, type }: JsonObject): boolean {
  return (
    role === 'tool' ||
    role === 'function' ||
    (typeof type === 'string' && /(?:_call|_call_output|tool_result)$/.test(type))
  );
}

/** Which thoughts of a list are signed. The signature of one may come in a piece of its own, behind its text. */
function signedThoughts(details: readonly unknown[]): Set<unknown> {
  return new Set(details.filter((detail) => isJsonObject(detail) && isSignature(detail['signature'])).map(thoughtOf));
}

function thoughtOf(detail: unknown): unknown {
  return isJsonObject(detail) ? detail['index'] : detail;
}
