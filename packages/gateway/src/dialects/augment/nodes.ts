import { FIRST_MISTAKE, type ModelUsage, type PromptToolCall, type ProviderMetadata } from '@dragoman/protocol';
import { z } from 'zod';
import { signCallId } from '../../tools/signed-call-id.ts';
import type { SentNode } from './wire.ts';

/** The whole text of an answer. `text` in the lines is for the screen; this node is what the client remembers. */
export function textNode(id: number, content: string): SentNode {
  return { id, type: 0, content };
}

export type AugmentToolCall = Omit<PromptToolCall, 'type'>;

export function toolUseNode(id: number, call: AugmentToolCall): SentNode {
  const input = call.input === '' ? '{}' : call.input; // A client gives up on empty or invalid JSON.
  return {
    id,
    type: 5,
    content: '',
    tool_use: {
      tool_use_id: signCallId(call.toolCallId, call.providerOptions),
      tool_name: call.toolName,
      input_json: input,
    },
  };
}

/** Reasoning with what its provider wants back. The client returns the whole object with the history. */
export function thinkingNode(id: number, blocks: readonly ThinkingBlock[]): SentNode {
  const text = blocks.map((block) => block.text).join(BETWEEN_BLOCKS);
  const openai = blocks.find((block) => block.providerMetadata?.['openai'] !== undefined)?.providerMetadata?.['openai'];
  return {
    id,
    type: 8,
    content: '',
    thinking: {
      summary: text,
      ...(typeof openai?.['encryptedContent'] === 'string' ? { encrypted_content: openai['encryptedContent'] } : {}),
      ...(typeof openai?.['itemId'] === 'string' ? { openai_responses_api_item_id: openai['itemId'] } : {}),
      dragoman_blocks: blocks.map(({ text: { length }, providerMetadata }) => ({
        length,
        ...(providerMetadata === undefined ? {} : { providerMetadata }),
      })),
    },
  };
}

const BETWEEN_BLOCKS = '\n\n';

const keptBlocksSchema = z.object({
  summary: z.string(),
  dragoman_blocks: z.array(
    z.object({
      length: z.int().min(0),
      providerMetadata: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    }),
  ),
});

/** The blocks of reasoning as they were before they became a node; nothing when another server made it. */
export function readThinking(thinking: Readonly<Record<string, unknown>>): ThinkingBlock[] | undefined {
  const kept = keptBlocksSchema.safeParse(thinking, FIRST_MISTAKE);
  if (!kept.success) return undefined;
  const { summary, dragoman_blocks: blocks } = kept.data;
  let start = 0;
  const read = blocks.map(({ length, providerMetadata }) => {
    const text = summary.slice(start, start + length);
    start += length + BETWEEN_BLOCKS.length;
    return { text, ...(providerMetadata === undefined ? {} : { providerMetadata }) };
  });
  // The whole text and no more: a client could ask for any piece of it any number of times.
  return start - BETWEEN_BLOCKS.length === summary.length ? read : undefined;
}

export interface ThinkingBlock {
  text: string;
  providerMetadata?: ProviderMetadata;
}

export function tokenUsageNode(id: number, usage: ModelUsage): SentNode {
  return {
    id,
    type: 10,
    content: '',
    token_usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_read_input_tokens: usage.cacheReadTokens ?? 0,
      cache_creation_input_tokens: usage.cacheWriteTokens ?? 0,
    },
  };
}
