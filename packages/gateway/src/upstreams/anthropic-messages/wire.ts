/** The parts of the Messages protocol that we read and write, spelt as on the wire. */

export type AnthropicSource = { type: 'base64'; media_type: string; data: string } | { type: 'url'; url: string };

/** Passed on as the client wrote it, such as `{ type: 'ephemeral', ttl: '1h' }`. */
interface Cacheable {
  cache_control?: unknown;
}

export interface AnthropicTextBlock extends Cacheable {
  type: 'text';
  text: string;
}

export type AnthropicFileBlock = Cacheable &
  ({ type: 'image'; source: AnthropicSource } | { type: 'document'; source: AnthropicSource; title?: string });

export type AnthropicThinkingBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

interface AnthropicToolUseBlock extends Cacheable {
  type: 'tool_use';
  id: string;
  name: string;
  input: Readonly<Record<string, unknown>>;
}

export interface AnthropicToolResultBlock extends Cacheable {
  type: 'tool_result';
  tool_use_id: string;
  content?: (AnthropicTextBlock | AnthropicFileBlock)[];
  is_error?: true;
}

export type AnthropicBlock =
  | AnthropicTextBlock
  | AnthropicFileBlock
  | AnthropicThinkingBlock
  | AnthropicToolUseBlock
  | AnthropicToolResultBlock;

/** Neighbours never have the same role. */
export interface AnthropicTurn {
  role: 'user' | 'assistant';
  content: AnthropicBlock[];
}

export type AnthropicThinking =
  | { type: 'adaptive'; display: 'summarized' }
  | { type: 'enabled'; budget_tokens: number }
  | { type: 'disabled' };

export type AnthropicEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface AnthropicUsage {
  /** What was neither read from a cache nor written to one. */
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  output_tokens_details?: { thinking_tokens?: number | null } | null;
}

/** A block of an answer; in a stream, how it begins. */
export interface AnthropicAnswerBlock {
  type?: string;
  text?: string | null;
  thinking?: string | null;
  signature?: string | null;
  data?: string | null;
  id?: string | null;
  name?: string | null;
  input?: unknown;
}

/** A whole answer; in a stream, what is known when it begins. */
export interface AnthropicMessage {
  type?: string;
  id?: string | null;
  model?: string | null;
  content?: AnthropicAnswerBlock[] | null;
  stop_reason?: string | null;
  usage?: AnthropicUsage | null;
  error?: unknown;
}

/** The deltas of a block, and the one of the message. */
export interface AnthropicDelta {
  type?: string;
  text?: string | null;
  thinking?: string | null;
  signature?: string | null;
  partial_json?: string | null;
  stop_reason?: string | null;
}

/** One event of a stream. */
export interface AnthropicEvent {
  type?: string;
  message?: AnthropicMessage | null;
  index?: number;
  content_block?: AnthropicAnswerBlock | null;
  delta?: AnthropicDelta | null;
  usage?: AnthropicUsage | null;
  error?: unknown;
}
