import { DragomanError } from '@dragoman/protocol';

/**
 * What one answer of a provider may be. Whoever holds something of an answer back holds no more than this, whatever the
 * provider sends.
 *
 * The longest real answers have 128,000 tokens, each in an event of up to a kilobyte, and some megabytes of text.
 */
export const ANSWER_LIMITS = {
  /** Of a stream that is read, from its first byte to its last. */
  streamBytes: 128 * 1024 * 1024,
  /** Of an answer that comes at once. */
  bodyBytes: 32 * 1024 * 1024,
  /** Of one event of a stream, or one line. */
  eventBytes: 32 * 1024 * 1024,
  /** Of all texts, thoughts and arguments together. */
  characters: 8 * 1024 * 1024,
  events: 1_000_000,
  /** Of the name of an answer, of its model, and of a text or thought: clients are told them with every piece. */
  nameCharacters: 1024,
  /** Texts, thoughts and tool calls. */
  blocks: 5_000,
} as const;

/** What the smallest piece costs that is kept, beside what is in it. */
export const PIECE_COST = 128;

/** Another target may do better. */
export function answerTooLarge(why: string): DragomanError {
  return new DragomanError('unavailable', `The provider's answer is too large: ${why}.`, { isRetryable: true });
}
