import type { DragomanError, FinishReason, ModelSink, ModelUsage } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { isJsonObject } from '../../tools/json-object.ts';
import { ANSWER_LIMITS, answerTooLarge } from '../answer-limits.ts';
import { parseAnswer } from '../parse-answer.ts';
import { readSse } from '../sse.ts';
import type { StreamDecoder } from '../upstream.ts';
import { brokenOff, toStreamError } from '../upstream-error.ts';
import type { ResponsesEvent, ResponsesOutputItem, ResponsesResponse, ResponsesUsage } from './wire.ts';

/**
 * A Responses stream as model events: an output item is one block.
 *
 * Items are told apart by their place in the output, because some services give an item a new id with every event. A
 * block is started by its first piece, so an item that turns out empty leaves no trace.
 */
export function decodeOpenAiResponsesStream(sink: ModelSink): StreamDecoder {
  const answer = new ResponseReader(sink);
  const sse = readSse((data) => {
    if (answer.isOver) return;
    const event = parseAnswer(data);
    if (isJsonObject(event)) answer.take(event);
  });

  return {
    feed: sse.feed,
    end() {
      sse.end();
      if (!answer.isOver) answer.fail(brokenOff());
    },
  };
}

/** An answer that was not streamed. */
export function decodeOpenAiResponsesResponse(body: unknown, sink: ModelSink): void {
  const answer = new ResponseReader(sink);
  const response: ResponsesResponse = isJsonObject(body) ? body : {};
  if (response.error !== undefined && response.error !== null) return answer.fail(toStreamError(response.error));
  if (!Array.isArray(response.output) || response.status === 'failed') return answer.fail(brokenOff());
  answer.finish(response);
}

type Kind = 'text' | 'reasoning' | 'tool';

interface Item {
  kind: Kind;
  id: string;
  toolName: string;
  state: 'waiting' | 'open' | 'ended';
  hasPieces: boolean;
  /** Which part of a summary the last piece belonged to. */
  part: string;
}

class ResponseReader {
  readonly #sink: ModelSink;
  /** By their place. */
  readonly #items = new Map<string, Item>();
  /** Those that are open, by their kind and id. */
  readonly #open = new Map<string, Item>();
  #isIntroduced = false;
  #hasToolCalls = false;
  #hasRefusal = false;
  #isOver = false;

  constructor(sink: ModelSink) {
    this.#sink = sink;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  take(event: ResponsesEvent): void {
    switch (event.type) {
      case 'response.created':
      case 'response.in_progress':
        if (isJsonObject(event.response)) this.#introduce(event.response);
        return;
      case 'response.output_item.added':
        if (isJsonObject(event.item)) this.#add(placeOf(event), event.item);
        return;
      case 'response.output_text.delta':
        return this.#write(event, 'text', '');
      case 'response.refusal.delta':
        this.#hasRefusal = true;
        return this.#write(event, 'text', '');
      case 'response.reasoning_summary_text.delta':
        return this.#write(event, 'reasoning', `summary ${count(event.summary_index)}`);
      case 'response.reasoning_text.delta':
        return this.#write(event, 'reasoning', `text ${count(event.content_index)}`);
      case 'response.function_call_arguments.delta':
        return this.#write(event, 'tool', '');
      case 'response.output_item.done':
        if (isJsonObject(event.item)) this.#complete(placeOf(event), event.item);
        return;
      case 'response.completed':
      case 'response.incomplete':
        return this.finish(isJsonObject(event.response) ? event.response : {});
      case 'response.failed':
        return this.fail(toStreamError(event.response?.error));
      case 'error':
        // Documented as the event itself; sent as a field of it.
        return this.fail(toStreamError(event.error ?? event));
      default: // Events that are new to us, and those that only repeat what was said piece by piece.
    }
  }

  finish(response: ResponsesResponse): void {
    this.#introduce(response);
    this.#completeAll(response);
    this.#close();
    const { finishReason, raw } = this.#reason(response);
    this.#sink.push({
      type: 'finish',
      finishReason,
      ...optional('rawFinishReason', raw),
      ...(isJsonObject(response.usage) ? { usage: toUsage(response.usage) } : {}),
    });
  }

  fail(error: DragomanError): void {
    this.#close();
    this.#sink.push({ type: 'error', error });
  }

  /** Items that did not come one by one, or not to their end, are taken from the whole: all of them when nothing was streamed. */
  #completeAll({ output }: ResponsesResponse): void {
    if (!Array.isArray(output)) return;
    const hasNone = this.#items.size === 0;
    for (const [index, item] of output.entries()) {
      if (isJsonObject(item) && (hasNone || this.#items.has(String(index)))) this.#complete(String(index), item);
    }
  }

  #introduce({ id, model }: ResponsesResponse): void {
    if (this.#isIntroduced) return;
    this.#isIntroduced = true;
    this.#sink.push({
      type: 'response-metadata',
      ...optional('id', isText(id) ? id : undefined),
      ...optional('modelId', isText(model) ? model : undefined),
    });
  }

  #reason(response: ResponsesResponse): { finishReason: FinishReason; raw: string | undefined } {
    if (this.#hasRefusal) return { finishReason: 'content-filter', raw: 'refusal' };
    const reason = response.incomplete_details?.reason;
    if (isText(reason)) return { finishReason: INCOMPLETE_REASONS.get(reason) ?? 'other', raw: reason };
    const raw = isText(response.status) ? response.status : undefined;
    if (raw === 'incomplete') return { finishReason: 'other', raw };
    return { finishReason: this.#hasToolCalls ? 'tool-calls' : 'stop', raw };
  }

  /** The place an item takes in the answer. Items that the service fills itself, such as its own searches, have none. */
  #add(place: string, { type, id, call_id: callId, name }: ResponsesOutputItem): Item | undefined {
    const known = this.#items.get(place);
    if (known !== undefined) return known;
    const kind = KINDS.get(type ?? '');
    if (kind === undefined) return undefined;
    // A call without an id or a name is nothing one could run and answer.
    if (kind === 'tool' && (!isText(callId) || !isText(name))) return undefined;
    const item: Item = {
      kind,
      id: kind === 'tool' ? (callId as string) : isText(id) ? id : place,
      toolName: name ?? '',
      state: 'waiting',
      hasPieces: false,
      part: '',
    };
    if (this.#items.size === ANSWER_LIMITS.blocks) throw answerTooLarge(`more than ${ANSWER_LIMITS.blocks} blocks`);
    this.#items.set(place, item);
    if (kind === 'tool') this.#start(item);
    return item;
  }

  /** Ends what had this name before; only a broken stream leaves something there. */
  #start(item: Item): void {
    const other = this.#open.get(item.kind + item.id);
    if (other !== undefined) this.#end(other);
    this.#open.set(item.kind + item.id, item);
    item.state = 'open';
    if (item.kind === 'tool') {
      this.#hasToolCalls = true;
      this.#sink.push({ type: 'tool-input-start', id: item.id, toolName: item.toolName });
    } else this.#sink.push({ type: `${item.kind}-start`, id: item.id });
  }

  #write(event: ResponsesEvent, kind: Kind, part: string): void {
    const item = this.#items.get(placeOf(event));
    if (item !== undefined && item.kind === kind) this.#push(item, event.delta, part);
  }

  /** The parts of a summary are paragraphs. */
  #push(item: Item, delta: unknown, part: string): void {
    if (item.state === 'ended' || !isText(delta)) return;
    if (item.state === 'waiting') this.#start(item);
    const isNextPart = item.hasPieces && item.part !== part;
    item.hasPieces = true;
    item.part = part;
    this.#sink.push({ type: DELTAS[item.kind], id: item.id, delta: isNextPart ? `\n\n${delta}` : delta });
  }

  /** An item's last word repeats all of it, and is the only one where a service sends no pieces. */
  #complete(place: string, whole: ResponsesOutputItem): void {
    const item = this.#add(place, whole);
    if (item === undefined || item.state === 'ended') return;
    switch (item.kind) {
      case 'text':
        if (!item.hasPieces) this.#pushContent(item, whole);
        return this.#end(item, isText(whole.phase) ? { phase: whole.phase } : undefined);
      case 'reasoning': {
        if (!item.hasPieces) this.#pushReasoning(item, whole);
        const encrypted = isText(whole.encrypted_content) ? { encryptedContent: whole.encrypted_content } : {};
        if (item.state === 'waiting' && 'encryptedContent' in encrypted) this.#start(item);
        return this.#end(item, { itemId: isText(whole.id) ? whole.id : item.id, ...encrypted });
      }
      case 'tool':
        // What leaves here is always an object.
        if (!item.hasPieces) this.#push(item, isText(whole.arguments) ? whole.arguments : '{}', '');
        return this.#end(item);
    }
  }

  #pushContent(item: Item, { content }: ResponsesOutputItem): void {
    if (!Array.isArray(content)) return;
    for (const part of content) {
      if (!isJsonObject(part)) continue;
      if (part.type === 'refusal') this.#hasRefusal = true;
      this.#push(item, part.type === 'refusal' ? part.refusal : part.text, '');
    }
  }

  #pushReasoning(item: Item, { summary, content }: ResponsesOutputItem): void {
    const parts = Array.isArray(summary) && summary.length > 0 ? summary : Array.isArray(content) ? content : [];
    for (const [index, part] of parts.entries()) if (isJsonObject(part)) this.#push(item, part.text, String(index));
  }

  #end(item: Item, metadata?: Readonly<Record<string, string>>): void {
    const isOpen = item.state === 'open';
    item.state = 'ended';
    if (!isOpen) return;
    this.#open.delete(item.kind + item.id);
    this.#sink.push({
      type: ENDS[item.kind],
      id: item.id,
      ...(metadata === undefined ? {} : { providerMetadata: { openai: metadata } }),
    });
  }

  #close(): void {
    this.#isOver = true;
    for (const item of this.#items.values()) this.#end(item);
  }
}

const KINDS = new Map<string, Kind>([
  ['message', 'text'],
  ['reasoning', 'reasoning'],
  ['function_call', 'tool'],
]);

const DELTAS = { text: 'text-delta', reasoning: 'reasoning-delta', tool: 'tool-input-delta' } as const;
const ENDS = { text: 'text-end', reasoning: 'reasoning-end', tool: 'tool-input-end' } as const;

const INCOMPLETE_REASONS = new Map<string, FinishReason>([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
]);

function placeOf({ output_index: index, item_id: id, item }: ResponsesEvent): string {
  if (typeof index === 'number') return String(index);
  return isText(id) ? id : isText(item?.id) ? item.id : '';
}

function toUsage(usage: ResponsesUsage): ModelUsage {
  return {
    inputTokens: count(usage.input_tokens) ?? 0,
    outputTokens: count(usage.output_tokens) ?? 0,
    ...optional('cacheReadTokens', count(usage.input_tokens_details?.cached_tokens)),
    ...optional('cacheWriteTokens', count(usage.input_tokens_details?.cache_write_tokens)),
    ...optional('reasoningTokens', count(usage.output_tokens_details?.reasoning_tokens)),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
