import type { Message, ModelMessage } from '@dragoman/protocol';
import { estimateMessageTokens } from './estimate-tokens.ts';

/** What is summed up, and what stays in view as it is. */
export interface HeadAndTail {
  head: readonly Message[];
  tail: readonly Message[];
}

/**
 * Splits what is in view: the newest messages stay, as far as they fit the budget; the rest is summed up. At least one
 * message is summed up, so that the view really becomes shorter.
 */
export function chooseTail(
  messages: readonly Message[],
  budgetTokens: number,
  convert: (message: Message) => ModelMessage[],
): HeadAndTail {
  let start = messages.length;
  let tokens = 0;
  while (start > 1) {
    const next = convert(messages[start - 1]!).reduce((total, part) => total + estimateMessageTokens(part), 0);
    if (tokens + next > budgetTokens) break;
    tokens += next;
    start--;
  }
  return { head: messages.slice(0, start), tail: messages.slice(start) };
}
