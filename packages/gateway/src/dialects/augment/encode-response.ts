import type { ModelAnswer } from '@dragoman/protocol';
import { textNode, thinkingNode, tokenUsageNode, toolUseNode } from './nodes.ts';
import { stopNumber } from './stop-reason.ts';
import type { SentNode } from './wire.ts';

/** What every answer about code carries besides: nothing is missing on the server's side. */
export const NOTHING_MISSING = { unknown_blob_names: [], checkpoint_not_found: false } as const;

/** A whole answer, for `/chat`. */
export function encodeAugmentResponse(answer: ModelAnswer): unknown {
  const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const reasoning = answer.content.filter((part) => part.type === 'reasoning');
  const calls = answer.content.filter((part) => part.type === 'tool-call');
  const nodes: SentNode[] = [];
  if (reasoning.length > 0) {
    nodes.push(
      thinkingNode(
        nodes.length + 1,
        reasoning.map((part) => ({
          text: part.text,
          ...(part.providerOptions === undefined ? {} : { providerMetadata: part.providerOptions }),
        })),
      ),
    );
  }
  if (text !== '') nodes.push(textNode(nodes.length + 1, text));
  if (answer.usage !== undefined) nodes.push(tokenUsageNode(nodes.length + 1, answer.usage));
  for (const call of calls) nodes.push(toolUseNode(nodes.length + 1, call));
  return {
    text,
    nodes,
    stop_reason: calls.length > 0 ? 3 : stopNumber(answer.finishReason, answer.rawFinishReason),
    ...NOTHING_MISSING,
    workspace_file_chunks: [],
  };
}
