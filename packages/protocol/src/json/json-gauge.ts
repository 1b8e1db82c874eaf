/** How much structure a JSON text may have. */
export interface JsonLimits {
  /** How deep lists and objects may be nested. */
  depth: number;
  /** How many values it may hold: entries of lists, fields of objects, and the lists and objects themselves. */
  values: number;
  /** How many of them are fields of objects, which cost the most to read. */
  fields: number;
  /** How many fields one object may have: every copy of such an object costs as much as parsing it. */
  names: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** From here on a search costs less than looking at each byte. */
const LONG_STRING = 64;

/**
 * Measures JSON while its bytes arrive, so that what would take long to parse is refused before it is parsed.
 *
 * Only quotes, brackets, commas and colons are looked at. Whether the text is JSON at all is for the parser to say; what
 * that accepts is never measured as less than it is.
 */
export class JsonGauge {
  readonly #limits: JsonLimits;
  #depth = 0;
  #values = 1;
  #fields = 0;
  /** Of each object that is open, how many fields it has had; lists have an entry as well. */
  readonly #names = [0];
  #mostNames = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** How much of the limits the text has used so far. */
  get used(): Pick<JsonLimits, 'values' | 'fields'> {
    return { values: this.#values, fields: this.#fields };
  }

  /** Measures the next bytes. The answer is the limit that is passed with them. */
  take(bytes: Uint8Array): keyof JsonLimits | undefined {
    let [depth, values, fields, isInString] = [this.#depth, this.#values, this.#fields, this.#isInString];
    const names = this.#names;
    const { length } = bytes;
    let at = 0;
    if (this.#isEscaped && length > 0) {
      at = 1;
      this.#isEscaped = false;
    }
    let stringFrom = at;
    while (at < length) {
      if (isInString && at - stringFrom >= LONG_STRING) {
        // The end of a long string is found much faster by the system's own search.
        const quote = bytes.indexOf(QUOTE, at);
        const end = quote === -1 ? length : quote;
        let escapes = end;
        while (escapes > at && bytes[escapes - 1] === BACKSLASH) escapes--;
        const isEscape = (end - escapes) % 2 === 1;
        if (quote === -1) this.#isEscaped = isEscape;
        else if (!isEscape) isInString = false;
        at = stringFrom = end + 1;
        continue;
      }
      const byte = bytes[at++]!;
      if (isInString) {
        if (byte === QUOTE) isInString = false;
        else if (byte === BACKSLASH && at++ === length) this.#isEscaped = true;
      } else if (byte === QUOTE) {
        isInString = true;
        stringFrom = at;
      } else if (byte === COMMA) values++;
      else if (byte === COLON) {
        fields++;
        if (++names[depth]! > this.#mostNames) this.#mostNames = names[depth]!;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        values++;
        if (++depth > this.#limits.depth) return 'depth';
        names[depth] = 0;
      } else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && depth > 0) depth--;
    }
    [this.#depth, this.#values, this.#fields, this.#isInString] = [depth, values, fields, isInString];
    if (values > this.#limits.values) return 'values';
    if (fields > this.#limits.fields) return 'fields';
    return this.#mostNames > this.#limits.names ? 'names' : undefined;
  }
}
