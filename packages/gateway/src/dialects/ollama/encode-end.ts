import type { FinishReason, ModelUsage } from '@dragoman/protocol';
import type { DecodedRequest } from '../dialect.ts';
import type { OllamaContext } from './decode-request.ts';

/** Calls of tools end an answer as its own end does; what a provider held back has no word of its own there. */
const DONE_REASONS: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'stop',
  'content-filter': 'content_filter',
  error: 'stop',
  other: 'stop',
};

const NANOSECONDS = 1_000_000;

/** What the last line says, or the whole answer that takes its place: why it ended, what it took and how long. */
export function encodeOllamaEnd(
  { finishReason, usage }: { finishReason: FinishReason; usage?: ModelUsage | undefined },
  { asked, context }: DecodedRequest<OllamaContext>,
  firstAt = performance.now(),
  said: Readonly<Record<string, unknown>> = {},
) {
  const now = performance.now();
  const nanoseconds = (from: number, to: number) => Math.max(1, Math.round((to - from) * NANOSECONDS)); // Clients divide by it.
  return {
    model: asked || 'default',
    created_at: new Date().toISOString(),
    ...(context.kind === 'chat' ? { message: { role: 'assistant', content: '', ...said } } : { response: '', ...said }),
    done: true,
    done_reason: DONE_REASONS[finishReason],
    total_duration: nanoseconds(context.startedAt, now),
    load_duration: 0,
    prompt_eval_count: usage?.inputTokens ?? 0,
    prompt_eval_duration: nanoseconds(context.startedAt, firstAt),
    eval_count: usage?.outputTokens ?? 0,
    eval_duration: nanoseconds(firstAt, now),
  };
}
