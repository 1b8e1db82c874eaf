import { BLOCK, type Redacted, type Turns } from './turns.ts';

/** Far longer than any key. */
const MAX_BODY_LENGTH = 16_384;
/** Longer than any first or last line. */
const MAX_EDGE_LENGTH = 128;
/** Longer than a line of a key with what stands around it. */
const MAX_LINE_LENGTH = 300;
const MARK = '[PRIVATE_KEY_REDACTED]';

/** What says that a key follows or has just ended. `LS0t…` is a first line in base64, as in the settings of Kubernetes. */
const ANCHORS = ['PRIVATE KEY', 'Private-Lines: ', 'LS0tLS1CRUdJTi'];
const NAME = '(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----';
const ANCHOR = new RegExp(
  `(?<begin>-----BEGIN ${NAME})|(?<end>-----END ${NAME})|Private-Lines: \\d{1,4}|(?<encoded>LS0tLS1CRUdJTi[A-Za-z0-9+/]{10,66})`,
  'g',
);
const ENCODED = /[A-Za-z0-9+/]{1,16384}={0,2}/y;
const BEGIN = new RegExp(`-----BEGIN ${NAME}`);
const END = new RegExp(`-----END ${NAME}`);

/** What stands between the two lines: base64, with line breaks that may be escaped. */
const PLAIN_BODY = /^(?:[A-Za-z0-9+/=\s]|\\{1,4}[nrt])*$/;
/** The same as lines of code: strings that are put together, or a list of them. */
const BODY_IN_CODE = /^(?:[A-Za-z0-9+/=\s"'`,.()[\]]|\\{1,4}[nrt"'])*$/;
/** Most of a line of base64. Code that only names the two lines has no such word between them. */
const KEY_MATERIAL = /[A-Za-z0-9+/]{40}/;
/** A quote that ends a string in JSON. A block does not go on in the next string. */
const END_OF_STRING = /"\s*[:,\]}]/;

const BREAK = /\r?\n|(?:\\{1,4}r)?\\{1,4}n/g;
/** The end of a line of a key, read backwards from the end of the line. What may stand behind it are quotes and the like. */
const LINE_END = /(?<=(?<key>[A-Za-z0-9+/]{4,16384}={0,2})["'`,;+.()[\]\\\s]{0,12}?)/y;
/** What programs write before it: line numbers and names of files, and quotes. */
const LINE_START = /^\s{0,40}(?:\S{0,160}?[-:|>+→]|\d{1,7})??[\s"'`\\]{0,40}$/;
const MAX_START_LENGTH = 250;
/** A shorter line, with which a key ends. */
const LAST_LINE = /^(?=[a-z]{0,40}[A-Z0-9+/=])[A-Za-z0-9+/]{4,80}={0,2}$/;
/** Blank, or what stands before the lines: `Proc-Type: 4,ENCRYPTED`, `Version: 2`. */
const HEADER = /^[^A-Za-z0-9]{0,40}$|(?:^|[^A-Za-z])(?:Version|Comment|Hash|Proc-Type|DEK-Info): .{0,200}$/;

interface PrivateKey {
  /** Where its first line begins, and where its last one ends. */
  start: number;
  end: number;
  /** What stands between the two; of a key that is cut off, what is there. */
  bodyStart: number;
  bodyEnd: number;
}

/** Replaces private keys whole, with their first and last line; of one that is cut off, what is there. A piece at a time. */
export function* redactPrivateKeys(text: string): Turns<Redacted> {
  const keys = yield* findPrivateKeys(text);
  if (keys.length === 0) return { text, count: 0 };
  const pieces = keys.flatMap((key, index) => [text.slice(keys[index - 1]?.end ?? 0, key.start), markKey(text, key)]);
  return { text: [...pieces, text.slice(keys.at(-1)!.end)].join(''), count: keys.length };
}

/** Masks what stands between the first and the last line of a private key, so that every line keeps its number. */
export function* maskPrivateKeyLines(text: string): Turns<string> {
  const keys = yield* findPrivateKeys(text);
  const pieces = keys.flatMap(({ bodyStart, bodyEnd }, index) => [
    text.slice(keys[index - 1]?.bodyEnd ?? 0, bodyStart),
    text.slice(bodyStart, bodyEnd).split('\n').map(maskLine).join('\n'),
  ]);
  return [...pieces, text.slice(keys.at(-1)?.bodyEnd ?? 0)].join('');
}

/** A line without what may be a line of a private key; nothing where it is none. Letters of both kinds and digits: no checksum. */
export function maskKeyLine(line: string): string | undefined {
  const found = line.length > MAX_LINE_LENGTH ? '' : keyIn(line.replaceAll(BREAK, ' '));
  const isKey = found.length >= 60 && [/[a-z]/, /[A-Z]/, /\d/].every((sign) => sign.test(found));
  return isKey ? line.replace(found, MARK) : undefined;
}

/** The lines of a key, where a list has one in each of its items; the first and the last one stay. */
export class KeyLines {
  #isInKey = false;

  /** Whether this item, which comes after those before, is a line of a key. */
  isNext(item: string): boolean {
    if (item.length > MAX_BODY_LENGTH) return false;
    if (BEGIN.test(item)) this.#isInKey = !END.test(item);
    else if (END.test(item)) this.#isInKey = false;
    else return this.#isInKey && LAST_LINE.test(keyIn(item));
    return false;
  }
}

/** A list of strings stays one, so that JSON is still JSON. */
function markKey(text: string, { start, bodyStart, bodyEnd, end }: PrivateKey): string {
  const body = text.slice(bodyStart, bodyEnd);
  if (!END_OF_STRING.test(body)) return MARK;
  return text.slice(start, bodyStart) + body.replace(PIECE, MARK) + text.slice(bodyEnd, end);
}

/** Whether a text says that there is one in it, or that one begins or ends there. */
export function mayHoldPrivateKey(text: string): boolean {
  return ANCHORS.some((anchor) => text.includes(anchor));
}

function* findPrivateKeys(text: string): Turns<PrivateKey[]> {
  const keys: PrivateKey[] = [];
  if (!mayHoldPrivateKey(text)) return keys;
  let free = 0;
  for (let from = 0; from < text.length; from += BLOCK) {
    if (from > 0) yield;
    for (const { index, 0: anchor, groups } of text.slice(from, from + BLOCK + MAX_EDGE_LENGTH).matchAll(ANCHOR)) {
      if (index >= BLOCK) break;
      const start = from + index;
      if (start < free) continue;
      const key = measureKey(text, start, start + anchor.length, groups!, free);
      if (key !== undefined) keys.push(key);
      free = key?.end ?? start + anchor.length;
    }
  }
  return keys;
}

/** Where the key lies that an anchor tells of; nothing where it is only a mention of one. Nothing before `free` belongs to it. */
function measureKey(
  text: string,
  start: number,
  end: number,
  { begin, end: last, encoded }: Record<string, string | undefined>,
  free: number,
): PrivateKey | undefined {
  if (last !== undefined) {
    const bodyStart = linesBefore(text.slice(Math.max(free, start - MAX_BODY_LENGTH), start));
    return bodyStart === undefined
      ? undefined
      : { start: start - bodyStart, bodyStart: start - bodyStart, bodyEnd: start, end };
  }
  const rest = text.slice(end, end + MAX_BODY_LENGTH);
  // What stands behind another anchor is about that one. Without such an end, many of them would be read over and over.
  const next = rest.search(begin === undefined ? ANCHOR : BEGIN);
  const body = next === -1 ? rest : rest.slice(0, next);
  if (encoded !== undefined) {
    if (!atob(encoded.slice(0, 4 * Math.floor(encoded.length / 4))).includes('PRIVATE KEY')) return undefined;
    ENCODED.lastIndex = start;
    const bodyEnd = Math.max(
      ENCODED.test(text) ? ENCODED.lastIndex : start,
      start + linesAfter(encoded + body, next !== -1),
    );
    return { start, bodyStart: start, bodyEnd, end: bodyEnd };
  }
  const ending = begin === undefined ? null : END.exec(body);
  if (ending !== null && isKey(body.slice(0, ending.index))) {
    const bodyEnd = end + ending.index;
    return { start, bodyStart: end, bodyEnd, end: bodyEnd + ending[0].length };
  }
  const length = linesAfter(body, next !== -1);
  if (length === 0) return undefined;
  return { start: begin === undefined ? end : start, bodyStart: end, bodyEnd: end + length, end: end + length };
}

function isKey(body: string): boolean {
  if (PLAIN_BODY.test(body)) return body.trim() !== '';
  return KEY_MATERIAL.test(body) && (!END_OF_STRING.test(body) || BODY_IN_CODE.test(body));
}

/** What in a line may be of a key, where nothing stands around it but what programs write there; else nothing. */
function keyIn(line: string): string {
  LINE_END.lastIndex = line.length;
  const key = LINE_END.exec(line)?.groups?.['key'] ?? '';
  const start = line.slice(0, line.lastIndexOf(key));
  return start.length <= MAX_START_LENGTH && LINE_START.test(start) ? key : '';
}

/**
 * How far the lines of a key reach from the beginning of a text, which is the rest of the line before them. Where the text is
 * cut, what is left of its last line says nothing.
 */
function linesAfter(text: string, isCut: boolean): number {
  let end = 0;
  const breaks = text.matchAll(BREAK);
  for (let from = 0; from < text.length;) {
    const lineBreak: RegExpExecArray | undefined = breaks.next().value;
    if (lineBreak === undefined && isCut) break;
    const line = text.slice(from, lineBreak?.index);
    const key = keyIn(line);
    const isWhole = KEY_MATERIAL.test(key);
    const isKey = isWhole || (end > 0 && LAST_LINE.test(key));
    if (!isKey && (end > 0 || !HEADER.test(line))) break;
    if (isKey) end = from + line.lastIndexOf(key) + key.length;
    if (lineBreak === undefined || isKey !== isWhole) break;
    from = lineBreak.index + lineBreak[0].length;
  }
  return end;
}

/** How far the lines of a key reach back from the end of a text, which is the beginning of the line after them. */
function linesBefore(text: string): number | undefined {
  const breaks = [...text.matchAll(BREAK)];
  let start: number | undefined;
  for (let index = breaks.length - 1; index >= 0; index--) {
    const before = breaks[index - 1];
    const from = before === undefined ? 0 : before.index + before[0].length;
    const line = text.slice(from, breaks[index]!.index);
    const key = keyIn(line);
    const isWhole = KEY_MATERIAL.test(key);
    if (!isWhole && (index < breaks.length - 1 || !LAST_LINE.test(key))) break;
    if (isWhole) start = from + line.lastIndexOf(key);
  }
  return start === undefined ? undefined : text.length - start;
}

const PIECE = /(?:[A-Za-z0-9+/=]|\\{1,4}[nrt]){4,}/g;
const LONG_PIECE = /[A-Za-z0-9+/]{40,}={0,2}/g;
/** What a program writes around a line of a key. */
const AROUND = /["'`,.;()\s\\]/g;

function maskLine(line: string): string {
  const isOnlyKey = /^[A-Za-z0-9+/=]*$/.test(line.replace(AROUND, ''));
  return line.replace(isOnlyKey ? PIECE : LONG_PIECE, MARK);
}
