/** An event that is longer than this is passed on as it comes. */
const MOST_HELD_BYTES = 256 * 1024;
const MOST_HELD_PIECES = 1024;

const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);
/** What ends an event of a stream whose events end with an empty line, and of one that has a line for each. */
const ENDS = { '\n\n': ['\n\n', '\n\r\n'], '\n': ['\n'] } as const;
/** One byte less than the longest of them. */
const SEAM = 2;

/**
 * Passes the bytes of an event stream on in whole events. An event that was cut off would be broken JSON to a client, and
 * hide the error that follows it.
 */
export class WholeEvents {
  readonly #gap: keyof typeof ENDS;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(gap: keyof typeof ENDS) {
    this.#gap = gap;
  }

  /** What can be passed on now. */
  take(bytes: Buffer): Buffer {
    const { length } = bytes;
    if (this.#held.length === 0 && bytes[length - 1] === NEWLINE && bytes[length - this.#gap.length] === NEWLINE)
      return bytes;
    const end = this.#endOfEvents(bytes);
    if (end > 0) {
      const whole = this.#with(bytes.subarray(0, end));
      this.#hold(bytes.subarray(end));
      return whole;
    }
    if (this.#held.length < MOST_HELD_PIECES && this.#heldBytes + length <= MOST_HELD_BYTES) {
      this.#hold(bytes);
      return NOTHING;
    }
    return this.#with(bytes);
  }

  /** What was held back, when nothing more comes. */
  end(): Buffer {
    return this.#with(NOTHING);
  }

  /** Where the last event that ends in these bytes ends; 0 where none does. */
  #endOfEvents(bytes: Buffer): number {
    const before = this.#held.at(-1)?.subarray(-SEAM) ?? NOTHING;
    const seen = before.length === 0 ? bytes : Buffer.concat([before, bytes]);
    const ends = ENDS[this.#gap].map((mark) => {
      const at = seen.lastIndexOf(mark);
      return at === -1 ? 0 : at + mark.length - before.length;
    });
    return Math.max(...ends);
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #with(bytes: Buffer): Buffer {
    if (this.#held.length === 0) return bytes;
    const all = Buffer.concat([...this.#held, bytes]);
    this.#held = [];
    this.#heldBytes = 0;
    return all;
  }
}
