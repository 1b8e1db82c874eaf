import type { FinishReason, ModelUsage } from '@dragoman/protocol';
import type { HttpUpstream } from '../upstreams/upstream.ts';

const HEAD_BYTES = 8 * 1024;
const TAIL_BYTES = 64 * 1024;

/**
 * Finds out what a relayed answer used, without reading all of it: protocols say it in their first and last events, so
 * only those are kept, as they came, and read once at the end.
 */
export class UsageSniffer {
  readonly #upstream: HttpUpstream;
  readonly #head: Buffer[] = [];
  #headLength = 0;
  #tail: Buffer[] = [];
  #tailLength = 0;

  constructor(upstream: HttpUpstream) {
    this.#upstream = upstream;
  }

  take(bytes: Buffer): void {
    if (this.#headLength < HEAD_BYTES) {
      this.#head.push(bytes);
      this.#headLength += bytes.length;
      return;
    }
    this.#tail.push(bytes);
    this.#tailLength += bytes.length;
    while (this.#tail.length > 1 && this.#tailLength - this.#tail[0]!.length >= TAIL_BYTES)
      this.#tailLength -= this.#tail.shift()!.length;
  }

  read(): { usage: ModelUsage | undefined; finishReason: FinishReason | undefined } {
    let usage: ModelUsage | undefined;
    let finishReason: FinishReason | undefined;
    const decoder = this.#upstream.decodeStream({
      push(event) {
        if (event.type !== 'finish') return;
        usage = event.usage;
        finishReason = event.finishReason;
      },
    });
    try {
      for (const bytes of this.#head) decoder.feed(bytes);
      if (this.#tail.length > 0) decoder.feed(GAP);
      for (const bytes of this.#tail) decoder.feed(bytes);
      decoder.end();
    } catch {
      // A guess from two ends of an answer may fail; then there is no figure.
    }
    return { usage, finishReason };
  }
}

/** Ends the event that the head was cut in; the one that the tail begins in is broken and skipped. */
const GAP = Buffer.from('\n\n');
