import { DragomanError, type ModelMessage } from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { optional } from '../../optional.ts';
import type { DecodedRequest } from '../dialect.ts';
import { fillGap } from '../fill-gap.ts';
import { unreadFields } from '../unread-fields.ts';
import { COMPLETION_FIELDS } from './fields.ts';
import { type CompletionRequest, completionRequestSchema } from './wire.ts';

export interface CompletionContext {
  /** What stands before the answer: the prompt, where the client wants it back. */
  echoed: string;
  wantsUsage: boolean;
}

/** A legacy Completions request as a model call: its prompt is what the user says. */
export function decodeCompletionRequest(body: unknown): DecodedRequest<CompletionContext> {
  const request = parseBody(completionRequestSchema, body);
  refuseWhatChatLacks(request);
  const unread = unreadFields(body, COMPLETION_FIELDS);
  const prompt = textOf(request.prompt);
  const { stop } = request;
  return {
    asked: request.model ?? '',
    call: {
      prompt: promptOf(prompt, request.suffix ?? ''),
      tools: [],
      ...optional('maxOutputTokens', request.max_tokens),
      ...optional('temperature', request.temperature),
      ...optional('topP', request.top_p),
      ...optional('topK', request.top_k),
      ...optional('minP', request.min_p),
      ...optional('presencePenalty', request.presence_penalty),
      ...optional('frequencyPenalty', request.frequency_penalty),
      ...optional('stopSequences', typeof stop === 'string' ? [stop] : stop),
      ...optional('seed', request.seed),
      ...optional('endUser', request.user || undefined),
    },
    ...(unread.length === 0 ? {} : { leftOut: unread }),
    isStreamed: request.stream === true,
    context: {
      echoed: request.echo === true ? prompt : '',
      wantsUsage: request.stream_options?.include_usage === true,
    },
  };
}

function promptOf(text: string, suffix: string): ModelMessage[] {
  const gap = fillGap(text, suffix);
  return [
    ...(gap.instruction === '' ? [] : [{ role: 'system' as const, content: gap.instruction }]),
    { role: 'user', content: [{ type: 'text', text: gap.question }] },
  ];
}

/** Clients that know several prompts send a list of one, too. */
function textOf(prompt: CompletionRequest['prompt']): string {
  if (typeof prompt === 'string') return prompt;
  const [first, ...others] = prompt;
  if (first === undefined) throw new DragomanError('bad-request', 'prompt: expected a text');
  if (typeof first !== 'string')
    throw new DragomanError('bad-request', 'prompt: this model cannot read token IDs; send the text.');
  if (others.length > 0)
    throw new DragomanError('bad-request', 'prompt: several prompts cannot be answered at once; send them one by one.');
  return first;
}

/** A provider that has this protocol itself is passed all of these. A chat model cannot be told of them. */
function refuseWhatChatLacks(request: CompletionRequest): void {
  const { n, best_of: bestOf, logprobs, logit_bias: bias, max_tokens: most } = request;
  const refuse = (field: string, reason: string) => {
    throw new DragomanError('bad-request', `${field}: ${reason}`);
  };
  if ((n ?? 1) !== 1) refuse('n', 'this model gives one answer at a time; leave it out or send 1.');
  if ((bestOf ?? 1) !== 1) refuse('best_of', 'this model gives one answer at a time; leave it out or send 1.');
  if (logprobs !== undefined && logprobs !== null)
    refuse('logprobs', 'this model does not return log probabilities; leave it out.');
  if (Object.keys(bias ?? {}).length > 0)
    refuse('logit_bias', 'this model does not support token biases; leave it out.');
  if (most === 0) refuse('max_tokens', 'this model writes at least one token.');
}
