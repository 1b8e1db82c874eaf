/** The parts of the Chat Completions protocol that we read and write, spelt as on the wire. */

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | ChatContentPart[] | null;
  tool_calls?: ChatToolCall[];
  tool_call_id?: string;
  /** OpenRouter's form of reasoning, which it wants back. */
  reasoning_details?: unknown;
}

export type ChatContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: string } }
  | { type: 'file'; file: { filename: string; file_data: string } };

export interface ChatToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface ChatUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null; cache_write_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
  /** DeepSeek's own words. */
  prompt_cache_hit_tokens?: number | null;
  /** OpenRouter: US dollars. */
  cost?: number | null;
}

/** A message, or in a stream the pieces of one. */
export interface ChatDelta {
  content?: string | null;
  /** DeepSeek, vLLM and others. */
  reasoning_content?: string | null;
  /** OpenRouter and Ollama. */
  reasoning?: string | null;
  reasoning_details?: unknown[] | null;
  refusal?: string | null;
  tool_calls?: ChatToolCallDelta[] | null;
}

export interface ChatToolCallDelta {
  index?: number;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null } | null;
}

/** One event of a stream, or a whole answer. */
export interface ChatChunk {
  id?: string;
  model?: string;
  choices?: { delta?: ChatDelta | null; message?: ChatDelta | null; finish_reason?: string | null }[] | null;
  usage?: ChatUsage | null;
  error?: unknown;
}
