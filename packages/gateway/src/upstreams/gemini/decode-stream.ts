import { randomUUID } from 'node:crypto';
import type { DragomanError, FinishReason, ModelSink, ModelUsage, ProviderMetadata } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { isJsonObject } from '../../tools/json-object.ts';
import { OpenBlocks } from '../open-blocks.ts';
import { parseAnswer } from '../parse-answer.ts';
import { readSse } from '../sse.ts';
import type { StreamDecoder } from '../upstream.ts';
import { brokenOff, toStreamError } from '../upstream-error.ts';
import type { GeminiChunk, GeminiPart, GeminiUsage } from './wire.ts';

/**
 * A Gemini stream as model events.
 *
 * Nothing marks the end but the end of the bytes; an answer is complete when it has said why it stopped, or why the
 * prompt was blocked.
 */
export function decodeGeminiStream(sink: ModelSink, newCallId?: () => string): StreamDecoder {
  const answer = new GeminiAnswerReader(sink, newCallId);
  let isOver = false;
  const sse = readSse((data) => {
    if (isOver) return;
    const chunk = asChunk(parseAnswer(data));
    if (chunk === undefined) return;
    if (isGiven(chunk.error)) {
      isOver = true;
      answer.fail(toStreamError(chunk.error));
      return;
    }
    answer.take(chunk);
  });

  return {
    feed: sse.feed,
    end() {
      sse.end();
      if (isOver) return;
      isOver = true;
      answer.finish();
    },
  };
}

/** An answer that was not streamed. */
export function decodeGeminiResponse(body: unknown, sink: ModelSink, newCallId?: () => string): void {
  const answer = new GeminiAnswerReader(sink, newCallId);
  const chunk = asChunk(body);
  if (chunk !== undefined && isGiven(chunk.error)) return answer.fail(toStreamError(chunk.error));
  if (chunk !== undefined) answer.take(chunk);
  answer.finish();
}

class GeminiAnswerReader {
  readonly #sink: ModelSink;
  readonly #blocks: OpenBlocks;
  readonly #newCallId: () => string;
  readonly #callIds = new Set<string>();
  #isIntroduced = false;
  #rawFinishReason: string | undefined;
  #blockReason: string | undefined;
  #usage: ModelUsage | undefined;

  constructor(sink: ModelSink, newCallId: () => string = () => `call_${randomUUID()}`) {
    this.#sink = sink;
    this.#blocks = new OpenBlocks(sink);
    this.#newCallId = newCallId;
  }

  take(chunk: GeminiChunk): void {
    if (!this.#isIntroduced) this.#introduce(chunk);
    if (isJsonObject(chunk.usageMetadata)) this.#usage = toUsage(chunk.usageMetadata);
    if (isText(chunk.promptFeedback?.blockReason)) this.#blockReason = chunk.promptFeedback.blockReason;
    const candidate = Array.isArray(chunk.candidates) ? chunk.candidates[0] : undefined;
    const parts = candidate?.content?.parts;
    if (Array.isArray(parts)) for (const part of parts) this.#takePart(part);
    if (isText(candidate?.finishReason)) this.#rawFinishReason = candidate.finishReason;
  }

  finish(): void {
    const raw = this.#rawFinishReason ?? this.#blockReason;
    if (raw === undefined) return this.fail(brokenOff());
    this.#blocks.close();
    const reason = this.#rawFinishReason === undefined ? 'content-filter' : (FINISH_REASONS.get(raw) ?? 'other');
    this.#sink.push({
      type: 'finish',
      finishReason: this.#callIds.size > 0 ? 'tool-calls' : reason,
      rawFinishReason: raw,
      ...optional('usage', this.#usage),
    });
  }

  fail(error: DragomanError): void {
    this.#blocks.close();
    this.#sink.push({ type: 'error', error });
  }

  #introduce(chunk: GeminiChunk): void {
    this.#isIntroduced = true;
    this.#sink.push({
      type: 'response-metadata',
      ...(isText(chunk.responseId) ? { id: chunk.responseId } : {}),
      ...(isText(chunk.modelVersion) ? { modelId: chunk.modelVersion } : {}),
    });
  }

  #takePart(part: GeminiPart | null): void {
    const signature = isText(part?.thoughtSignature)
      ? { google: { thoughtSignature: part.thoughtSignature } }
      : undefined;
    if (isJsonObject(part?.functionCall)) this.#takeCall(part.functionCall, signature);
    else if (typeof part?.text === 'string') this.#takeText(part.text, part.thought === true, signature);
  }

  /** A signature ends its block. In a stream it may come after the text, with an empty piece of its own. */
  #takeText(text: string, isThought: boolean, signature: ProviderMetadata | undefined): void {
    if (text !== '') {
      if (isThought) this.#blocks.reasoning(text);
      else this.#blocks.text(text);
    }
    if (signature !== undefined && isThought === this.#blocks.isReasoningOpen) this.#blocks.close(signature);
  }

  /** A call comes whole. Older models give it no id. */
  #takeCall(call: NonNullable<GeminiPart['functionCall']>, signature: ProviderMetadata | undefined): void {
    if (!isText(call.name)) return;
    this.#blocks.close();
    const id = isText(call.id) && !this.#callIds.has(call.id) ? call.id : this.#newCallId();
    this.#callIds.add(id);
    this.#sink.push({ type: 'tool-input-start', id, toolName: call.name, ...optional('providerMetadata', signature) });
    this.#sink.push({ type: 'tool-input-delta', id, delta: JSON.stringify(isJsonObject(call.args) ? call.args : {}) });
    this.#sink.push({
      type: 'tool-input-end',
      id,
      ...optional('providerMetadata', signature),
    });
  }
}

const FINISH_REASONS = new Map<string, FinishReason>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['UNEXPECTED_TOOL_CALL', 'error'],
  ['TOO_MANY_TOOL_CALLS', 'error'],
  ['MALFORMED_RESPONSE', 'error'],
]);

/** Thoughts are billed as output but counted apart. */
function toUsage(usage: GeminiUsage): ModelUsage {
  const thoughts = count(usage.thoughtsTokenCount);
  const cacheRead = count(usage.cachedContentTokenCount);
  return {
    inputTokens: (count(usage.promptTokenCount) ?? 0) + (count(usage.toolUsePromptTokenCount) ?? 0),
    outputTokens: (count(usage.candidatesTokenCount) ?? 0) + (thoughts ?? 0),
    ...optional('reasoningTokens', thoughts),
    ...optional('cacheReadTokens', cacheRead),
  };
}

/** What is not a JSON object is skipped, and the stream goes on. */
function asChunk(value: unknown): GeminiChunk | undefined {
  return isJsonObject(value) ? value : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
