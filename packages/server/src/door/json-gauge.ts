import { DragomanError } from '@dragoman/protocol';

/** How much structure a JSON text may have. */
export interface JsonLimits {
  /** How deep lists and objects may be nested. */
  depth: number;
  /** How many values it may hold: entries of lists, fields of objects, and the lists and objects themselves. */
  values: number;
  /** How many of them are fields of objects, which cost the most to read. */
  fields: number;
}

/** No protocol that is spoken here nests this deep; arguments of tools are the deepest. */
const DEPTH = 100;

/**
 * What may be in a body beside long texts. Parsing, checking and answering the most that is allowed takes a fraction of a
 * second. A set of blobs has 200,000 names, an OpenAI embedding 300,000 tokens; the longest conversations of coding
 * agents have some 50,000 fields.
 */
export const JSON_LIMITS: Readonly<Record<'api' | 'upload', JsonLimits>> = {
  api: { depth: DEPTH, values: 50_000, fields: 20_000 },
  upload: { depth: DEPTH, values: 310_000, fields: 100_000 },
};

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** From here on a search costs less than looking at each byte. */
const LONG_STRING = 64;

/**
 * Measures JSON while its bytes arrive, so that a body which would take long to parse is refused before it is parsed.
 *
 * Only quotes, brackets, commas and colons are looked at. Whether the text is JSON at all is for the parser to say; what
 * that accepts is never measured as less than it is.
 */
export class JsonGauge {
  readonly #limits: JsonLimits;
  #depth = 0;
  #values = 1;
  #fields = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Measures the next bytes. Throws as soon as a limit is passed. */
  take(bytes: Uint8Array): void {
    let [depth, values, fields, isInString] = [this.#depth, this.#values, this.#fields, this.#isInString];
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
      else if (byte === COLON) fields++;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        values++;
        if (++depth > this.#limits.depth)
          this.#refuse('bad-request', `is nested more than ${this.#limits.depth} levels deep`);
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    }
    if (values > this.#limits.values) this.#refuse('too-large', `holds more than ${this.#limits.values} values`);
    if (fields > this.#limits.fields) this.#refuse('too-large', `holds more than ${this.#limits.fields} fields`);
    [this.#depth, this.#values, this.#fields, this.#isInString] = [depth, values, fields, isInString];
  }

  #refuse(code: 'bad-request' | 'too-large', reason: string): never {
    throw new DragomanError(code, `The body ${reason}, the limit for this call.`);
  }
}
