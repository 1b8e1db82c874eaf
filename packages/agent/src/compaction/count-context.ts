import {
  type AssistantInfo,
  type Message,
  type ModelMessage,
  type SessionState,
  type ToolDefinition,
  totalTokens,
} from '@dragoman/protocol';
import { sessionView } from '../prompt/session-view.ts';
import { estimateCallTokens, estimateMessageTokens } from './estimate-tokens.ts';

/**
 * How many tokens the next prompt has: what the provider counted last, and an estimate of what came since. Where no
 * provider has counted since the view last moved, all of it is estimated.
 */
export function countContext(
  state: SessionState,
  prompt: ModelMessage[],
  tools: ToolDefinition[],
  convert: (message: Message) => ModelMessage[],
): number {
  const { messages } = sessionView(state);
  const moved = lastMove(state);
  const index = messages.findLastIndex(
    ({ info }) => info.role === 'assistant' && totalTokens(info.tokens) > 0 && (info.time.completed ?? 0) > moved,
  );
  const estimated = estimateCallTokens({ prompt, tools });
  if (index === -1) return estimated;
  const counted = totalTokens((messages[index]!.info as AssistantInfo).tokens);
  const results = convert(messages[index]!).filter(({ role }) => role === 'tool');
  const since = [...results, ...messages.slice(index + 1).flatMap(convert)];
  return since.reduce((total, message) => total + estimateMessageTokens(message), counted);
}

/** When the view was last shortened. */
function lastMove({ messages }: SessionState): number {
  let moved = -1;
  for (const { info, parts } of messages) {
    if (info.role === 'assistant' && info.summary === true) moved = Math.max(moved, info.time.completed ?? -1);
    for (const part of parts)
      if (part.type === 'tool' && (part.state.status === 'completed' || part.state.status === 'error'))
        moved = Math.max(moved, part.state.time.compacted ?? -1);
  }
  return moved;
}
