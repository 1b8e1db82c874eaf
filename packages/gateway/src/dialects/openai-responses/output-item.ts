import type { ModelAnswer, ProviderMetadata } from '@dragoman/protocol';
import { signCallId } from '../../tools/signed-call-id.ts';
import { toEncryptedContent } from './encrypted-content.ts';
import type {
  ResponsesFunctionCallItem,
  ResponsesMessageItem,
  ResponsesOutputItem,
  ResponsesReasoningItem,
} from './wire.ts';

const PREFIXES = { text: 'msg', reasoning: 'rs', 'tool-call': 'fc' } as const;

/** An item's id: OpenAI's clients tell the kind by its beginning. */
export function outputItemId(kind: keyof typeof PREFIXES, responseId: string, index: number): string {
  return `${PREFIXES[kind]}_${responseId.replace(/^resp_/, '')}_${index}`;
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

export function functionCallItem(id: string, callId: string, name: string, args: string): ResponsesFunctionCallItem {
  return { id, type: 'function_call', status: 'completed', call_id: callId, name, arguments: args };
}

/** The output of a whole answer, one item for each of its parts. */
export function toOutput(content: ModelAnswer['content'], responseId: string): ResponsesOutputItem[] {
  const ids = new Set<string>();
  return content.map((part, index) => {
    const ownId = outputItemId(part.type, responseId, index);
    switch (part.type) {
      case 'text':
        return messageItem(ownId, part.text, part.providerOptions);
      case 'reasoning': {
        const openAiId = part.providerOptions?.['openai']?.['itemId'];
        const id = typeof openAiId === 'string' && openAiId !== '' && !ids.has(openAiId) ? openAiId : ownId;
        ids.add(id);
        return reasoningItem(id, part.text, part.providerOptions);
      }
      case 'tool-call':
        return functionCallItem(ownId, signCallId(part.toolCallId, part.providerOptions), part.toolName, part.input);
    }
  });
}
