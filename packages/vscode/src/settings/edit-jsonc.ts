/** A piece of a text that is replaced. */
export interface TextChange {
  start: number;
  end: number;
  text: string;
}

interface Property {
  name: string;
  start: number;
  valueStart: number;
  end: number;
  /** Where the comma behind it is, if there is one. */
  comma: number | undefined;
}

const INDENT = '    ';

/** A value as it stands in a file, with the comments in it. */
export class Verbatim {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * What has to be replaced in a file of settings so that one of them, or a field of one, has this value; nothing removes it.
 * Comments and everything else stay as they are, to the letter. A text that is no such file has no answer.
 */
export function changeJsonc(text: string, path: string | readonly string[], value: unknown): TextChange | undefined {
  const [name, ...below] = typeof path === 'string' ? [path] : path;
  return name === undefined ? undefined : changeAt(text, undefined, [name, ...below], value);
}

/** A file of settings after a change, or nothing where it is none. */
export function changedJsonc(text: string, path: string | readonly string[], value: unknown): string | undefined {
  const change = changeJsonc(text, path, value);
  return change === undefined ? undefined : text.slice(0, change.start) + change.text + text.slice(change.end);
}

/** A setting as it stands in a file of settings, with the comments in it; nothing where it is not set. */
export function readJsonc(text: string, name: string): Verbatim | undefined {
  const found = readProperties(text)?.properties.findLast((each) => each.name === name);
  return found === undefined ? undefined : new Verbatim(text.slice(found.valueStart, found.end));
}

/** What such a text means: comments and a comma too many mean nothing. */
export function parseJsonc({ text }: Verbatim): unknown {
  const plain = text.replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, '$1');
  return JSON.parse(plain.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1')) as unknown;
}

/** In the outermost object, or in the one that begins at a place. */
function changeAt(
  text: string,
  from: number | undefined,
  [name, ...below]: [string, ...string[]],
  value: unknown,
): TextChange | undefined {
  const found = readProperties(text, from);
  if (found === undefined) return undefined;
  const { properties, open } = found;
  const [next, ...rest] = below;
  const eol = lineEnd(text);
  const whole = below.reduceRight((inner, each) => `{ ${JSON.stringify(each)}: ${inner} }`, written(value));
  const line = `${JSON.stringify(name)}: ${whole}`;
  if (open === undefined) {
    const end = text.length;
    return value === undefined ? unchanged(end) : { start: end, end, text: `{${eol}${INDENT}${line}${eol}}${eol}` };
  }
  const index = properties.findLastIndex((each) => each.name === name);
  const known = properties[index];
  if (known !== undefined) {
    if (next !== undefined && text[known.valueStart] === '{')
      return changeAt(text, known.valueStart, [next, ...rest], value);
    if (value !== undefined) return { start: known.valueStart, end: known.end, text: whole };
    return next === undefined ? removal(text, open, properties, index) : unchanged(open);
  }
  if (value === undefined) return unchanged(open);
  const last = properties.at(-1);
  const outer = from === undefined ? '' : indentOf(text, from, '');
  if (last === undefined) return { start: open, end: open, text: `${eol}${outer}${INDENT}${line}${eol}${outer}` };
  const begun = `${eol}${indentOf(text, last.start, outer + INDENT)}${line}`;
  return last.comma === undefined
    ? { start: last.end, end: last.end, text: `,${begun}` }
    : { start: last.comma + 1, end: last.comma + 1, text: `${begun},` };
}

function written(value: unknown): string {
  return value instanceof Verbatim ? value.text : JSON.stringify(value);
}

function unchanged(at: number): TextChange {
  return { start: at, end: at, text: '' };
}

/** With one of the commas around it, and the space that led to it. */
function removal(text: string, open: number, properties: readonly Property[], index: number): TextChange {
  const { start, end, comma } = properties[index]!;
  const before = properties[index - 1];
  const isSpace = (from: number, to: number) => text.slice(from, to).trim() === '';
  if (comma === undefined && before?.comma !== undefined && isSpace(before.comma + 1, start))
    return { start: before.comma, end, text: '' };
  const from = before?.comma === undefined ? open : before.comma + 1;
  const behind = comma === undefined ? end : comma + 1;
  if (!isSpace(from, start)) return { start, end: behind, text: '' };
  // The only one leaves the braces as they were before it came.
  const isOnly = properties.length === 1;
  const eol = lineEnd(text);
  const spaces = isOnly ? [eol + indentOf(text, open, ''), eol] : [];
  const space = spaces.find((each) => text.startsWith(each, behind)) ?? '';
  return { start: from, end: behind + space.length, text: '' };
}

/** As this file has it. */
function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The indent of the line that a place is in; another one where something that is no setting stands before it. */
function indentOf(text: string, at: number, otherwise: string): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^([ \t]*)(?:"[^"]*"\s*:\s*)?\{?$/.exec(line)?.[1] || otherwise;
}

/** The properties of an object, the outermost or the one at a place; `open` is behind its brace, and nothing where there is no object yet. */
function readProperties(
  text: string,
  from = text.startsWith('\uFEFF') ? 1 : 0,
): { properties: Property[]; open: number | undefined } | undefined {
  const properties: Property[] = [];
  let at = skipSpace(text, from);
  if (at === text.length) return { properties, open: undefined };
  if (text[at] !== '{') return undefined;
  const open = at + 1;
  at = skipSpace(text, open);
  while (text[at] !== '}') {
    const start = at;
    const nameEnd = skipString(text, start);
    const colon = nameEnd === undefined ? undefined : skipSpace(text, nameEnd);
    if (nameEnd === undefined || colon === undefined || text[colon] !== ':') return undefined;
    const valueStart = skipSpace(text, colon + 1);
    const end = skipValue(text, valueStart);
    const name = parse(text.slice(start, nameEnd));
    if (end === undefined || end === valueStart || name === undefined) return undefined;
    at = skipSpace(text, end);
    const comma = text[at] === ',' ? at : undefined;
    properties.push({ name, start, valueStart, end, comma });
    if (comma === undefined && text[at] !== '}') return undefined;
    if (comma !== undefined) at = skipSpace(text, comma + 1);
  }
  return { properties, open };
}

/** Behind space and comments. */
function skipSpace(text: string, from: number): number {
  const space = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

function skipString(text: string, from: number): number | undefined {
  const string = /"(?:[^"\\\n]|\\.)*"/y;
  string.lastIndex = from;
  return string.test(text) ? string.lastIndex : undefined;
}

/** Behind a value: a word, a number, a text, or everything up to the bracket that closes it. */
function skipValue(text: string, from: number): number | undefined {
  let depth = 0;
  let at = from;
  do {
    const character = text[at];
    if (character === undefined) return undefined;
    const stringEnd = character === '"' ? skipString(text, at) : at;
    if (stringEnd === undefined) return undefined;
    if (character === '"') at = stringEnd;
    else at = skipWord(text, at);
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    if (depth > 0) at = skipSpace(text, at);
  } while (depth > 0);
  return depth === 0 ? at : undefined;
}

function skipWord(text: string, from: number): number {
  const word = /[^\s,:{}[\]"/]+/y;
  word.lastIndex = from;
  return word.test(text) ? word.lastIndex : from + 1;
}

function parse(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
