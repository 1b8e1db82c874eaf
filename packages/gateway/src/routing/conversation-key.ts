import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ModelMessage } from '@dragoman/protocol';
import type { CallOwner } from '../metering/note-call.ts';

/** Headers in which clients name their conversation or session. */
const HEADERS = [
  'session_id',
  'session-id',
  'conversation_id',
  'conversation-id',
  'x-session-id',
  'x-conversation-id',
  'x-claude-code-session-id',
  'x-opencode-session',
  'x-session-affinity',
] as const;
/** The same in their bodies. */
const FIELDS = ['prompt_cache_key', 'conversation_id', 'conversation', 'session_id'] as const;
/** Where the beginning of a conversation stands, in every dialect. */
const RULES = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const;
const TURNS = ['messages', 'input', 'contents'] as const;

/** Of each of the texts; the beginning of a conversation does not change, and what is longer is like no other. */
const MOST_CHARACTERS = 4_096;

/** What of a client's request tells its conversation. */
export interface ConversationClues {
  owner: CallOwner;
  headers: IncomingHttpHeaders;
  /** In the client's own dialect. */
  body: unknown;
}

/**
 * A name for the conversation that a request belongs to: the one that the client gives it, else one made from how it begins.
 * Equal conversations of two clients are two.
 */
export function conversationKey({ owner, headers, body }: ConversationClues): string | undefined {
  const fields = isRecord(body) ? body : {};
  const id = HEADERS.map((name) => headers[name]).find(isName) ?? FIELDS.map((name) => idIn(fields[name])).find(isName);
  if (id !== undefined) return hash(owner, [id]);
  // Some clients name the session here, and others only the person.
  const person = isRecord(fields['metadata']) ? fields['metadata']['user_id'] : undefined;
  const begins = beginningOf(fields);
  return begins === undefined ? undefined : hash(owner, [isName(person) ? person : '', ...begins]);
}

/** The same for a prompt that has no dialect. */
export function promptKey(owner: CallOwner, prompt: readonly ModelMessage[]): string | undefined {
  const begins = beginningOf({ messages: prompt });
  return begins === undefined ? undefined : hash(owner, begins);
}

/** The system prompt and what the user said first; nothing where there is no user. */
function beginningOf(fields: Readonly<Record<string, unknown>>): [string, string] | undefined {
  // An Augment client sends what was said before beside its new message.
  const history = fields['chat_history'];
  if (Array.isArray(history)) {
    const first: unknown = history[0] ?? { request_message: fields['message'], request_nodes: fields['nodes'] };
    const said = isRecord(first) ? textIn([first['request_message'], first['request_nodes']]) : '';
    return said === '' ? undefined : ['', said];
  }
  let rules = RULES.map((name) => textIn(fields[name])).join('\n');
  const turns = TURNS.map((name) => fields[name]).find((value) => value !== undefined);
  if (typeof turns === 'string') return [rules, turns.slice(0, MOST_CHARACTERS)];
  if (!Array.isArray(turns)) return undefined;
  for (const turn of turns as unknown[]) {
    if (!isRecord(turn)) continue;
    const { role = 'user' } = turn;
    if (role === 'user') return [rules, textIn(turn)];
    if (role !== 'system' && role !== 'developer') return undefined;
    rules += `\n${textIn(turn)}`;
  }
  return undefined;
}

/** The texts of a message, however they are wrapped. Marks beside them, such as for a cache, change from turn to turn. */
function textIn(value: unknown, most = MOST_CHARACTERS): string {
  if (typeof value === 'string') return value.slice(0, most);
  if (Array.isArray(value)) {
    let text = '';
    for (const item of value as unknown[]) {
      if (text.length >= most) break;
      text += textIn(item, most - text.length);
    }
    return text;
  }
  if (!isRecord(value)) return '';
  const { content, parts, text, text_node: node } = value;
  return textIn([content, parts, text, isRecord(node) ? node['content'] : undefined], most);
}

function idIn(value: unknown): unknown {
  return isRecord(value) ? value['id'] : value;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1_024;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hash({ userId, tokenName }: CallOwner, parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([userId, tokenName, ...parts]))
    .digest('base64url');
}
