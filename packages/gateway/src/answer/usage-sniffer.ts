import type { AnswerMeasure } from '../metering/meter-answer.ts';
import type { HttpUpstream } from '../upstreams/upstream.ts';

/** The last event of an answer may hold all of it; more than this is not kept. */
const TAIL_BYTES = 256 * 1024;
/** Nor are more pieces: whoever sends single bytes is not waited on by everybody else. */
const TAIL_PIECES = 1024;
/** Usage stands in one of the last events, beside the end mark. */
const LAST_EVENTS = 4;

interface SniffedAnswer extends Pick<AnswerMeasure, 'usage' | 'finishReason' | 'errorCode' | 'answerId'> {
  isCut: boolean;
}

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
  #length = 0;

  constructor(upstream: HttpUpstream, gap: string) {
    this.#upstream = upstream;
    this.#gap = gap;
  }

  take(bytes: Buffer): void {
    if (this.#head === undefined) this.#head = bytes;
    this.#tail.push(bytes);
    this.#tailLength += bytes.length;
    this.#length += bytes.length;
    while (this.#tail.length > TAIL_PIECES || this.#tailLength - this.#tail[0]!.length >= TAIL_BYTES)
      this.#tailLength -= this.#tail.shift()!.length;
  }

  /** What the answer said of itself. It is cut where it ended without saying so, as far back as it was kept. */
  read(): SniffedAnswer {
    const tail = Buffer.concat(this.#tail);
    const start = startOfLast(tail, LAST_EVENTS, this.#gap);
    const isHeadApart = start > 0 || this.#tail[0] !== this.#head;
    const head = isHeadApart ? firstEvent(this.#head ?? EMPTY, this.#gap) : EMPTY;
    const sniffed = this.#decode(head, tail.subarray(start));
    return sniffed.isCut && start > 0 ? this.#decode(head, tail) : sniffed;
  }

  #decode(head: Buffer, tail: Buffer): SniffedAnswer {
    const sniffed: SniffedAnswer = {
      usage: undefined,
      finishReason: undefined,
      errorCode: undefined,
      answerId: undefined,
      isCut: false,
    };
    let isAtEnd = false;
    const decoder = this.#upstream.decodeStream({
      push(event) {
        if (event.type === 'response-metadata') sniffed.answerId ??= event.id;
        if (event.type === 'error') {
          sniffed.finishReason = 'error';
          sniffed.errorCode = event.error.code;
          sniffed.isCut = isAtEnd;
        }
        if (event.type !== 'finish') return;
        sniffed.usage = event.usage;
        sniffed.finishReason = event.finishReason;
      },
    });
    try {
      if (head.length > 0) decoder.feed(head);
      decoder.feed(tail);
      isAtEnd = true;
      decoder.end();
    } catch {
      // A guess from two ends of an answer may fail; then there is no figure.
    }
    return sniffed;
  }

  /** About how many characters the answer has so far: counted in what is kept, and more in proportion where that is not all. */
  countCharacters(): number {
    let characters = 0;
    const decoder = this.#upstream.decodeStream({
      push(event) {
        if ('delta' in event) characters += event.delta.length;
      },
    });
    try {
      if (this.#tail[0] !== this.#head) decoder.feed(firstEvent(this.#head ?? EMPTY, this.#gap));
      decoder.feed(Buffer.concat(this.#tail));
    } catch {
      // What was counted by then stands.
    }
    if (this.#tailLength === this.#length) return characters;
    // The middle of an answer may say nothing without its beginning.
    return characters === 0 ? this.#length : Math.ceil((characters * this.#length) / this.#tailLength);
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
