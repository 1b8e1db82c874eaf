import type { FinishReason, ModelUsage } from '@dragoman/protocol';
import type { DecodedRequest } from '../dialect.ts';
import type { ResponsesContext } from './decode-request.ts';
import type { ResponsesOutputItem } from './wire.ts';

/** How far a response has come. */
export interface ResponseState {
  id: string;
  model: string;
  createdAt: number;
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  incompleteReason?: string;
  error?: { code: string; message: string };
  output: ResponsesOutputItem[];
  usage?: ModelUsage | undefined;
}

/**
 * The response object, as it stands in events and alone.
 *
 * Settings are repeated as the protocol wants it. Instructions and tools are not: they are the client's own words, tens
 * of kilobytes in a coding agent, and would go back three times with every answer.
 */
export function toResponseObject(state: ResponseState, { call, context }: DecodedRequest<ResponsesContext>): unknown {
  const { status, incompleteReason } = state;
  return {
    id: state.id,
    object: 'response',
    created_at: state.createdAt,
    completed_at: status === 'completed' ? nowInSeconds() : null,
    status,
    background: false,
    error: state.error ?? null,
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
    instructions: null,
    max_output_tokens: call.maxOutputTokens ?? null,
    max_tool_calls: null,
    model: state.model,
    output: state.output,
    parallel_tool_calls: call.allowsParallelTools ?? true,
    previous_response_id: context.kept?.previousId ?? null,
    prompt_cache_key: null,
    reasoning: context.reasoning,
    safety_identifier: null,
    service_tier: 'default',
    store: context.kept !== undefined,
    temperature: call.temperature ?? 1,
    text: context.text,
    tool_choice: context.toolChoice,
    tools: [],
    top_logprobs: 0,
    top_p: call.topP ?? 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    truncation: 'disabled',
    usage: status === 'in_progress' ? null : toResponsesUsage(state.usage),
    metadata: context.metadata,
  };
}

/** How a response ends, by why the model stopped. */
export function toEnding(reason: FinishReason): Pick<ResponseState, 'status' | 'incompleteReason' | 'error'> {
  return ENDINGS[reason];
}

const ENDINGS: Record<FinishReason, Pick<ResponseState, 'status' | 'incompleteReason' | 'error'>> = {
  stop: { status: 'completed' },
  'tool-calls': { status: 'completed' },
  other: { status: 'completed' },
  length: { status: 'incomplete', incompleteReason: 'max_output_tokens' },
  'content-filter': { status: 'incomplete', incompleteReason: 'content_filter' },
  error: { status: 'failed', error: { code: 'server_error', message: 'The model ended its answer with an error.' } },
};

export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function toResponsesUsage(usage: ModelUsage | undefined): unknown {
  if (usage === undefined) return null;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens ?? 0, cache_write_tokens: cacheWriteTokens ?? 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
