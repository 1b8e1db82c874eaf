/** The parts of Ollama's chat protocol that we read and write, spelt as on the wire. */

export interface OllamaMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  thinking?: string;
  /** Base64 without a media type; the server finds out itself. */
  images?: string[];
  tool_calls?: OllamaToolCall[];
  tool_name?: string;
  tool_call_id?: string;
}

export interface OllamaToolCall {
  /** Older servers give none. */
  id?: string;
  function: { name: string; arguments: Readonly<Record<string, unknown>> };
}

/** One line of a stream, or a whole answer. The counts come with the last one; a count of nought is left out. */
export interface OllamaChunk {
  model?: string;
  message?: { content?: string; thinking?: string; tool_calls?: OllamaToolCall[] };
  done?: boolean;
  done_reason?: string;
  prompt_eval_count?: number;
  eval_count?: number;
  error?: unknown;
}
