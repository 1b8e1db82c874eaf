import type { DragomanError } from '../dragoman-error.ts';

/**
 * What a provider wants back untouched in the next call, by the provider's name: a signature of its reasoning, an item's
 * id, encrypted content. The words are the AI SDK's, such as `{ anthropic: { signature } }`.
 */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Why the model stopped. `rawFinishReason` keeps the provider's own word. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'other';

/** Tokens of one call. Input counts everything that was read, cached or not. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  /** Part of the output. */
  reasoningTokens?: number;
  /** Part of the input. */
  cacheReadTokens?: number;
  /** Part of the input. */
  cacheWriteTokens?: number;
  /** In US dollars, where the provider says so itself. */
  cost?: number;
}

/**
 * One canonical piece of a model's answer, in the vocabulary of the AI SDK's language-model specification.
 *
 * Blocks (text, reasoning, tool input) have ids and do not overlap with themselves; every block that was started is ended
 * before the answer is. An answer ends with exactly one `finish` or one `error`.
 */
export type ModelEvent =
  | { type: 'response-metadata'; id?: string; modelId?: string }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string; providerMetadata?: ProviderMetadata }
  | { type: 'reasoning-start'; id: string }
  | { type: 'reasoning-delta'; id: string; delta: string }
  | { type: 'reasoning-end'; id: string; providerMetadata?: ProviderMetadata }
  /** What comes with a call is told at its start where it is known by then, and in any case at its end. */
  | { type: 'tool-input-start'; id: string; toolName: string; providerMetadata?: ProviderMetadata }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-input-end'; id: string; providerMetadata?: ProviderMetadata }
  | { type: 'finish'; finishReason: FinishReason; rawFinishReason?: string; usage?: ModelUsage }
  | { type: 'error'; error: DragomanError };

/** Takes model events, one plain call each. */
export interface ModelSink {
  push(event: ModelEvent): void;
}
