import type { FinishReason, ModelUsage } from '@dragoman/protocol';
import type { AnswerMeasure } from '../metering/meter-answer.ts';
import type { HttpUpstream } from '../upstreams/upstream.ts';

/** The last event of an answer may hold all of it; more than this is not kept. */
const TAIL_BYTES = 256 * 1024;
/** Nor are more pieces: whoever sends single bytes is not waited on by everybody else. */
const TAIL_PIECES = 1024;
/** Usage stands in one of the last events, beside the end mark. */
const LAST_EVENTS = 4;

/**
 * Finds out what a relayed answer used, without reading all of it: protocols say it in their first and last events, so
 * only those are kept, as they came, and read once at the end.
 */
export class UsageSniffer {
  readonly #upstream: HttpUpstream;
  /** What stands between two events. */
  readonly #gap: string;
  #head: Buffer | undefined;
  #tail: Buffer[] = [];
  #tailLength = 0;

  constructor(upstream: HttpUpstream, gap: string) {
    this.#upstream = upstream;
    this.#gap = gap;
  }

  take(bytes: Buffer): void {
    if (this.#head === undefined) this.#head = bytes;
    this.#tail.push(bytes);
    this.#tailLength += bytes.length;
    while (this.#tail.length > TAIL_PIECES || this.#tailLength - this.#tail[0]!.length >= TAIL_BYTES)
      this.#tailLength -= this.#tail.shift()!.length;
  }

  read(): Omit<AnswerMeasure, 'firstEventAt'> {
    let usage: ModelUsage | undefined;
    let finishReason: FinishReason | undefined;
    let errorCode: string | undefined;
    let answerId: string | undefined;
    const decoder = this.#upstream.decodeStream({
      push(event) {
        if (event.type === 'response-metadata') answerId ??= event.id;
        if (event.type === 'error') [finishReason, errorCode] = ['error', event.error.code];
        if (event.type !== 'finish') return;
        usage = event.usage;
        finishReason = event.finishReason;
      },
    });
    const tail = Buffer.concat(this.#tail);
    const start = startOfLast(tail, LAST_EVENTS, this.#gap);
    try {
      if (start > 0 || this.#tail[0] !== this.#head) decoder.feed(firstEvent(this.#head ?? EMPTY, this.#gap));
      decoder.feed(tail.subarray(start));
      decoder.end();
    } catch {
      // A guess from two ends of an answer may fail; then there is no figure.
    }
    return { usage, finishReason, errorCode, answerId };
  }
}

const EMPTY = Buffer.alloc(0);

/** Where the last events begin. */
function startOfLast(bytes: Buffer, count: number, eventGap: string): number {
  let start = bytes.length;
  for (let event = 0; event <= count && start > 0; event++) {
    const gap = bytes.lastIndexOf(eventGap, start - eventGap.length - 1);
    if (gap === -1) return 0;
    start = gap;
  }
  return start + eventGap.length;
}

function firstEvent(bytes: Buffer, eventGap: string): Buffer {
  const end = bytes.indexOf(eventGap);
  return end === -1 ? EMPTY : bytes.subarray(0, end + eventGap.length);
}
