import { looseCustomInput } from './custom-tool.ts';

const START = /^\s*\{\s*"input"\s*:\s*"/;
/** A text that may still become the start. */
const START_SO_FAR = /^\s*(?:\{\s*(?:"(?:i(?:n(?:p(?:u(?:t(?:"\s*(?::\s*)?)?)?)?)?)?)?)?)?$/;

const MAX_START = 100;

/**
 * Reads a custom tool's text from the arguments of its function while they are written: `{"input":"…"}`.
 *
 * Arguments of another form are read at their end.
 */
export class CustomInputStream {
  #state: 'before' | 'inside' | 'after' | 'odd' = 'before';
  /** All of it until the text begins; later what is not complete: an escape, or half a character. */
  #held = '';
  #input = '';

  /** The part of the text that this piece completes; often all of it, sometimes nothing. */
  push(piece: string): string {
    switch (this.#state) {
      case 'after':
        return '';
      case 'odd':
        this.#held += piece;
        return '';
      case 'inside':
        return this.#take(this.#held + piece);
      case 'before': {
        const text = this.#held + piece;
        const start = START.exec(text);
        if (start !== null) {
          this.#state = 'inside';
          return this.#take(text.slice(start[0].length));
        }
        this.#held = text;
        if (text.length > MAX_START || !START_SO_FAR.test(text)) this.#state = 'odd';
        return '';
      }
    }
  }

  /** What the end of the arguments adds to the text. */
  end(): string {
    const rest = this.#state === 'before' || this.#state === 'odd' ? looseCustomInput(this.#held) : '';
    this.#input += rest;
    return rest;
  }

  /** The text so far. */
  get input(): string {
    return this.#input;
  }

  #take(text: string): string {
    let end = 0;
    while (end < text.length) {
      const char = text.charCodeAt(end);
      if (char === QUOTE) {
        this.#state = 'after';
        break;
      }
      if (char !== BACKSLASH) end++;
      else {
        const length = text[end + 1] === 'u' ? 6 : 2;
        if (end + length > text.length) break;
        end += length;
      }
    }
    let taken = unescape(text.slice(0, end));
    this.#held = text.slice(end);
    const last = taken.charCodeAt(taken.length - 1);
    if (this.#state === 'inside' && last >= 0xd800 && last <= 0xdbff) {
      // Half a character cannot be sent alone.
      this.#held = `\\u${last.toString(16)}${this.#held}`;
      taken = taken.slice(0, -1);
    }
    this.#input += taken;
    return taken;
  }
}

/** The text in the whole arguments. */
export function readCustomInput(args: string): string {
  const stream = new CustomInputStream();
  stream.push(args);
  stream.end();
  return stream.input;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Models write some escapes that JSON does not have, such as `\d`; they mean what they wrote. */
function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (whole, code: string | undefined, char: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return ESCAPED[char] ?? (char === '"' || char === '\\' || char === '/' ? char : whole);
  });
}
