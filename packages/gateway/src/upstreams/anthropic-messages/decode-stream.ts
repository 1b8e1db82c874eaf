import type { DragomanError, FinishReason, ModelSink, ModelUsage, ProviderMetadata } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { isJsonObject } from '../../tools/json-object.ts';
import { parseAnswer } from '../parse-answer.ts';
import { readSse } from '../sse.ts';
import type { StreamDecoder } from '../upstream.ts';
import { brokenOff, toStreamError } from '../upstream-error.ts';
import type { AnthropicAnswerBlock, AnthropicDelta, AnthropicEvent, AnthropicMessage, AnthropicUsage } from './wire.ts';

/**
 * A Messages stream as model events.
 *
 * Blocks are told apart by their index, which is also the id of text and thoughts. The reason to stop comes before
 * `message_stop`, so an answer that has one is complete even when the last event is lost.
 */
export function decodeAnthropicMessagesStream(sink: ModelSink): StreamDecoder {
  const answer = new MessageReader(sink);
  const sse = readSse((data) => {
    if (answer.isOver) return;
    const event = parseAnswer(data);
    if (isJsonObject(event)) answer.take(event);
  });

  return {
    feed: sse.feed,
    end() {
      sse.end();
      if (answer.isOver) return;
      if (answer.hasStopReason) answer.finish();
      else answer.fail(brokenOff());
    },
  };
}

/** An answer that was not streamed. */
export function decodeAnthropicMessagesResponse(body: unknown, sink: ModelSink): void {
  const answer = new MessageReader(sink);
  const message: AnthropicMessage = isJsonObject(body) ? body : {};
  if (isPresent(message.error)) return answer.fail(toStreamError(message.error));
  if (!Array.isArray(message.content)) return answer.fail(brokenOff());
  answer.takeWhole(message);
}

interface OpenBlock {
  kind: 'text' | 'reasoning' | 'tool';
  id: string;
  /** Comes in pieces, at the end of a thought. */
  signature: string;
  redactedData?: string;
  /** Arguments that came with the start; pieces that follow replace them. */
  wholeInput: string;
  hasInput: boolean;
}

class MessageReader {
  readonly #sink: ModelSink;
  readonly #open = new Map<number, OpenBlock>();
  /** Where the open blocks are, by their kind and id. */
  readonly #places = new Map<string, number>();
  readonly #usage: AnthropicUsage = {};
  #isIntroduced = false;
  #messageId = 'message';
  #hasUsage = false;
  #hasToolCalls = false;
  #stopReason: string | undefined;
  #isOver = false;

  constructor(sink: ModelSink) {
    this.#sink = sink;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get hasStopReason(): boolean {
    return this.#stopReason !== undefined;
  }

  take(event: AnthropicEvent): void {
    switch (event.type) {
      case 'message_start':
        if (isJsonObject(event.message)) this.#introduce(event.message);
        return;
      case 'content_block_start':
        if (typeof event.index === 'number' && isJsonObject(event.content_block))
          this.#start(event.index, event.content_block);
        return;
      case 'content_block_delta':
        if (typeof event.index === 'number' && isJsonObject(event.delta)) this.#takeDelta(event.index, event.delta);
        return;
      case 'content_block_stop':
        if (typeof event.index === 'number') this.#stop(event.index, true);
        return;
      case 'message_delta':
        if (isText(event.delta?.stop_reason)) this.#stopReason = event.delta.stop_reason;
        this.#takeUsage(event.usage);
        return;
      case 'message_stop':
        return this.finish();
      case 'error':
        return this.fail(toStreamError(event.error));
      default: // Pings, and events that are new to us.
    }
  }

  takeWhole(message: AnthropicMessage): void {
    this.#introduce(message);
    for (const [index, block] of (message.content ?? []).entries()) {
      if (!isJsonObject(block)) continue;
      this.#start(index, block);
      this.#stop(index, true);
    }
    if (isText(message.stop_reason)) this.#stopReason = message.stop_reason;
    this.finish();
  }

  finish(): void {
    this.#close(true);
    const reason = toFinishReason(this.#stopReason);
    this.#sink.push({
      type: 'finish',
      finishReason: reason === 'stop' && this.#hasToolCalls ? 'tool-calls' : reason,
      ...optional('rawFinishReason', this.#stopReason),
      ...(this.#hasUsage ? { usage: toUsage(this.#usage) } : {}),
    });
  }

  fail(error: DragomanError): void {
    this.#close(false);
    this.#sink.push({ type: 'error', error });
  }

  /** Some gateways in between repeat the first event. */
  #introduce(message: AnthropicMessage): void {
    this.#takeUsage(message.usage);
    if (this.#isIntroduced) return;
    this.#isIntroduced = true;
    const id = isText(message.id) ? message.id : undefined;
    if (id !== undefined) this.#messageId = id;
    this.#sink.push({
      type: 'response-metadata',
      ...optional('id', id),
      ...optional('modelId', isText(message.model) ? message.model : undefined),
    });
  }

  /** Usage arrives at the start and again at the end of a message; the later one is complete, but may leave fields out. */
  #takeUsage(usage: AnthropicUsage | null | undefined): void {
    if (!isJsonObject(usage)) return;
    this.#hasUsage = true;
    for (const [name, value] of Object.entries(usage))
      if (isPresent(value)) Object.assign(this.#usage, { [name]: value });
  }

  #start(index: number, block: AnthropicAnswerBlock): void {
    switch (block.type) {
      case 'text':
        return this.#startText(index, block);
      case 'thinking':
      case 'redacted_thinking':
        return this.#startThought(index, block);
      case 'tool_use':
        return this.#startToolUse(index, block);
      default: // What the service does itself, such as its own searches, has no place in an answer of ours.
    }
  }

  #startText(index: number, { text }: AnthropicAnswerBlock): void {
    const { id } = this.#hold(index, 'text', String(index));
    this.#sink.push({ type: 'text-start', id });
    if (isText(text)) this.#sink.push({ type: 'text-delta', id, delta: text });
  }

  #startThought(index: number, { thinking, signature, data }: AnthropicAnswerBlock): void {
    const block = this.#hold(index, 'reasoning', String(index));
    if (isText(signature)) block.signature = signature;
    if (isText(data)) block.redactedData = data;
    this.#sink.push({ type: 'reasoning-start', id: block.id });
    if (isText(thinking)) this.#sink.push({ type: 'reasoning-delta', id: block.id, delta: thinking });
  }

  /** A call without a name is nothing one could run. */
  #startToolUse(index: number, { id, name, input }: AnthropicAnswerBlock): void {
    if (!isText(name)) return;
    const block = this.#hold(index, 'tool', isText(id) ? id : `${this.#messageId}_${index}`);
    if (isJsonObject(input)) block.wholeInput = JSON.stringify(input);
    this.#hasToolCalls = true;
    this.#sink.push({ type: 'tool-input-start', id: block.id, toolName: name });
  }

  /** Ends what had this place or name before; only a broken stream leaves something there. */
  #hold(index: number, kind: OpenBlock['kind'], id: string): OpenBlock {
    this.#stop(index, false);
    const other = this.#places.get(kind + id);
    if (other !== undefined) this.#stop(other, false);
    this.#places.set(kind + id, index);
    const block: OpenBlock = { kind, id, signature: '', wholeInput: '{}', hasInput: false };
    this.#open.set(index, block);
    return block;
  }

  #takeDelta(index: number, delta: AnthropicDelta): void {
    const block = this.#open.get(index);
    if (block === undefined) return;
    switch (delta.type) {
      case 'text_delta':
        if (block.kind === 'text' && isText(delta.text))
          this.#sink.push({ type: 'text-delta', id: block.id, delta: delta.text });
        return;
      case 'thinking_delta':
        if (block.kind === 'reasoning' && isText(delta.thinking)) {
          this.#sink.push({ type: 'reasoning-delta', id: block.id, delta: delta.thinking });
        }
        return;
      case 'signature_delta':
        if (isText(delta.signature)) block.signature += delta.signature;
        return;
      case 'input_json_delta':
        if (block.kind === 'tool' && isText(delta.partial_json)) {
          block.hasInput = true;
          this.#sink.push({ type: 'tool-input-delta', id: block.id, delta: delta.partial_json });
        }
        return;
      default: // Citations.
    }
  }

  /** A tool that takes nothing is called without a single piece of input; what leaves here is always an object. */
  #stop(index: number, isComplete: boolean): void {
    const block = this.#open.get(index);
    if (block === undefined) return;
    const { kind, id } = block;
    this.#open.delete(index);
    this.#places.delete(kind + id);
    switch (kind) {
      case 'text':
        return this.#sink.push({ type: 'text-end', id });
      case 'reasoning':
        return this.#sink.push({ type: 'reasoning-end', id, ...optional('providerMetadata', toMetadata(block)) });
      case 'tool':
        if (isComplete && !block.hasInput) this.#sink.push({ type: 'tool-input-delta', id, delta: block.wholeInput });
        return this.#sink.push({ type: 'tool-input-end', id });
    }
  }

  #close(isComplete: boolean): void {
    this.#isOver = true;
    for (const index of this.#open.keys()) this.#stop(index, isComplete);
  }
}

function toMetadata({ redactedData, signature }: OpenBlock): ProviderMetadata | undefined {
  if (redactedData !== undefined) return { anthropic: { redactedData } };
  return signature === '' ? undefined : { anthropic: { signature } };
}

const FINISH_REASONS = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  // The service stopped between its own tools; sending the answer back lets it go on.
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
  ['refusal', 'content-filter'],
]);

function toFinishReason(raw: string | undefined): FinishReason {
  return raw === undefined ? 'stop' : (FINISH_REASONS.get(raw) ?? 'other');
}

/** The service counts what it read from its cache, what it wrote there, and the rest, each alone. */
function toUsage(usage: AnthropicUsage): ModelUsage {
  const cacheRead = count(usage.cache_read_input_tokens);
  const cacheWrite = count(usage.cache_creation_input_tokens);
  return {
    inputTokens: (count(usage.input_tokens) ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0),
    outputTokens: count(usage.output_tokens) ?? 0,
    ...optional('cacheReadTokens', cacheRead),
    ...optional('cacheWriteTokens', cacheWrite),
    ...optional('reasoningTokens', count(usage.output_tokens_details?.thinking_tokens)),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
