import type { ModelAnswer, ProviderMetadata } from '@dragoman/protocol';
import { signCallId } from '../../tools/signed-call-id.ts';
import type { ToolNames } from '../../tools/tool-names.ts';
import { callItem, callPrefix } from './call-item.ts';
import { toEncryptedContent } from './encrypted-content.ts';
import type { ResponsesMessageItem, ResponsesOutputItem, ResponsesReasoningItem } from './wire.ts';

/** An item's id: OpenAI's clients tell the kind by its beginning. */
export function outputItemId(prefix: string, responseId: string, index: number): string {
  return `${prefix}_${responseId.replace(/^resp_/, '')}_${index}`;
}

export function messageItem(id: string, text: string, metadata: ProviderMetadata | undefined): ResponsesMessageItem {
  const phase = metadata?.['openai']?.['phase'];
  return {
    id,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    ...(typeof phase === 'string' ? { phase } : {}),
  };
}

export function reasoningItem(
  id: string,
  text: string,
  metadata: ProviderMetadata | undefined,
): ResponsesReasoningItem {
  const encrypted = toEncryptedContent(metadata, id);
  return {
    id,
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  };
}

/** The output of a whole answer, one item for each of its parts. */
export function toOutput(content: ModelAnswer['content'], responseId: string, tools: ToolNames): ResponsesOutputItem[] {
  const ids = new Set<string>();
  return content.map((part, index) => {
    const idOf = (prefix: string) => outputItemId(prefix, responseId, index);
    switch (part.type) {
      case 'text':
        return messageItem(idOf('msg'), part.text, part.providerOptions);
      case 'reasoning': {
        const ownId = idOf('rs');
        const openAiId = part.providerOptions?.['openai']?.['itemId'];
        const id = typeof openAiId === 'string' && openAiId.startsWith('rs_') && !ids.has(openAiId) ? openAiId : ownId;
        ids.add(id);
        return reasoningItem(id, part.text, part.providerOptions);
      }
      case 'tool-call': {
        const tool = tools.toolOf(part.toolName);
        return callItem(idOf(callPrefix(tool)), signCallId(part.toolCallId, part.providerOptions), tool, part.input);
      }
    }
  });
}
