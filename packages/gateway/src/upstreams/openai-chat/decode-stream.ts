import type { FinishReason, ModelSink, ModelUsage } from '@dragoman/protocol';
import { ANSWER_LIMITS, answerTooLarge } from '../answer-limits.ts';
import { OpenBlocks } from '../open-blocks.ts';
import { parseAnswer } from '../parse-answer.ts';
import { readSse } from '../sse.ts';
import type { StreamDecoder } from '../upstream.ts';
import { brokenOff, toStreamError } from '../upstream-error.ts';
import type { ChatChunk, ChatDelta, ChatToolCallDelta, ChatUsage } from './wire.ts';

/**
 * A Chat Completions stream as model events.
 *
 * Tool calls are told apart by their index and leave in its order, whatever order their pieces come in. Usage arrives
 * after the finish reason, in an event of its own, so the end waits for `[DONE]` or the end of the bytes.
 */
export function decodeOpenAiChatStream(sink: ModelSink): StreamDecoder {
  const answer = new ChatAnswerReader(sink);
  let isOver = false;
  const sse = readSse((data) => {
    if (isOver) return;
    if (data === '[DONE]') {
      isOver = true;
      answer.finish();
      return;
    }
    const text = plainText(data);
    if (text !== undefined && answer.takeText(text)) return;
    const chunk = parseChunk(data);
    if (chunk === undefined) return;
    if (chunk.error !== undefined && chunk.error !== null) {
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
      if (answer.hasFinishReason) answer.finish();
      else answer.fail(brokenOff());
    },
  };
}

/** An answer that was not streamed. */
export function decodeOpenAiChatResponse(body: unknown, sink: ModelSink): void {
  const answer = new ChatAnswerReader(sink);
  const chunk = body as ChatChunk | null;
  if (chunk?.error !== undefined && chunk.error !== null) return answer.fail(toStreamError(chunk.error));
  if (chunk?.choices?.[0] === undefined) return answer.fail(brokenOff());
  answer.take(chunk);
  answer.finish();
}

/** What a detail of a thought costs, beside its texts. */
const DETAIL_COST = 100;

interface OpenToolCall {
  id: string;
  name: string;
  /** Argument pieces that came before the call could be announced. */
  held: string;
  isStarted: boolean;
}

class ChatAnswerReader {
  readonly #sink: ModelSink;
  readonly #blocks: OpenBlocks;
  readonly #calls = new Map<number, OpenToolCall>();
  readonly #callIds = new Set<string>();
  /** The lowest index that was not announced. */
  #next = 0;
  /** The length of the arguments that wait to be passed on. */
  #held = 0;
  #isIntroduced = false;
  #rawFinishReason: string | undefined;
  #hasRefusal = false;
  #usage: ModelUsage | undefined;
  readonly #details: unknown[] = [];
  /** What they cost: to keep, and to pass on, since every thought tells all of them. */
  readonly #detailCosts = { kept: 0, told: 0 };
  /** How many were passed on. */
  #toldDetails = 0;

  constructor(sink: ModelSink) {
    this.#sink = sink;
    this.#blocks = new OpenBlocks(sink);
  }

  get hasFinishReason(): boolean {
    return this.#rawFinishReason !== undefined;
  }

  take(chunk: ChatChunk): void {
    if (!this.#isIntroduced) this.#introduce(chunk);
    if (typeof chunk.usage === 'object' && chunk.usage !== null) this.#usage = toUsage(chunk.usage);
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (typeof choice !== 'object' || choice === null) return;
    const delta = choice.delta ?? choice.message;
    if (typeof delta === 'object' && delta !== null) this.#takeDelta(delta);
    if (typeof choice.finish_reason === 'string') this.#rawFinishReason = choice.finish_reason;
  }

  /** A piece of text whose event held nothing else. False until the answer has introduced itself. */
  takeText(text: string): boolean {
    if (!this.#isIntroduced) return false;
    if (text === '') return true;
    this.#closeReasoning();
    this.#blocks.text(text);
    return true;
  }

  finish(): void {
    this.#closeAll();
    const raw = this.#hasRefusal ? 'refusal' : this.#rawFinishReason;
    this.#sink.push({
      type: 'finish',
      finishReason: this.#calls.size > 0 && raw !== 'length' ? 'tool-calls' : toFinishReason(raw),
      ...(raw === undefined ? {} : { rawFinishReason: raw }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
    });
  }

  fail(error: ReturnType<typeof brokenOff>): void {
    this.#closeAll();
    this.#sink.push({ type: 'error', error });
  }

  #introduce(chunk: ChatChunk): void {
    this.#isIntroduced = true;
    this.#sink.push({
      type: 'response-metadata',
      ...(isText(chunk.id) ? { id: chunk.id } : {}),
      ...(isText(chunk.model) ? { modelId: chunk.model } : {}),
    });
  }

  #takeDelta(delta: ChatDelta): void {
    if (Array.isArray(delta.reasoning_details)) for (const detail of delta.reasoning_details) this.#holdDetail(detail);
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (isText(reasoning)) this.#blocks.reasoning(reasoning);
    if (isText(delta.content)) {
      this.#closeReasoning();
      this.#blocks.text(delta.content);
    }
    if (isText(delta.refusal)) {
      this.#hasRefusal = true;
      this.#blocks.text(delta.refusal);
    }
    if (!Array.isArray(delta.tool_calls)) return;
    for (const [position, call] of delta.tool_calls.entries()) {
      if (typeof call === 'object' && call !== null)
        this.#takeToolCall(call, typeof call.index === 'number' ? call.index : position);
    }
  }

  #takeToolCall(delta: ChatToolCallDelta, index: number): void {
    let call = this.#calls.get(index);
    if (call === undefined) {
      this.#closeReasoning();
      this.#blocks.close();
      if (this.#calls.size === ANSWER_LIMITS.blocks) throw answerTooLarge(`more than ${ANSWER_LIMITS.blocks} blocks`);
      call = { id: '', name: '', held: '', isStarted: false };
      this.#calls.set(index, call);
    }
    if (isText(delta.id) && !call.isStarted) call.id = delta.id;
    if (isText(delta.function?.name) && !call.isStarted) call.name = delta.function.name;
    const piece = delta.function?.arguments;
    if (!call.isStarted) {
      if (isText(piece)) {
        this.#holdArguments(piece);
        call.held += piece;
      }
      this.#startInOrder();
    } else if (isText(piece)) this.#sink.push({ type: 'tool-input-delta', id: call.id, delta: piece });
  }

  /** A call is announced when it has its id and name and every call with a lower index was announced. */
  #startInOrder(): void {
    for (; ; this.#next++) {
      const call = this.#calls.get(this.#next);
      if (call === undefined || call.id === '' || call.name === '') return;
      this.#start(call);
    }
  }

  /** Calls that were given no id, or the same, have one of their own. */
  #start(call: OpenToolCall): void {
    if (call.id === '' || this.#callIds.has(call.id)) call.id = `tooluse_${Date.now()}_${this.#callIds.size}`;
    this.#callIds.add(call.id);
    call.isStarted = true;
    this.#sink.push({ type: 'tool-input-start', id: call.id, toolName: call.name });
    if (call.held !== '') this.#sink.push({ type: 'tool-input-delta', id: call.id, delta: call.held });
  }

  /** Some servers begin to count elsewhere; a call without a name is nothing one could run. */
  #closeAll(): void {
    this.#closeReasoning();
    this.#blocks.close();
    for (const [index, call] of [...this.#calls].toSorted(([one], [other]) => one - other)) {
      if (call.name === '') {
        this.#calls.delete(index);
        continue;
      }
      if (!call.isStarted) this.#start(call);
      this.#sink.push({ type: 'tool-input-end', id: call.id });
    }
  }

  #holdDetail(detail: unknown): void {
    const texts = Object.values(detail ?? {}).filter((value) => typeof value === 'string');
    this.#countDetails(
      'kept',
      texts.reduce((length, text) => length + text.length, DETAIL_COST),
    );
    this.#details.push(detail);
  }

  #countDetails(what: 'kept' | 'told', cost: number): void {
    this.#detailCosts[what] += cost;
    const { eventBytes } = ANSWER_LIMITS;
    if (this.#detailCosts[what] > eventBytes)
      throw answerTooLarge(`more than ${eventBytes} bytes of reasoning details`);
  }

  #holdArguments(piece: string): void {
    this.#held += piece.length;
    const { characters } = ANSWER_LIMITS;
    if (this.#held > characters) throw answerTooLarge(`more than ${characters} characters`);
  }

  #closeReasoning(): void {
    if (!this.#blocks.isReasoningOpen) return;
    if (this.#details.length === this.#toldDetails) return this.#blocks.close();
    this.#toldDetails = this.#details.length;
    this.#countDetails('told', this.#detailCosts.kept);
    this.#blocks.close({ openaiChat: { reasoningDetails: this.#details } });
  }
}

const FINISH_REASONS = new Map<string, FinishReason>(
  Object.entries({
    stop: 'stop',
    end_turn: 'stop',
    stop_sequence: 'stop',
    eos: 'stop',
    length: 'length',
    max_tokens: 'length',
    tool_calls: 'tool-calls',
    tool_use: 'tool-calls',
    function_call: 'tool-calls',
    content_filter: 'content-filter',
    safety: 'content-filter',
    refusal: 'content-filter',
  } as const),
);

function toFinishReason(raw: string | undefined): FinishReason {
  return raw === undefined ? 'stop' : (FINISH_REASONS.get(raw) ?? 'other');
}

function toUsage(usage: ChatUsage): ModelUsage {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens;
  const cacheWrite = usage.prompt_tokens_details?.cache_write_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    ...(cacheRead === undefined || cacheRead === null ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === undefined || cacheWrite === null ? {} : { cacheWriteTokens: cacheWrite }),
    ...(reasoning === undefined || reasoning === null ? {} : { reasoningTokens: reasoning }),
    ...(usage.cost === undefined || usage.cost === null ? {} : { cost: usage.cost }),
  };
}

const TEXT_HEAD = '"choices":[{"index":0,"delta":{"content":"';
const TEXT_TAILS = new Set([
  '},"finish_reason":null}]}',
  '},"logprobs":null,"finish_reason":null}]}',
  '},"finish_reason":null}],"usage":null}',
  '},"logprobs":null,"finish_reason":null}],"usage":null}',
]);
const BACKSLASH = 92;

/**
 * The text of an event that is nothing but a piece of text, which most are, found without parsing the whole event. The
 * guards are strict: anything that is not to the letter of that form is parsed.
 */
function plainText(data: string): string | undefined {
  const head = data.indexOf(TEXT_HEAD);
  if (head === -1) return undefined;
  const start = head + TEXT_HEAD.length;
  const end = data.indexOf('"', start);
  if (end === -1 || data.charCodeAt(end - 1) === BACKSLASH || !TEXT_TAILS.has(data.slice(end + 1))) return undefined;
  const text = data.slice(start, end);
  return text.includes('\\') ? unescape(text) : text;
}

function unescape(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}

/** What is not JSON is skipped, and the stream goes on. */
function parseChunk(data: string): ChatChunk | undefined {
  const value = parseAnswer(data);
  return typeof value === 'object' && value !== null ? value : undefined;
}

function isText(value: string | null | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
