import {
  DragomanError,
  type PromptFile,
  type ModelCall,
  type ModelMessage,
  type PromptReasoning,
  type PromptText,
  type PromptToolCall,
  type PromptToolResult,
} from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { optional } from '../../optional.ts';
import { contextText } from '../../repair/context-text.ts';
import { parseToolDefinitions } from '../../tools/parse-tool-definitions.ts';
import { openCallId } from '../../tools/signed-call-id.ts';
import type { DecodedRequest } from '../dialect.ts';
import { unreadFields } from '../unread-fields.ts';
import { AUGMENT_FIELDS } from './fields.ts';
import { fromTypedAnswer } from './from-typed-answer.ts';
import { fromTypedNode } from './from-typed-node.ts';
import { readThinking } from './nodes.ts';
import { augmentSystemPrompt, describeIdeState } from './system-prompt.ts';
import {
  type AugmentChatRequest,
  augmentChatSchema,
  type Exchange,
  IMAGE_FORMATS,
  type IdeState,
  readRequestNodes,
  readResponseNodes,
  type RequestNode,
  RESPONSE_NODE,
  type ResponseNode,
  type ToolResultNode,
} from './wire.ts';

export interface AugmentContext {
  /** The seed's form of lines and nodes, which real clients do not speak. */
  isTyped: boolean;
  /** What the conversation is about, for the repair of tool arguments. */
  contextText: string;
}

export interface AugmentDecodeOptions {
  systemPromptBase: string;
  isTyped: boolean;
  isStreamed: boolean;
}

/**
 * An Augment chat request as a model call.
 *
 * User text stands in `nodes`, or in `message` when they hold neither text nor results; a tool's result stands one
 * exchange after its call. Where the user works is told once, in the system prompt, and again only when it changed: the
 * prompt's beginning stays the same from turn to turn.
 */
export function decodeAugmentRequest(body: unknown, options: AugmentDecodeOptions): DecodedRequest<AugmentContext> {
  const request = parseBody(augmentChatSchema, body);
  const leftOut = unreadFields(body, AUGMENT_FIELDS);
  const call = toCall(request, options);
  return {
    asked: request.model ?? '',
    call,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    isStreamed: options.isStreamed,
    context: { isTyped: options.isTyped, contextText: contextText(request) },
  };
}

function toCall(request: AugmentChatRequest, options: AugmentDecodeOptions): ModelCall {
  const read = (nodes: readonly unknown[] | null | undefined) =>
    readRequestNodes(options.isTyped ? nodes?.map(fromTypedNode) : nodes);
  const readAnswer = ({ response_nodes: nodes }: Exchange) =>
    readResponseNodes(options.isTyped ? fromTypedAnswer(nodes ?? []) : nodes);
  const conversation = new Conversation();
  for (const exchange of request.chat_history ?? []) {
    conversation.ask(read(exchange.request_nodes), exchange.request_message ?? '');
    conversation.answer(readAnswer(exchange), exchange.response_text ?? '');
  }
  conversation.ask(read(request.nodes), request.message ?? '');
  if (!conversation.hasQuestion) {
    throw new DragomanError(
      'bad-request',
      'nodes: there is nothing to answer; send a text or tool-result node, or a message.',
    );
  }
  conversation.show(request);
  const system = augmentSystemPrompt(options.systemPromptBase, request, conversation.firstIdeState);
  return {
    prompt: [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...conversation.messages],
    ...(isHelperCall(request)
      ? { tools: [], isOneOff: true }
      : { tools: parseToolDefinitions(request.tool_definitions ?? []) }),
    ...optional('reasoningEffort', request.reasoning_effort),
  };
}

/** A title or a better prompt, asked for behind the user's back: the answer is text, whatever tools are offered. */
function isHelperCall(request: AugmentChatRequest): boolean {
  return request.silent === true && (request.nodes ?? []).length === 0;
}

class Conversation {
  readonly messages: ModelMessage[] = [];
  firstIdeState: IdeState | undefined;
  /** Whether the last thing in the prompt is the user's. */
  hasQuestion = false;
  #lastPlace = '';
  readonly #toolNames = new Map<string, string>();

  ask(nodes: readonly RequestNode[], message: string): void {
    const results: PromptToolResult[] = [];
    const content: (PromptText | PromptFile)[] = [];
    for (const node of nodes) {
      if (hasValue(node.tool_result_node)) results.push(this.#toResult(node.tool_result_node));
      else if (hasValue(node.ide_state_node)) content.push(...this.#toPlace(node.ide_state_node));
      else content.push(...toContent(node));
    }
    const hasOwnText = nodes.some((node) => hasValue(node.text_node) || hasValue(node.tool_result_node));
    if (!hasOwnText && message !== '') content.unshift({ type: 'text', text: message });
    if (results.length > 0) this.messages.push({ role: 'tool', content: results });
    if (content.length > 0) this.messages.push({ role: 'user', content });
    this.hasQuestion = results.length > 0 || content.length > 0;
  }

  /** Tells what is selected in the editor, beside what the user says about it. */
  show({ selected_code: code, path }: AugmentChatRequest): void {
    const last = this.messages.at(-1);
    if (!hasValue(code) || code.trim() === '' || last?.role !== 'user') return;
    last.content.push({ type: 'text', text: `Selected in the editor${path ? `, in ${path}` : ''}:\n${code}` });
  }

  answer(nodes: readonly ResponseNode[], text: string): void {
    const content = nodes.flatMap((node) => this.#toAnswer(node));
    const hasText = content.some((part) => part.type === 'text');
    if (!hasText && text !== '')
      content.splice(content.findLastIndex((part) => part.type === 'reasoning') + 1, 0, { type: 'text', text });
    if (content.length > 0) this.messages.push({ role: 'assistant', content });
    this.hasQuestion = false;
  }

  #toAnswer(node: ResponseNode): (PromptText | PromptReasoning | PromptToolCall)[] {
    if (hasValue(node.tool_use)) {
      const { tool_use_id: id, tool_name: toolName, input_json: input } = node.tool_use;
      const called = openCallId(id);
      this.#toolNames.set(called.toolCallId, toolName);
      return [{ type: 'tool-call', ...called, toolName, input: input || '{}' }];
    }
    if (hasValue(node.thinking)) return toReasoning(node.thinking);
    const isText = node.type === RESPONSE_NODE.RAW_RESPONSE || node.type === undefined || node.type === null;
    return isText && hasValue(node.content) && node.content !== '' ? [{ type: 'text', text: node.content }] : [];
  }

  #toResult(node: ToolResultNode): PromptToolResult {
    const rich = (node.content_nodes ?? []).flatMap((part): (PromptText | PromptFile)[] => {
      if (hasValue(part.image_content)) return [toImage(part.image_content.image_data, part.image_content.format)];
      return hasValue(part.text_content) ? [{ type: 'text', text: part.text_content }] : [];
    });
    const { toolCallId } = openCallId(node.tool_use_id);
    return {
      type: 'tool-result',
      toolCallId,
      toolName: this.#toolNames.get(toolCallId) ?? '',
      content: rich.length > 0 ? rich : [{ type: 'text', text: node.content ?? '' }],
      isError: node.is_error === true,
    };
  }

  /** Told in the system prompt the first time, and here when it is another place than before. */
  #toPlace(state: IdeState): PromptText[] {
    const place = describeIdeState(state);
    const isFirst = this.firstIdeState === undefined;
    this.firstIdeState ??= state;
    if (place === this.#lastPlace || place === '') return [];
    this.#lastPlace = place;
    return isFirst ? [] : [{ type: 'text', text: `The user is now working here:\n${place}` }];
  }
}

function toContent(node: RequestNode): (PromptText | PromptFile)[] {
  if (hasValue(node.text_node))
    return node.text_node.content === '' ? [] : [{ type: 'text', text: node.text_node.content }];
  if (hasValue(node.image_node)) return [toImage(node.image_node.image_data, node.image_node.format)];
  if (hasValue(node.file_node)) {
    const { file_data: base64, media_type: mediaType, file_name: filename } = node.file_node;
    return [{ type: 'file', mediaType, data: { type: 'base64', base64 }, ...optional('filename', filename) }];
  }
  if (hasValue(node.history_summary_node))
    return [{ type: 'text', text: `Summary of the conversation so far:\n${textsIn(node.history_summary_node)}` }];
  return [];
}

function toImage(data: string, format: number | null | undefined): PromptFile {
  if (/^https?:\/\//.test(data)) return { type: 'file', mediaType: 'image/*', data: { type: 'url', url: data } };
  const mediaType = IMAGE_FORMATS[format ?? 0];
  if (mediaType === undefined)
    throw new DragomanError(
      'bad-request',
      `nodes: the image format ${format} is not known; 1 is PNG, 2 JPEG, 3 GIF, 4 WebP.`,
    );
  return { type: 'file', mediaType, data: { type: 'base64', base64: data } };
}

/** Our own blocks come back as they were sent; what another server wrote is at least text. */
function toReasoning(thinking: Record<string, unknown>): PromptReasoning[] {
  const blocks = readThinking(thinking);
  if (blocks !== undefined)
    return blocks.map(({ text, providerMetadata }) => ({
      type: 'reasoning',
      text,
      ...optional('providerOptions', providerMetadata),
    }));
  const text = thinking['content'] ?? thinking['summary'];
  return typeof text === 'string' && text !== '' ? [{ type: 'reasoning', text }] : [];
}

/** The form of a summary is not known for certain; its texts are what matters. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value)
    .map(textsIn)
    .filter((text) => text !== '')
    .join('\n');
}

function hasValue<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}
