import { isBesideName, isSecretField, REDACTED, SecretItems, SecretsBeside } from './secret-fields.ts';
import type { RedactInTurns, Redacted, Turns } from './turns.ts';
import { BLOCK } from './turns.ts';

/** JSON in a string of JSON in a string of JSON: nobody goes further. */
const MAX_NESTING = 3;
/** What lies deeper is text like any other: nobody writes it, and each level takes memory. */
const MAX_DEPTH = 1_000;
/** No secret is shorter, with what it is known by. */
const SHORTEST = 6;

/**
 * A text without its secrets, and how many there were: JSON in it, which begins and ends with a line or is cut off, loses
 * the strings under names of secrets, and everything else is as `redactText` leaves it. A piece at a time.
 *
 * Strings of JSON are read, redacted and written one by one, so that it is still JSON of the same shape. The rest of it stays
 * as it is, with its spaces and long numbers. JSON in the middle of a line, as in a source file, is text like any other: the
 * model has to see what it edits.
 */
export function* redactJson(text: string, redactText: RedactInTurns, nesting = MAX_NESTING): Turns<Redacted> {
  if (nesting === 0) return yield* redactText(text);
  const pieces: string[] = [];
  let done = 0;
  let count = 0;
  let turn = 0;
  for (let at = 0; ;) {
    if (at - turn > BLOCK) {
      turn = at;
      yield;
    }
    const start = yield* nextStart(text, at);
    const document = start === undefined ? undefined : new JsonDocument(text, start, redactText, nesting);
    if (document !== undefined && !(yield* document.read())) {
      at = document.end;
      continue;
    }
    const before = yield* redactText(text.slice(done, start));
    const found = document === undefined ? { text: '', count: 0 } : yield* document.written();
    pieces.push(before.text, found.text);
    count += before.count + found.count;
    if (document === undefined) return { text: count === 0 ? text : pieces.join(''), count };
    done = at = document.end;
  }
}

/** Where the next line begins that may be JSON. */
function* nextStart(text: string, from: number): Turns<number | undefined> {
  let turn = from;
  let line = from === 0 ? 0 : text.indexOf('\n', from) + 1;
  while (line > 0 || from === 0) {
    const at = yield* afterSpace(text, line);
    if (text[at] === '{' || text[at] === '[') return at;
    if (at - turn > BLOCK) {
      turn = at;
      yield;
    }
    from = 1;
    line = text.indexOf('\n', at) + 1;
  }
  return undefined;
}

/** An object or a list that is being read. */
interface Frame {
  /** Absent for an object. */
  items: SecretItems | undefined;
  /** The field that a list is the value of; in an object, the field that is read. */
  name: string;
  /** What may come; `first` is also the end. */
  next: 'first' | 'key' | 'colon' | 'value' | 'comma';
  beside: SecretsBeside;
  /** The texts in an object that others beside them may make secrets, by the names of their fields. */
  edits: Map<string, Edit>;
}

/** What stands in place of a string. */
interface Edit {
  start: number;
  end: number;
  text: string;
  count: number;
}

const LITERAL = /(?:-?\d{1,400}(?:\.\d{1,400})?(?:[Ee][+-]?\d{1,10})?|true|false|null)(?![\w.+-])/y;

/** One value of JSON in a text, which may be cut off at the end of the text. */
class JsonDocument {
  /** Where it ends; where it is no JSON, where that is seen. */
  end: number;
  readonly #text: string;
  readonly #start: number;
  readonly #redactText: RedactInTurns;
  readonly #nesting: number;
  readonly #frames: Frame[] = [];
  readonly #edits: Edit[] = [];
  #hasTexts = false;

  constructor(text: string, start: number, redactText: RedactInTurns, nesting: number) {
    this.#text = text;
    this.#start = start;
    this.end = start;
    this.#redactText = redactText;
    this.#nesting = nesting;
  }

  /** Reads it to its end. Whether it is JSON. */
  *read(): Turns<boolean> {
    let turn = this.#start;
    for (;;) {
      this.end = yield* afterSpace(this.#text, this.end);
      if (this.end - turn > BLOCK) {
        turn = this.end;
        yield;
      }
      if (this.end >= this.#text.length) return this.#hasTexts;
      if (!(yield* this.#readToken())) return false;
      if (this.#frames.length === 0)
        return this.#hasTexts && /[^\S\n]{0,80}(?:\n|$)/y.test(this.#text.slice(this.end, this.end + 100));
    }
  }

  *written(): Turns<Redacted> {
    let count = 0;
    let from = this.#start;
    const pieces: string[] = [];
    let some: string[] = [];
    for (const [index, edit] of this.#edits.entries()) {
      some.push(this.#text.slice(from, edit.start), edit.text);
      from = edit.end;
      count += edit.count;
      if (index % 10_000 !== 9_999) continue;
      pieces.push(some.join(''));
      some = [];
      yield;
    }
    return { text: [...pieces, ...some, this.#text.slice(from, this.end)].join(''), count };
  }

  /** Whether it may stand there. */
  *#readToken(): Turns<boolean> {
    const frame = this.#frames.at(-1);
    const isValue =
      frame === undefined ||
      (frame.items === undefined ? frame.next === 'value' : frame.next === 'value' || frame.next === 'first');
    switch (this.#text[this.end]) {
      case '{':
      case '[':
        if (this.#frames.length === MAX_DEPTH) return false;
        if (isValue) this.#open(this.#text[this.end] === '[', frame?.name ?? '');
        return isValue;
      case '}':
      case ']':
        return this.#close(this.#text[this.end] === ']');
      case ',':
        if (frame?.next !== 'comma') return false;
        frame.next = frame.items === undefined ? 'key' : 'value';
        this.end++;
        return true;
      case ':':
        if (frame?.next !== 'colon') return false;
        frame.next = 'value';
        this.end++;
        return true;
      case '"':
        return frame !== undefined && (yield* this.#readString(frame, isValue));
      default: {
        LITERAL.lastIndex = this.end;
        const literal = isValue ? LITERAL.exec(this.#text) : null;
        if (literal === null || frame === undefined) return false;
        frame.next = 'comma';
        this.end += literal[0].length;
        return true;
      }
    }
  }

  #open(isList: boolean, name: string): void {
    this.#frames.push({
      items: isList ? new SecretItems(name) : undefined,
      name: isList ? name : '',
      next: 'first',
      beside: new SecretsBeside(),
      edits: new Map(),
    });
    this.end++;
  }

  #close(isList: boolean): boolean {
    const frame = this.#frames.at(-1);
    if (frame === undefined || isList !== (frame.items !== undefined)) return false;
    if (frame.next !== 'first' && frame.next !== 'comma') return false;
    for (const name of frame.beside.found()) {
      const edit = frame.edits.get(name)!;
      edit.text = JSON.stringify(REDACTED);
      edit.count = 1;
    }
    this.#frames.pop();
    const outer = this.#frames.at(-1);
    if (outer !== undefined) outer.next = 'comma';
    this.end++;
    return true;
  }

  *#readString(frame: Frame, isValue: boolean): Turns<boolean> {
    const isKey = frame.items === undefined && (frame.next === 'first' || frame.next === 'key');
    if (!isValue && !isKey) return false;
    const start = this.end;
    const { end, isWhole, hasEscapes } = endOfString(this.#text, start + 1);
    this.end = end;
    if (end < this.#text.length && !isWhole) return false;
    const raw = this.#text.slice(start + 1, isWhole ? end - 1 : end);
    const decoded = hasEscapes && isWhole ? yield* decode(raw) : raw;
    if (decoded === undefined) return false;
    this.#hasTexts = true;
    frame.next = isKey ? 'colon' : 'comma';
    if (isKey) frame.name = decoded;
    const redacted = isKey ? yield* this.#redactName(decoded) : yield* this.#redactString(frame, decoded);
    const mayBecomeSecret = !isKey && frame.items === undefined && isBesideName(frame.name);
    if (redacted.count === 0 && !mayBecomeSecret) return true;
    const text = redacted.count === 0 ? this.#text.slice(start, end) : yield* encode(redacted.text, isWhole);
    const edit = { start, end, text, count: redacted.count };
    this.#edits.push(edit);
    if (mayBecomeSecret) frame.edits.set(frame.name.toLowerCase(), edit);
    return true;
  }

  *#redactString(frame: Frame, value: string): Turns<Redacted> {
    const isSecret = frame.items?.isNext(value) ?? isSecretField(frame.name, value);
    if (frame.items === undefined) frame.beside.note(frame.name, value);
    if (isSecret) return { text: REDACTED, count: 1 };
    if (value.length < SHORTEST) return { text: value, count: 0 };
    return yield* redactJson(value, this.#redactText, /[[{]/.test(value) ? this.#nesting - 1 : 0);
  }

  /** People put tokens there, too. */
  *#redactName(name: string): Turns<Redacted> {
    return name.length < 20 ? { text: name, count: 0 } : yield* this.#redactText(name);
  }
}

function* afterSpace(text: string, from: number): Turns<number> {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9 && code !== 0xfeff) return at;
    if ((at - from) % BLOCK === BLOCK - 1) yield;
  }
}

/** Where a string ends, with its quote. */
function endOfString(text: string, from: number): { end: number; isWhole: boolean; hasEscapes: boolean } {
  let hasEscapes = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) return { end: at + 1, isWhole: true, hasEscapes };
    if (code < 32) return { end: at, isWhole: false, hasEscapes };
    if (code === 92) {
      hasEscapes = true;
      at++;
    }
  }
  return { end: text.length, isWhole: false, hasEscapes };
}

const ESCAPED_PIECE = /(?:[^\\]|\\u[0-9A-Fa-f]{4}|\\["\\/bfnrt]){1,16384}/y;

/** What a string says; nothing where its escapes are none. */
function* decode(raw: string): Turns<string | undefined> {
  const pieces: string[] = [];
  for (let at = 0; at < raw.length;) {
    if (at > 0) yield;
    ESCAPED_PIECE.lastIndex = at;
    const piece = ESCAPED_PIECE.exec(raw)?.[0];
    if (piece === undefined) return undefined;
    pieces.push(JSON.parse(`"${piece}"`) as string);
    at += piece.length;
  }
  return pieces.join('');
}

/** The string that says it. */
function* encode(text: string, isWhole: boolean): Turns<string> {
  const pieces = ['"'];
  for (let at = 0; at < text.length; at += BLOCK) {
    if (at > 0) yield;
    pieces.push(JSON.stringify(text.slice(at, at + BLOCK)).slice(1, -1));
  }
  return pieces.join('') + (isWhole ? '"' : '');
}
