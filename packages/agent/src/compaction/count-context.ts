import {
  type AssistantInfo,
  type Message,
  type ModelMessage,
  type SessionState,
  type ToolDefinition,
  totalTokens,
} from '@dragoman/protocol';
import { isSummary, sessionView } from '../prompt/session-view.ts';
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
  const sinceSummary = new Set(state.messages.slice(state.messages.findLastIndex(isSummary) + 1));
  const pruned = lastPruned(state);
  const index = messages.findLastIndex(
    (message) =>
      message.info.role === 'assistant' &&
      totalTokens(message.info.tokens) > 0 &&
      (message.info.time.completed ?? 0) > pruned &&
      sinceSummary.has(message),
  );
  const estimated = estimateCallTokens({ prompt, tools });
  if (index === -1) return estimated;
  const counted = totalTokens((messages[index]!.info as AssistantInfo).tokens);
  const results = convert(messages[index]!).filter(({ role }) => role === 'tool');
  const since = [...results, ...messages.slice(index + 1).flatMap(convert)];
  const total = since.reduce((sum, message) => sum + estimateMessageTokens(message), counted);
  // A count that is far too small is no count: some services give any number.
  return Math.max(total, Math.floor(estimated / 2));
}

/** When outputs last left the view. */
function lastPruned({ messages }: SessionState): number {
  let last = -1;
  for (const { parts } of messages)
    for (const part of parts)
      if (part.type === 'tool' && (part.state.status === 'completed' || part.state.status === 'error'))
        last = Math.max(last, part.state.time.compacted ?? -1);
  return last;
}
