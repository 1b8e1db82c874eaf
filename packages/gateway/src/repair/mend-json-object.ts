import type { JsonObject } from '../tools/json-object.ts';

/** Deeper than any tool asks for, and shallow enough for recursion; what lies below is treated as cut off. */
const MAX_DEPTH = 200;

const LITERALS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
  ['undefined', null],
  ['NaN', null],
]);

const ESCAPES = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A number whose fraction or exponent was cut off before its first digit. */
const CUT_NUMBER = /^(-?\d+(?:\.\d+)?)(?:\.|[eE][+-]?)$/;

// Each is matched at the reader's place.
const SPACE = /\s*/y;
const SPACE_AND_COMMAS = /[\s,]*/y;
const BARE_KEY = /[\w$-]*/y;
const BARE_VALUE = /[^,}\]\n"]*/y;
const PLAIN = { '"': /[^"\\]*/y, "'": /[^'\\]*/y };
const UNICODE_ESCAPE = /\\u[0-9a-fA-F]{4}/y;
const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/y;

/** Stands for a value that is not there: cut off, or nothing that can be read. */
const ABSENT = Symbol('absent');

/**
 * The JSON object that a model meant to write.
 *
 * Models cut an object off, leave commas in or out, quote as Python does, put line breaks into strings, write around the
 * object (a code fence, a sentence), or send it twice. Of several objects the first that is whole and not empty is taken:
 * a broken start is often followed by another attempt, and some upstreams send `{}` before the arguments. Never throws;
 * where there is nothing to read the object is empty. Reads every character once.
 */
export function mendJsonObject(text: string): JsonObject {
  const reader = new TolerantReader(text);
  let best: JsonObject = {};
  for (let object = reader.nextObject(); object !== undefined; object = reader.nextObject()) {
    if (Object.keys(object).length === 0) continue;
    if (reader.isWhole) return object;
    if (Object.keys(best).length === 0) best = object;
  }
  return best;
}

class TolerantReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  /** Whether the object read last was closed, and nothing in it had to be skipped. */
  isWhole = true;

  constructor(text: string) {
    this.#text = text;
  }

  nextObject(): JsonObject | undefined {
    const start = this.#text.indexOf('{', this.#at);
    if (start === -1) return undefined;
    this.#at = start;
    this.#depth = 0;
    this.isWhole = true;
    return this.#object();
  }

  #object(): JsonObject {
    const entries: [string, unknown][] = [];
    this.#at++;
    this.#depth++;
    for (;;) {
      const next = this.#skipTo();
      if (next === '}') {
        this.#at++;
        break;
      }
      // A brace where a key should be is the start of another attempt; a bracket too many belongs to a list outside.
      if (next === undefined || next === '{' || next === ']') {
        this.isWhole = false;
        break;
      }
      const key = this.#key(next);
      if (key === ABSENT || this.#skipTo() !== ':') {
        this.isWhole = false;
        continue;
      }
      this.#at++;
      const value = this.#value();
      if (value !== ABSENT) entries.push([key, value]);
    }
    this.#depth--;
    // Not by assignment: a key named __proto__ is a key like any other.
    return Object.fromEntries(entries);
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    this.#depth++;
    for (;;) {
      const next = this.#skipTo();
      if (next === ']') {
        this.#at++;
        break;
      }
      if (next === undefined || next === '}') {
        this.isWhole = false;
        break;
      }
      const item = this.#value();
      if (item !== ABSENT) items.push(item);
    }
    this.#depth--;
    return items;
  }

  #value(): unknown {
    const next = this.#skipSpace();
    if (next === '{' || next === '[') {
      if (this.#depth === MAX_DEPTH) {
        this.#at = this.#text.length;
        return this.#absent();
      }
      return next === '{' ? this.#object() : this.#array();
    }
    if (next === '"' || next === "'") return this.#string(next);
    return this.#bareValue();
  }

  #key(next: string): string | typeof ABSENT {
    if (next === '"' || next === "'") return this.#string(next);
    const key = this.#take(BARE_KEY);
    if (key !== '') return key;
    this.#at++;
    return ABSENT;
  }

  /** Control characters are taken as they are; a backslash that escapes nothing, as in `C:\Users`, is a backslash. */
  #string(quote: '"' | "'"): string {
    this.#at++;
    let value = '';
    for (;;) {
      value += this.#take(PLAIN[quote]);
      if (this.#at >= this.#text.length) return this.#cutString(value);
      if (this.#text[this.#at] === quote) {
        this.#at++;
        return value;
      }
      const unicode = this.#take(UNICODE_ESCAPE);
      if (unicode !== '') {
        value += String.fromCharCode(Number.parseInt(unicode.slice(2), 16));
        continue;
      }
      if (this.#take(CUT_ESCAPE) !== '') return this.#cutString(value);
      const escaped = this.#text[this.#at + 1]!;
      value += ESCAPES.get(escaped) ?? `\\${escaped}`;
      this.#at += 2;
    }
  }

  /** A cut can fall between the two halves of a character. */
  #cutString(value: string): string {
    this.isWhole = false;
    return value.replace(/[\uD800-\uDBFF]$/, '');
  }

  /** A number, a literal, or text that nobody put quotes around. */
  #bareValue(): unknown {
    const word = this.#take(BARE_VALUE).trimEnd();
    const isCut = this.#at >= this.#text.length;
    if (LITERALS.has(word)) return LITERALS.get(word);
    if (NUMBER.test(word)) return Number(word);
    if (!isCut) return word === '' ? this.#absent() : word;

    const number = CUT_NUMBER.exec(word)?.[1];
    if (number !== undefined) return Number(number);
    const isCutLiteral = word === '-' || [...LITERALS.keys()].some((literal) => literal.startsWith(word));
    return isCutLiteral ? this.#absent() : word;
  }

  #absent(): typeof ABSENT {
    this.isWhole = false;
    return ABSENT;
  }

  /** The next character that is neither space nor a comma: commas too many or too few say nothing. */
  #skipTo(): string | undefined {
    this.#take(SPACE_AND_COMMAS);
    return this.#text[this.#at];
  }

  #skipSpace(): string | undefined {
    this.#take(SPACE);
    return this.#text[this.#at];
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += taken.length;
    return taken;
  }
}
