import {
  DragomanError,
  FIRST_MISTAKE,
  type PromptFile,
  type ModelMessage,
  type PromptReasoning,
  type PromptText,
  type PromptToolCall,
  type PromptToolResult,
} from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { ownValue } from '../../tools/json-object.ts';
import { openCallId } from '../../tools/signed-call-id.ts';
import { cacheOptions } from '../cache-options.ts';
import type { OfferedTools } from '../../tools/offered-tools.ts';
import { parseFileUrl } from '../parse-file-url.ts';
import { type AnthropicBlock, blocksSchema } from './wire.ts';

const PROVIDER_BLOCK = /^(server_tool_use|mcp_tool_use|.+_tool_result)$/;

/**
 * A turn of the user's: the results of tools first, as a message of their own, and then what the user said.
 *
 * `toolNames` knows the calls before this turn, because a result only has its call's id.
 */
export function decodeUserTurn(
  blocks: AnthropicBlock[],
  place: string,
  toolNames: ReadonlyMap<string, string>,
): ModelMessage[] {
  const results: PromptToolResult[] = [];
  const content: (PromptText | PromptFile)[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'tool_result') results.push(toToolResult(block, `${place}.${index}`, toolNames));
    else content.push(...toContent(block, `${place}.${index}`));
  }
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ...(content.length === 0 && results.length > 0 ? [] : [{ role: 'user' as const, content }]),
  ];
}

/** A turn of the model's own. The names of its calls are noted. */
export function decodeAssistantTurn(
  blocks: AnthropicBlock[],
  place: string,
  toolNames: Map<string, string>,
  offered: OfferedTools,
): ModelMessage {
  return {
    role: 'assistant',
    content: blocks.flatMap((block, index) => toAnswerPart(block, `${place}.${index}`, toolNames, offered)),
  };
}

function toAnswerPart(
  block: AnthropicBlock,
  place: string,
  toolNames: Map<string, string>,
  offered: OfferedTools,
): (PromptText | PromptReasoning | PromptToolCall)[] {
  switch (block.type) {
    case 'text':
      // What the last answer rested on; its text says what came of it.
      if (Array.isArray(block.citations) && block.citations.length > 0) offered.leaveOut('messages.citations');
      return [{ type: 'text', text: block.text ?? '', ...cacheOptions(block.cache_control) }];
    case 'thinking':
      return [{ type: 'reasoning', text: block.thinking ?? '', ...reasoningOptions('signature', block.signature) }];
    case 'redacted_thinking':
      return [{ type: 'reasoning', text: '', ...reasoningOptions('redactedData', block.data) }];
    case 'tool_use': {
      const { toolCallId, providerOptions: signature } = openCallId(needed(block.id, `${place}.id`));
      const toolName = offered.names.nameOf({ form: 'function', name: needed(block.name, `${place}.name`) });
      toolNames.set(toolCallId, toolName);
      const { providerOptions: cache } = cacheOptions(block.cache_control);
      return [
        {
          type: 'tool-call',
          toolCallId,
          toolName,
          input: JSON.stringify(block.input ?? {}),
          ...(signature === undefined && cache === undefined ? {} : { providerOptions: { ...signature, ...cache } }),
        },
      ];
    }
    default:
      // What a tool at Anthropic was asked and found: the text after it says what came of it.
      if (PROVIDER_BLOCK.test(block.type)) return offered.leaveOut(`messages.${block.type.slice(0, 40)}`);
      throw notUnderstood(block, place);
  }
}

/** Where another provider made the thought, it came without a signature and goes back without one. */
function reasoningOptions(key: string, value: string | null | undefined): Pick<PromptReasoning, 'providerOptions'> {
  return value === undefined || value === null || value === ''
    ? {}
    : { providerOptions: { anthropic: { [key]: value } } };
}

function toToolResult(block: AnthropicBlock, place: string, toolNames: ReadonlyMap<string, string>): PromptToolResult {
  const { toolCallId } = openCallId(needed(block.tool_use_id, `${place}.tool_use_id`));
  return {
    type: 'tool-result',
    toolCallId,
    toolName: toolNames.get(toolCallId) ?? '',
    content: toContents(block.content, `${place}.content`),
    isError: block.is_error === true,
    ...cacheOptions(block.cache_control),
  };
}

/** What stands inside another block: text, or blocks of its own. */
function toContents(content: unknown, place: string): (PromptText | PromptFile)[] {
  const parsed = blocksSchema.safeParse(content, FIRST_MISTAKE);
  if (!parsed.success) throw new DragomanError('bad-request', `${place}: expected text or a list of blocks.`);
  return parsed.data.flatMap((block, index) => toContent(block, `${place}.${index}`));
}

function toContent(block: AnthropicBlock, place: string): (PromptText | PromptFile)[] {
  const parts = toBareContent(block, place);
  const last = parts.at(-1);
  if (last !== undefined) Object.assign(last, cacheOptions(block.cache_control));
  return parts;
}

function toBareContent(block: AnthropicBlock, place: string): (PromptText | PromptFile)[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text ?? '' }];
    case 'image':
      return [toFile(block, 'image/*', place)];
    case 'document':
      refuseCitations(block, place);
      return toDocument(block, place);
    case 'search_result':
      refuseCitations(block, place);
      return [
        { type: 'text', text: [block.title, block.source?.url].filter(Boolean).join('\n') },
        ...toContents(block.content, `${place}.content`),
      ];
    default:
      throw notUnderstood(block, place);
  }
}

function refuseCitations({ citations }: AnthropicBlock, place: string): void {
  if (ownValue(citations, 'enabled') !== true) return;
  throw new DragomanError(
    'bad-request',
    `${place}.citations: only a provider with the same protocol supports this. Leave it out, or use such a provider.`,
  );
}

/** A document of text is read as text; only Anthropic's own models know another way. */
function toDocument(block: AnthropicBlock, place: string): (PromptText | PromptFile)[] {
  const { source } = block;
  const about: PromptText[] = [block.title, block.context]
    .filter((text) => typeof text === 'string' && text !== '')
    .map((text) => ({ type: 'text', text: text! }));
  if (source !== undefined && source !== null) {
    if (source.type === 'content') return [...about, ...toContents(source.content, `${place}.source.content`)];
    if (source.type === 'text') return [...about, { type: 'text', text: source.data ?? '' }];
    if (source.type === 'base64' && source.media_type?.startsWith('text/')) {
      return [...about, { type: 'text', text: Buffer.from(source.data ?? '', 'base64').toString() }];
    }
  }
  return [{ ...toFile(block, 'application/pdf', place), ...optional('filename', block.title) }];
}

function toFile({ source }: AnthropicBlock, otherwise: string, place: string): PromptFile {
  if (source === undefined || source === null)
    throw new DragomanError('bad-request', `${place}.source: expected base64 data or a URL.`);
  switch (source.type) {
    case 'base64':
      return {
        type: 'file',
        mediaType: takenMediaType(source.media_type, otherwise, `${place}.source.media_type`),
        data: { type: 'base64', base64: needed(source.data, `${place}.source.data`) },
      };
    case 'url':
      return parseFileUrl(needed(source.url, `${place}.source.url`), otherwise);
    default:
      throw new DragomanError(
        'bad-request',
        `${place}.source: the source type ${quote(source.type)} is not supported, because this server stores no files. Send base64 data or a URL.`,
      );
  }
}

function takenMediaType(mediaType: string | null | undefined, otherwise: string, place: string): string {
  if (otherwise === 'application/pdf' && (mediaType ?? otherwise) === otherwise) return otherwise;
  if (otherwise === 'image/*' && /^image\/(png|jpeg|gif|webp)$/.test(mediaType ?? '')) return mediaType!;
  throw new DragomanError(
    'bad-request',
    `${place}: ${quote(mediaType ?? '')} is not supported. Send PNG, JPEG, GIF, WebP or PDF.`,
  );
}

function needed(value: string | null | undefined, place: string): string {
  if (value === undefined || value === null || value === '')
    throw new DragomanError('bad-request', `${place}: expected text.`);
  return value;
}

function notUnderstood(block: AnthropicBlock, place: string): DragomanError {
  return new DragomanError('bad-request', `${place}: the block type ${quote(block.type)} is not supported.`);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}
