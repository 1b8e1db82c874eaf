const NOTHING = Buffer.alloc(0);

/** Takes values out of bytes that are passed on as they come. What may be the beginning of one waits for the next piece. */
export class ValueFilter {
  readonly #values: readonly Buffer[];
  readonly #mark: Buffer;
  #held: Buffer = NOTHING;

  /** The longest value stands first: one may be a part of another. */
  constructor(values: readonly string[], mark: string) {
    this.#values = values.map((value) => Buffer.from(value));
    this.#mark = Buffer.from(mark);
  }

  /** What can be passed on now. */
  take(bytes: Buffer): Buffer {
    if (this.#values.length === 0) return bytes;
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const clean = this.#values.reduce((left, value) => this.#without(left, value), all);
    const begun = Math.max(0, ...this.#values.map((value) => beginningAtEnd(clean, value)));
    if (begun === 0) {
      this.#held = NOTHING;
      return clean;
    }
    this.#held = clean.subarray(clean.length - begun);
    return clean.subarray(0, clean.length - begun);
  }

  /** What was held back, when nothing more comes. */
  end(): Buffer {
    const held = this.#held;
    this.#held = NOTHING;
    return held;
  }

  #without(bytes: Buffer, value: Buffer): Buffer {
    const pieces: Buffer[] = [];
    let from = 0;
    for (let at = bytes.indexOf(value); at !== -1; at = bytes.indexOf(value, from)) {
      pieces.push(bytes.subarray(from, at), this.#mark);
      from = at + value.length;
    }
    return from === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(from)]);
  }
}

/** How many of the last bytes are the beginning of a value. */
function beginningAtEnd(bytes: Buffer, value: Buffer): number {
  const first = value[0]!;
  let at = bytes.indexOf(first, Math.max(0, bytes.length - value.length + 1));
  while (at !== -1 && bytes.compare(value, 0, bytes.length - at, at) !== 0) at = bytes.indexOf(first, at + 1);
  return at === -1 ? 0 : bytes.length - at;
}
