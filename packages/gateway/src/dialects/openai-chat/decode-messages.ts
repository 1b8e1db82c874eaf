import {
  DragomanError,
  type ModelMessage,
  type PromptFile,
  type PromptReasoning,
  type PromptText,
  type PromptToolCall,
  type PromptToolResult,
} from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { toCustomArguments } from '../../tools/custom-tool.ts';
import type { JsonObject } from '../../tools/json-object.ts';
import type { OfferedTools } from '../../tools/offered-tools.ts';
import { openCallId } from '../../tools/signed-call-id.ts';
import type { ToolNames } from '../../tools/tool-names.ts';
import { cacheOptions } from '../cache-options.ts';
import { detailOptions } from '../openai-settings.ts';
import { parseFileUrl } from '../parse-file-url.ts';
import { fromExtraContent } from './extra-content.ts';
import type { ChatRequestMessage } from './wire.ts';

/** What is known of the calls before a message. */
interface CallsSoFar {
  names: ToolNames;
  /** The names of calls, by their ids. */
  nameOf: Map<string, string>;
  /** The ids that we gave to calls without one, by the name of their function. */
  functionIds: Map<string, string>;
}

/** Results of one round of tools stand together; each knows the name of the call it answers. */
export function decodeMessages(messages: readonly ChatRequestMessage[], offered: OfferedTools): ModelMessage[] {
  const prompt: ModelMessage[] = [];
  const calls: CallsSoFar = { names: offered.names, nameOf: new Map(), functionIds: new Map() };
  for (const [index, message] of messages.entries()) {
    if (message.name && !NAMED.has(message.role)) offered.leaveOut('messages.name');
    switch (message.role) {
      case 'system':
      case 'developer':
        prompt.push({ role: 'system', content: textOf(message), ...cacheOptions(cacheControlOf(message)) });
        break;
      case 'user':
        prompt.push({ role: 'user', content: namedContent(message), ...cacheOptions(message.cache_control) });
        break;
      case 'assistant':
        prompt.push(toAssistant(message, index, calls));
        break;
      case 'tool':
      case 'function': {
        const result = toResult(message, calls);
        const last = prompt.at(-1);
        if (last?.role === 'tool') last.content.push(result);
        else prompt.push({ role: 'tool', content: [result] });
      }
    }
  }
  return prompt;
}

function toAssistant(message: ChatRequestMessage, index: number, calls: CallsSoFar): ModelMessage {
  const made = (message.tool_calls ?? []).map((call, at) => toCall(call, `messages.${index}.tool_calls.${at}`, calls));
  const { function_call: call } = message;
  if (call !== undefined && call !== null) {
    const id = `function_${index}`;
    calls.functionIds.set(call.name, id);
    made.push(toCall({ id, function: call }, `messages.${index}.function_call`, calls));
  }
  if (isGiven(message.audio))
    throw new DragomanError(
      'bad-request',
      `messages.${index}.audio: this server stores no audio. Send the words as text.`,
    );
  const text = textOf(message) || (message.refusal ?? '');
  return {
    role: 'assistant',
    content: [...toReasoning(message), ...(text === '' ? [] : [{ type: 'text' as const, text }]), ...made],
  };
}

/** What was thought: in the words of DeepSeek and vLLM, or in OpenRouter's, which come back as they were. */
function toReasoning({
  reasoning_details: details,
  reasoning_content: thought,
}: ChatRequestMessage): PromptReasoning[] {
  const text = thought ?? '';
  if (isGiven(details))
    return [{ type: 'reasoning', text, providerOptions: { openaiChat: { reasoningDetails: details } } }];
  return text === '' ? [] : [{ type: 'reasoning', text }];
}

type WrittenCall = NonNullable<ChatRequestMessage['tool_calls']>[number];

function toCall(call: WrittenCall, place: string, { names, nameOf }: CallsSoFar): PromptToolCall {
  const { function: func, custom, extra_content: extra } = call;
  const { toolCallId, providerOptions } = openCallId(call.id ?? '');
  const named = custom ?? func;
  if (named === undefined || named === null)
    throw new DragomanError('bad-request', `${place}: expected a function call or a custom tool call.`);
  const form = custom === undefined || custom === null ? 'function' : 'custom';
  const toolName = names.nameOf({ form, name: named.name });
  nameOf.set(toolCallId, toolName);
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input: form === 'custom' ? toCustomArguments(custom?.input ?? '') : func?.arguments || '{}',
    ...optional('providerOptions', fromExtraContent(extra) ?? providerOptions),
  };
}

function toResult(message: ChatRequestMessage, { names, nameOf, functionIds }: CallsSoFar): PromptToolResult {
  const { tool_call_id: id, name } = message;
  const { toolCallId } = openCallId(id ?? functionIds.get(name ?? '') ?? name ?? '');
  return {
    type: 'tool-result',
    toolCallId,
    toolName: nameOf.get(toolCallId) ?? (name ? names.nameOf({ form: 'function', name }) : ''),
    content: contentOf(message),
    isError: false,
    ...cacheOptions(cacheControlOf(message)),
  };
}

/** A message's own mark, or that of its last part. */
function cacheControlOf({ cache_control: own, content }: ChatRequestMessage): typeof own {
  if (own !== undefined && own !== null) return own;
  const last = Array.isArray(content) ? content.at(-1) : undefined;
  return last !== undefined && 'cache_control' in last ? (last.cache_control as typeof own) : undefined;
}

function textOf({ content }: ChatRequestMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .map((part) =>
      'text' in part && typeof part.text === 'string' ? part.text : 'refusal' in part ? String(part.refusal) : '',
    )
    .join('');
}

/** Whose name is told: those who speak in what they say, tools in their results. */
const NAMED: ReadonlySet<string> = new Set(['user', 'tool', 'function']);

/** Where several people speak, each one's name stands before what was said: other protocols have no field for it. */
function namedContent(message: ChatRequestMessage): (PromptText | PromptFile)[] {
  const content = contentOf(message);
  if (!message.name) return content;
  const [first, ...others] = content;
  if (first?.type !== 'text') return [{ type: 'text', text: `${message.name}:` }, ...content];
  return [{ ...first, text: `${message.name}: ${first.text}` }, ...others];
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}

function contentOf({ content }: ChatRequestMessage): (PromptText | PromptFile)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (content ?? []).map(toPart);
}

function toPart(part: { type: string }): PromptText | PromptFile {
  if (part.type === 'text') {
    const { text, cache_control: cacheControl } = part as { text?: string; cache_control?: JsonObject | null };
    return { type: 'text', text: text ?? '', ...cacheOptions(cacheControl) };
  }
  if (part.type === 'image_url') {
    const image = (part as { image_url?: string | { url?: string; detail?: string | null } }).image_url;
    if (typeof image !== 'object') return parseFileUrl(image ?? '', 'image/*');
    return { ...parseFileUrl(image.url ?? '', 'image/*'), ...detailOptions(image.detail) };
  }
  if (part.type === 'file') {
    const { filename, file_data: data } =
      (part as { file?: { filename?: string | null; file_data?: string | null } }).file ?? {};
    if (typeof data === 'string')
      return { ...parseFileUrl(data, 'application/pdf'), ...optional('filename', filename) };
  }
  throw new DragomanError(
    'bad-request',
    `messages: the content part type ${JSON.stringify(part.type.slice(0, 40))} is not supported.`,
  );
}
