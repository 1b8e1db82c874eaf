/** The parts of the Responses protocol that we read and write, spelt as on the wire. */

export type ResponsesInputPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail?: string }
  | { type: 'input_file'; filename: string; file_data: string }
  | { type: 'input_file'; file_url: string };

export type ResponsesInputItem =
  | { type: 'message'; role: 'system' | 'user'; content: ResponsesInputPart[] }
  | { type: 'message'; role: 'assistant'; content: { type: 'output_text'; text: string }[]; phase?: string }
  | { type: 'reasoning'; id?: string; summary: { type: 'summary_text'; text: string }[]; encrypted_content: string }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string | ResponsesInputPart[] };

export interface ResponsesUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  input_tokens_details?: { cached_tokens?: number | null; cache_write_tokens?: number | null } | null;
  output_tokens_details?: { reasoning_tokens?: number | null } | null;
}

/** An item of an answer; in a stream, how it begins and how it ends. */
export interface ResponsesOutputItem {
  type?: string;
  id?: string | null;
  /** Of a message: text, or the words of a refusal. Of reasoning: the thoughts themselves, where a model shows them. */
  content?: { type?: string; text?: string | null; refusal?: string | null }[] | null;
  /** Of a message: whether it is the answer, or said on the way to it. Wanted back. */
  phase?: string | null;
  summary?: { text?: string | null }[] | null;
  encrypted_content?: string | null;
  call_id?: string | null;
  name?: string | null;
  arguments?: string | null;
}

/** A whole answer; in a stream, what is known of it by then. */
export interface ResponsesResponse {
  id?: string | null;
  model?: string | null;
  status?: string | null;
  output?: ResponsesOutputItem[] | null;
  incomplete_details?: { reason?: string | null } | null;
  usage?: ResponsesUsage | null;
  error?: unknown;
}

/** One event of a stream. */
export interface ResponsesEvent {
  type?: string;
  response?: ResponsesResponse | null;
  output_index?: number;
  item_id?: string;
  item?: ResponsesOutputItem | null;
  content_index?: number;
  summary_index?: number;
  delta?: string | null;
  arguments?: string | null;
  error?: unknown;
}
