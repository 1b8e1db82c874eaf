import {
  type DragomanError,
  type FinishReason,
  type ModelEvent,
  type ModelSink,
  type ModelUsage,
  type ProviderMetadata,
} from '@dragoman/protocol';
import { signCallId } from '../../tools/signed-call-id.ts';
import { answerId } from '../answer-id.ts';
import type { DecodedRequest } from '../dialect.ts';
import { oneBlockAtATime } from '../one-block-at-a-time.ts';
import type { AnthropicContext } from './decode-request.ts';
import { encodeAnthropicStreamError } from './encode-error.ts';
import type { AnthropicAnswerBlock, AnthropicUsage } from './wire.ts';

/**
 * Model events as Messages events.
 *
 * A block of text or thought is opened by its first piece: the service knows no empty text, and a thought that turns out
 * to be redacted is a block of another type. What stands before and after a piece is made once per block, so a piece
 * costs one JSON string.
 */
export function encodeAnthropicStream(
  write: (text: string) => void,
  request: DecodedRequest<AnthropicContext>,
): ModelSink {
  let id = answerId('msg_', undefined);
  let model = request.asked;
  let isStarted = false;
  let isOpen = false;
  let index = -1;
  let deltaHead = '';

  const send = (type: string, fields: object) =>
    write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  const startMessage = () => {
    if (isStarted) return;
    isStarted = true;
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: toAnthropicUsage(undefined),
    };
    send('message_start', { message });
  };
  const open = (block: AnthropicAnswerBlock) => {
    startMessage();
    isOpen = true;
    index++;
    send('content_block_start', { index, content_block: block });
    deltaHead = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{${DELTA_HEADS[block.type]}`;
  };
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    send('content_block_stop', { index });
  };
  const endThought = (metadata: ProviderMetadata | undefined) => {
    const { signature, redactedData } = metadata?.['anthropic'] ?? {};
    if (!isOpen && typeof redactedData === 'string') open({ type: 'redacted_thinking', data: redactedData });
    else if (typeof signature === 'string') {
      if (!isOpen) open(EMPTY_THOUGHT);
      send('content_block_delta', { index, delta: { type: 'signature_delta', signature } });
    }
    close();
  };

  return oneBlockAtATime({
    push(event) {
      switch (event.type) {
        case 'text-delta':
          if (event.delta === '') return;
          if (!isOpen) open(EMPTY_TEXT);
          return write(`${deltaHead}${JSON.stringify(event.delta)}}}\n\n`);
        case 'reasoning-delta':
          if (event.delta === '') return;
          if (!isOpen) open(EMPTY_THOUGHT);
          return write(`${deltaHead}${JSON.stringify(event.delta)}}}\n\n`);
        case 'tool-input-start':
          return open({
            type: 'tool_use',
            id: signCallId(event.id, event.providerMetadata),
            name: request.context.tools.toolOf(event.toolName).name,
            input: {},
          });
        case 'tool-input-delta':
          return write(`${deltaHead}${JSON.stringify(event.delta)}}}\n\n`);
        case 'text-end':
        case 'tool-input-end':
          return close();
        case 'reasoning-end':
          return endThought(event.providerMetadata);
        case 'response-metadata':
          // Once more where another target takes over; a message that has begun keeps what it said.
          if (event.id !== undefined) id = answerId('msg_', event.id);
          model = event.modelId ?? model;
          return;
        case 'finish':
          startMessage();
          close();
          send('message_delta', { delta: toStop(event, request), usage: toAnthropicUsage(event.usage) });
          return send('message_stop', {});
        case 'error':
          return write(encodeAnthropicBreak(event.error));
        default: // The first piece is the start of a text or thought.
      }
    },
  });
}

export function encodeAnthropicBreak(error: DragomanError): string {
  return `event: error\ndata: ${JSON.stringify(encodeAnthropicStreamError(error))}\n\n`;
}

const EMPTY_TEXT: AnthropicAnswerBlock = { type: 'text', text: '' };
const EMPTY_THOUGHT: AnthropicAnswerBlock = { type: 'thinking', thinking: '', signature: '' };

const DELTA_HEADS: Record<AnthropicAnswerBlock['type'], string> = {
  text: '"type":"text_delta","text":',
  thinking: '"type":"thinking_delta","thinking":',
  redacted_thinking: '', // Comes whole.
  tool_use: '"type":"input_json_delta","partial_json":',
};

const STOP_REASONS: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  error: 'end_turn',
  other: 'end_turn',
};

/** Reasons that only this protocol tells apart. */
const RAW_STOP_REASONS = new Set(['stop_sequence', 'pause_turn', 'model_context_window_exceeded']);

/** Why the message ended. Which of several sequences stopped it is not known. */
export function toStop(
  { finishReason, rawFinishReason }: Pick<Extract<ModelEvent, { type: 'finish' }>, 'finishReason' | 'rawFinishReason'>,
  { call }: DecodedRequest<AnthropicContext>,
): { stop_reason: string; stop_sequence: string | null } {
  const isRaw = rawFinishReason !== undefined && finishReason !== 'tool-calls' && RAW_STOP_REASONS.has(rawFinishReason);
  const reason = isRaw ? rawFinishReason : STOP_REASONS[finishReason];
  const [sequence, ...others] = call.stopSequences ?? [];
  return {
    stop_reason: reason,
    stop_sequence: reason === 'stop_sequence' && sequence !== undefined && others.length === 0 ? sequence : null,
  };
}

/** This protocol counts what came from the cache, what went there, and the rest, each alone. */
export function toAnthropicUsage(usage: ModelUsage | undefined): AnthropicUsage {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens } = usage ?? {};
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
    ...(reasoningTokens === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}
