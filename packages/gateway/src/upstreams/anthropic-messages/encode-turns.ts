import {
  DragomanError,
  type PromptFile,
  type ModelMessage,
  type ProviderMetadata,
  type PromptReasoning,
  type PromptText,
  type PromptToolResult,
} from '@dragoman/protocol';
import { isJsonObject, parseJson } from '../../tools/json-object.ts';
import type {
  AnthropicBlock,
  AnthropicFileBlock,
  AnthropicSource,
  AnthropicTextBlock,
  AnthropicThinkingBlock,
  AnthropicToolResultBlock,
  AnthropicTurn,
} from './wire.ts';

const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

interface Placed {
  role: AnthropicTurn['role'];
  block: AnthropicBlock;
}

/**
 * A prompt as turns that alternate strictly, without its system messages.
 *
 * The service wants a tool's results first in the turn that follows the call, refuses empty text, and refuses a turn of
 * the assistant that ends with a thought.
 */
export function encodeTurns(prompt: ModelMessage[]): AnthropicTurn[] {
  const turns: AnthropicTurn[] = [];
  for (const { role, block } of withoutLastThoughts(prompt.flatMap((message) => encodeMessage(message)))) {
    const turn = turns.at(-1);
    if (turn?.role === role) turn.content.push(block);
    else turns.push({ role, content: [block] });
  }
  for (const turn of turns) turn.content = resultsFirst(turn.content);
  trimPrefill(turns.at(-1));
  return turns;
}

export function encodeSystem(prompt: ModelMessage[]): AnthropicTextBlock[] {
  return prompt
    .filter((message) => message.role === 'system')
    .flatMap((message) => encodeText(message.content, message.providerOptions));
}

/** Where a client wants the provider to cache, in its own words. */
export function cacheControl(options: ProviderMetadata | undefined): { cache_control?: unknown } {
  const control = options?.['anthropic']?.['cacheControl'];
  return control === undefined || control === null ? {} : { cache_control: control };
}

function encodeMessage(message: ModelMessage): Placed[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return place('user', encodeContent(message.content), message.providerOptions);
    case 'assistant':
      return place('assistant', encodeAssistant(message.content), message.providerOptions);
    case 'tool':
      return place(
        'user',
        message.content.map((result) => encodeToolResult(result)),
        message.providerOptions,
      );
  }
}

/** A message's cache mark goes to its last block that can hold one. */
function place(role: Placed['role'], blocks: AnthropicBlock[], options: ProviderMetadata | undefined): Placed[] {
  const last = blocks.findLast((block) => !isThought(block));
  if (last !== undefined && !('cache_control' in last)) Object.assign(last, cacheControl(options));
  return blocks.map((block) => ({ role, block }));
}

function encodeAssistant(content: Extract<ModelMessage, { role: 'assistant' }>['content']): AnthropicBlock[] {
  return content.flatMap((part): AnthropicBlock[] => {
    switch (part.type) {
      case 'text':
        return encodeText(part.text, part.providerOptions);
      case 'reasoning':
        return encodeThought(part);
      case 'tool-call': {
        const input = parseJson(part.input);
        return [
          {
            type: 'tool_use',
            id: toolUseId(part.toolCallId),
            name: part.toolName,
            input: isJsonObject(input) ? input : {},
            ...cacheControl(part.providerOptions),
          },
        ];
      }
    }
  });
}

/** Only what this provider signed; it refuses other models' thoughts. */
function encodeThought({ text, providerOptions }: PromptReasoning): AnthropicThinkingBlock[] {
  const { signature, redactedData } = providerOptions?.['anthropic'] ?? {};
  if (typeof redactedData === 'string') return [{ type: 'redacted_thinking', data: redactedData }];
  if (typeof signature === 'string') return [{ type: 'thinking', thinking: text, signature }];
  return [];
}

function encodeToolResult(result: PromptToolResult): AnthropicToolResultBlock {
  const content = encodeContent(result.content);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId(result.toolCallId),
    ...(content.length === 0 ? {} : { content }),
    ...(result.isError ? { is_error: true } : {}),
    ...cacheControl(result.providerOptions),
  };
}

/** Other providers' ids may hold dots and colons, which this one refuses. */
function toolUseId(toolCallId: string): string {
  return toolCallId.replace(/[^\w-]/g, '_');
}

function encodeContent(parts: (PromptText | PromptFile)[]): (AnthropicTextBlock | AnthropicFileBlock)[] {
  return parts.flatMap((part): (AnthropicTextBlock | AnthropicFileBlock)[] =>
    part.type === 'text' ? encodeText(part.text, part.providerOptions) : [encodeFile(part)],
  );
}

function encodeText(text: string, options: ProviderMetadata | undefined): AnthropicTextBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text, ...cacheControl(options) }];
}

function encodeFile(file: PromptFile): AnthropicFileBlock {
  const cache = cacheControl(file.providerOptions);
  if (file.mediaType === 'application/pdf') {
    const title = file.filename === undefined ? {} : { title: file.filename };
    return { type: 'document', source: encodeSource(file, file.mediaType), ...title, ...cache };
  }
  const mediaType = file.mediaType === 'image/jpg' ? 'image/jpeg' : file.mediaType;
  const isTaken = file.data.type === 'url' ? mediaType.startsWith('image/') : IMAGE_TYPES.has(mediaType);
  if (!isTaken)
    throw new DragomanError('bad-request', `A file of type ${file.mediaType} cannot be sent to a Messages model.`);
  return { type: 'image', source: encodeSource(file, mediaType), ...cache };
}

function encodeSource({ data }: PromptFile, mediaType: string): AnthropicSource {
  return data.type === 'url'
    ? { type: 'url', url: data.url }
    : { type: 'base64', media_type: mediaType, data: data.base64 };
}

function isThought(block: AnthropicBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

/** Thoughts that nothing of the assistant's follows: an answer that was cut there. */
function withoutLastThoughts(placed: Placed[]): Placed[] {
  let isFollowed = false;
  return placed
    .toReversed()
    .filter(({ role, block }) => {
      if (role === 'user') isFollowed = false;
      else if (!isThought(block)) isFollowed = true;
      return !isThought(block) || isFollowed;
    })
    .toReversed();
}

function resultsFirst(blocks: AnthropicBlock[]): AnthropicBlock[] {
  const results = blocks.filter((block) => block.type === 'tool_result');
  return results.length === 0 ? blocks : [...results, ...blocks.filter((block) => block.type !== 'tool_result')];
}

/** A last turn of the assistant's is a beginning to go on from; the service refuses white space at its end. */
function trimPrefill(turn: AnthropicTurn | undefined): void {
  const last = turn?.role === 'assistant' ? turn.content.at(-1) : undefined;
  if (last?.type === 'text') last.text = last.text.trimEnd();
}
