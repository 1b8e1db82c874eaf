import type { FinishReason } from '@dragoman/protocol';

const STOP_NUMBERS: Record<FinishReason, number> = {
  stop: 1,
  length: 2,
  'tool-calls': 3,
  'content-filter': 4,
  error: 0,
  other: 0,
};

/** Reasons that have a number of their own on this wire, by the providers' words for them. */
const RAW_NUMBERS: Readonly<Record<string, number>> = { recitation: 5, malformed_function_call: 6 };

/** Why an answer ended, as a number. */
export function stopNumber(finishReason: FinishReason, rawFinishReason: string | undefined): number {
  return RAW_NUMBERS[rawFinishReason?.toLowerCase() ?? ''] ?? STOP_NUMBERS[finishReason];
}

const STOP_WORDS: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'safety',
  error: 'error',
  other: 'end_turn',
};

/** Why an answer ended, in the words of typed frames. */
export function stopWord(finishReason: FinishReason, rawFinishReason: string | undefined): string {
  return rawFinishReason === 'stop_sequence' ? 'stop_sequence' : STOP_WORDS[finishReason];
}
