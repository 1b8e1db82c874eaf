import type { Style, StyleName } from './paint.ts';
import type { Run } from './wrap-writer.ts';

/** How far apart a mark and its counterpart may be; beyond that it stands for itself, so that nothing waits for long. */
const REACH = 600;
const MAX_DEPTH = 6;
const SPECIAL = /[\\`*_~[!<&]/g;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|#39);/y;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': ' ',
  '&#39;': "'",
};
const ANGLE_LINK = /<((?:https?:\/\/|mailto:)[^\s<>]+)>/y;
const TARGET = /\([ \n]*(?:<([^<>\n]*)>|((?:[^\s()\\<]|\\.|\([^\s()]*\))*))(?:[ \n]+(?:"[^"\n]*"|'[^'\n]*'))?[ \n]*\)/y;
/** The beginning of one, to where the text ends. */
const TARGET_SO_FAR =
  /\([ \n]*(?:$|<[^<>\n]*$|(?:<[^<>\n]*>|(?:[^\s()\\<]|\\.|\([^\s()]*\))*)(?:$|\\$|\([^\s()]*$|[ \n]+(?:$|"[^"\n]*(?:$|"[ \n]*$)|'[^'\n]*(?:$|'[ \n]*$))))/y;
const LINE_BREAK = /<br\s*\/?>/iy;
/** Only these become hyperlinks: another scheme could start a program. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:)[\x21-\x7E]+$/;

/** What was found at a place: where it ends, and what it shows. `undefined`: more text could change it. */
type Found = { end: number; runs: Run[] } | undefined;

/** Where something ends; nowhere; or it cannot be known yet. */
type End = number | undefined | 'later';

interface Place {
  text: string;
  at: number;
  /** The character before, also across pieces. */
  before: string;
  /** Nothing follows. */
  isWhole: boolean;
  style: Style;
  depth: number;
}

/**
 * The marks inside a line of Markdown: as much of `text` as is certain becomes runs, and how much that was is returned.
 *
 * Emphasis, code and links are held until they are closed, because a mark that is never closed stands for itself.
 */
export function parseInline(
  text: string,
  isWhole: boolean,
  emit: (run: Run) => void,
  { style = [], before = '', depth = 0 }: { style?: Style; before?: string; depth?: number } = {},
): number {
  let at = 0;
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const next = SPECIAL.exec(text)?.index ?? text.length;
    if (next > at) emit({ text: text.slice(at, next), style });
    at = next;
    if (at === text.length) break;
    const found = readMark({ text, at, before: at === 0 ? before : text[at - 1]!, isWhole, style, depth });
    if (found === undefined) return at;
    for (const run of found.runs) emit(run);
    at = found.end;
  }
  return at;
}

/** All of a text that will not go on. */
export function inlineRuns(text: string, style: Style = [], depth = 0): Run[] {
  const runs: Run[] = [];
  parseInline(text, true, (run) => runs.push(run), { style, depth });
  return runs;
}

function readMark(place: Place): Found {
  const char = place.text[place.at];
  if (place.depth >= MAX_DEPTH) return literal(place, 1);
  switch (char) {
    case '\\':
      return readEscape(place);
    case '`':
      return readCode(place);
    case '*':
    case '_':
    case '~':
      return readEmphasis(place, char);
    case '[':
    case '!':
      return readLink(place);
    case '<':
      return readAngle(place);
    default:
      return readEntity(place);
  }
}

function readEscape(place: Place): Found {
  const { text, at, isWhole, style } = place;
  const next = text[at + 1];
  if (next === undefined && !isWhole) return undefined;
  if (next === '\n') return literal({ ...place, at: at + 1 }, 1);
  return next !== undefined && ESCAPABLE.test(next)
    ? { end: at + 2, runs: [{ text: next, style }] }
    : literal(place, 1);
}

function readCode(place: Place): Found {
  const { text, at, isWhole, style } = place;
  const length = runLength(text, at, '`');
  const start = at + length;
  if (start === text.length && !isWhole) return undefined;
  const close = findCodeEnd(text, start, length, at + REACH, isWhole);
  if (close === 'later') return undefined;
  if (close === undefined) return literal(place, length);
  let code = text.slice(start, close).replaceAll('\n', ' ');
  if (/^ .*[^ ].* $/.test(code)) code = code.slice(1, -1);
  return { end: close + length, runs: [{ text: code, style: withStyle(style, 'cyan') }] };
}

/** Where as many backticks stand as the code began with. */
function findCodeEnd(text: string, from: number, length: number, limit: number, isWhole: boolean): End {
  for (let at = text.indexOf('`', from); at !== -1 && at <= limit;) {
    const found = runLength(text, at, '`');
    if (at + found === text.length && !isWhole) return 'later';
    if (found === length) return at;
    at = text.indexOf('`', at + found);
  }
  return isLater(text, limit, isWhole);
}

function readEmphasis(place: Place, mark: '*' | '_' | '~'): Found {
  const { text, at, before, isWhole, style, depth } = place;
  const length = runLength(text, at, mark);
  const start = at + length;
  if (start === text.length && !isWhole) return undefined;
  const isMark = mark === '~' ? length === 2 : length <= 3;
  if (!isMark || !canOpen(mark, before, text[start] ?? ' ')) return literal(place, length);
  const close = findEmphasisEnd(text, start, mark, length, at + REACH, isWhole);
  if (close === 'later') return undefined;
  if (close === undefined) return literal(place, length);
  const inner = withStyle(style, ...STYLES[mark === '~' ? 0 : length]!);
  return { end: close + length, runs: inlineRuns(text.slice(start, close), inner, depth + 1) };
}

const STYLES: readonly StyleName[][] = [['strikethrough'], ['italic'], ['bold'], ['bold', 'italic']];

function findEmphasisEnd(
  text: string,
  start: number,
  mark: '*' | '_' | '~',
  length: number,
  limit: number,
  isWhole: boolean,
): End {
  for (let at = start; at < text.length && at <= limit;) {
    const char = text[at];
    if (char === '\\') at += 2;
    else if (char === '`') {
      const ticks = runLength(text, at, '`');
      const close = findCodeEnd(text, at + ticks, ticks, limit, isWhole);
      if (close === 'later') return close;
      at = (close ?? at) + ticks;
    } else if (char === mark) {
      const found = runLength(text, at, mark);
      const end = at + found;
      if (end === text.length && !isWhole) return 'later';
      const isClose = found === length || (found === 3 && length < 3);
      if (isClose && at > start && canClose(mark, text[at - 1]!, text[end] ?? ' ')) return end - length;
      at = end;
    } else at++;
  }
  return isLater(text, limit, isWhole);
}

function canOpen(mark: string, before: string, after: string): boolean {
  if (isBlank(after)) return false;
  if (mark === '_' && isWordChar(before)) return false;
  return !PUNCTUATION.test(after) || isBlank(before) || PUNCTUATION.test(before) || after === '`' || isQuote(after);
}

function canClose(mark: string, before: string, after: string): boolean {
  if (isBlank(before)) return false;
  if (mark === '_' && isWordChar(after)) return false;
  // A bold word that ends with a colon is closed also when a letter follows, as models write in Chinese and Japanese.
  return !PUNCTUATION.test(before) || isBlank(after) || PUNCTUATION.test(after) || after > '\u2E80' || before === '`';
}

function readLink(place: Place): Found {
  const { text, at, isWhole, style, depth } = place;
  const isImage = text[at] === '!';
  const open = isImage ? at + 1 : at;
  if (isImage && text[open] !== '[') return text.length === open && !isWhole ? undefined : literal(place, 1);
  const close = findBracketEnd(text, open, at + REACH, isWhole);
  if (close === 'later' || (close !== undefined && close + 1 === text.length && !isWhole)) return undefined;
  const target = close === undefined || text[close + 1] !== '(' ? undefined : readTarget(text, close + 1);
  if (target === 'later' && !isWhole && text.length - close! <= REACH) return undefined;
  if (target === undefined || target === 'later') return literal(place, 1);
  const label = text.slice(open + 1, close);
  return { end: target.end, runs: linkRuns(label === '' ? target.url : label, target.url, style, depth) };
}

/** `(address "title")`. */
function readTarget(text: string, open: number): { url: string; end: number } | 'later' | undefined {
  TARGET.lastIndex = open;
  const whole = TARGET.exec(text);
  if (whole !== null) {
    if (whole[0].length > REACH) return undefined;
    return { url: whole[1] ?? whole[2]!, end: open + whole[0].length };
  }
  TARGET_SO_FAR.lastIndex = open;
  return TARGET_SO_FAR.test(text) ? 'later' : undefined;
}

/** Text and address both are shown, so that no text hides where it leads. */
function linkRuns(label: string, url: string, style: Style, depth: number): Run[] {
  const link = SAFE_LINK.test(url) ? { link: url } : {};
  const shown = inlineRuns(label, withStyle(style, 'underline'), depth + 1).map((run) => ({ ...run, ...link }));
  if (label === url || url === '') return shown;
  return [
    ...shown,
    { text: ' (', style: withStyle(style, 'dim') },
    { text: `${url})`, style: withStyle(style, 'dim') },
  ];
}

function findBracketEnd(text: string, open: number, limit: number, isWhole: boolean): End {
  let deep = 0;
  for (let at = open; at < text.length && at <= limit; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '[') deep++;
    else if (char === ']' && --deep === 0) return at;
  }
  return isLater(text, limit, isWhole);
}

function readAngle(place: Place): Found {
  const { text, at, isWhole, style } = place;
  ANGLE_LINK.lastIndex = at;
  const url = ANGLE_LINK.exec(text)?.[1];
  if (url !== undefined && url.length + 2 <= REACH)
    return { end: at + url.length + 2, runs: linkRuns(url, url, style, MAX_DEPTH) };
  LINE_BREAK.lastIndex = at;
  const lineBreak = LINE_BREAK.exec(text);
  if (lineBreak !== null && lineBreak[0].length <= REACH)
    return { end: at + lineBreak[0].length, runs: [{ text: '\n', style }] };
  const rest = text.slice(at, at + REACH);
  const isOpen = /^<(?:$|b(?:r\s*\/?)?$|h[^\s<>]*$|m[^\s<>]*$)/i.test(rest) && rest.length < REACH;
  return isOpen && !isWhole ? undefined : literal(place, 1);
}

function readEntity(place: Place): Found {
  const { text, at, isWhole, style } = place;
  ENTITY.lastIndex = at;
  const entity = ENTITY.exec(text)?.[0];
  if (entity !== undefined) return { end: at + entity.length, runs: [{ text: ENTITIES[entity]!, style }] };
  return !isWhole && /^&[a-z#0-9]{0,5}$/.test(text.slice(at, at + 8)) ? undefined : literal(place, 1);
}

/** A counterpart may still come, as long as not everything is there that is in reach. */
function isLater(text: string, limit: number, isWhole: boolean): 'later' | undefined {
  return !isWhole && text.length <= limit ? 'later' : undefined;
}

function literal({ text, at, style }: Place, length: number): Found {
  return { end: at + length, runs: [{ text: text.slice(at, at + length), style }] };
}

function runLength(text: string, from: number, char: string): number {
  let end = from;
  while (text[end] === char) end++;
  return end - from;
}

function withStyle(style: Style, ...names: StyleName[]): Style {
  return [...style, ...names.filter((name) => !style.includes(name))];
}

function isBlank(char: string): boolean {
  return char === '' || /\s/.test(char);
}

function isWordChar(char: string): boolean {
  return /[\p{L}\p{N}_]/u.test(char);
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'";
}
