import { randomUUID } from 'node:crypto';
import type { DragomanError, FinishReason, ModelSink, ModelUsage } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { isJsonObject } from '../../tools/json-object.ts';
import { OpenBlocks } from '../open-blocks.ts';
import { parseAnswer } from '../parse-answer.ts';
import type { StreamDecoder } from '../upstream.ts';
import { brokenOff, toStreamError } from '../upstream-error.ts';
import { readLines } from './read-lines.ts';
import type { OllamaChunk, OllamaToolCall } from './wire.ts';

/** A stream of Ollama's lines as model events. The line that is done ends the answer and carries its usage. */
export function decodeOllamaStream(sink: ModelSink, newCallId?: () => string): StreamDecoder {
  const answer = new OllamaAnswerReader(sink, newCallId);
  const lines = readLines((line) => {
    const chunk = asChunk(parseAnswer(line));
    if (chunk !== undefined) answer.take(chunk);
  });

  return {
    feed: lines.feed,
    end() {
      lines.end();
      answer.end();
    },
  };
}

/** An answer that was not streamed. */
export function decodeOllamaResponse(body: unknown, sink: ModelSink, newCallId?: () => string): void {
  const answer = new OllamaAnswerReader(sink, newCallId);
  const chunk = asChunk(body);
  if (chunk !== undefined) answer.take(chunk);
  answer.end();
}

class OllamaAnswerReader {
  readonly #sink: ModelSink;
  readonly #blocks: OpenBlocks;
  readonly #newCallId: () => string;
  readonly #callIds = new Set<string>();
  #isIntroduced = false;
  #isOver = false;

  constructor(sink: ModelSink, newCallId: () => string = () => `call_${randomUUID()}`) {
    this.#sink = sink;
    this.#blocks = new OpenBlocks(sink);
    this.#newCallId = newCallId;
  }

  take(chunk: OllamaChunk): void {
    if (this.#isOver) return;
    if (chunk.error !== undefined && chunk.error !== null) return this.#fail(toStreamError(chunk.error));
    if (!this.#isIntroduced) this.#introduce(chunk);
    const message = chunk.message;
    if (isText(message?.thinking)) this.#blocks.reasoning(message.thinking);
    if (isText(message?.content)) this.#blocks.text(message.content);
    if (Array.isArray(message?.tool_calls)) for (const call of message.tool_calls) this.#takeCall(call);
    if (chunk.done === true) this.#finish(chunk);
  }

  /** The bytes have come to an end. */
  end(): void {
    if (!this.#isOver) this.#fail(brokenOff());
  }

  #introduce(chunk: OllamaChunk): void {
    this.#isIntroduced = true;
    this.#sink.push({ type: 'response-metadata', ...(isText(chunk.model) ? { modelId: chunk.model } : {}) });
  }

  /** A call comes whole, with its arguments as an object. */
  #takeCall(call: OllamaToolCall | null): void {
    const made = call?.function;
    if (!isText(made?.name)) return;
    this.#blocks.close();
    const id = isText(call?.id) && !this.#callIds.has(call.id) ? call.id : this.#newCallId();
    this.#callIds.add(id);
    this.#sink.push({ type: 'tool-input-start', id, toolName: made.name });
    this.#sink.push({
      type: 'tool-input-delta',
      id,
      delta: JSON.stringify(isJsonObject(made.arguments) ? made.arguments : {}),
    });
    this.#sink.push({ type: 'tool-input-end', id });
  }

  #finish(chunk: OllamaChunk): void {
    this.#isOver = true;
    this.#blocks.close();
    const raw = isText(chunk.done_reason) ? chunk.done_reason : undefined;
    const usage = toUsage(chunk);
    this.#sink.push({
      type: 'finish',
      finishReason: this.#callIds.size > 0 ? 'tool-calls' : toFinishReason(raw),
      ...optional('rawFinishReason', raw),
      ...optional('usage', usage),
    });
  }

  #fail(error: DragomanError): void {
    this.#isOver = true;
    this.#blocks.close();
    this.#sink.push({ type: 'error', error });
  }
}

/** Older servers give no reason. */
function toFinishReason(raw: string | undefined): FinishReason {
  if (raw === undefined || raw === 'stop') return 'stop';
  return raw === 'length' ? 'length' : 'other';
}

function toUsage(chunk: OllamaChunk): ModelUsage | undefined {
  const [input, output] = [count(chunk.prompt_eval_count), count(chunk.eval_count)];
  return input === undefined && output === undefined
    ? undefined
    : { inputTokens: input ?? 0, outputTokens: output ?? 0 };
}

/** What is not a JSON object is skipped, and the stream goes on. */
function asChunk(value: unknown): OllamaChunk | undefined {
  return isJsonObject(value) ? value : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
