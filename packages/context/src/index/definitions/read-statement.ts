import { markFrom, type Source } from './scan-source.ts';
import { firstText, skipLead } from './skip-lead.ts';
import type { Declaration, Statement, StatementLanguage, Surrounding } from './statement.ts';

/** The statements between two offsets, and what is around them. */
export interface Block {
  from: number;
  to: number;
  inside: Surrounding;
  container: string | undefined;
}

export interface ReadStatement {
  statement: Statement;
  declaration: Declaration | undefined;
  /** Where its head begins. */
  start: number;
  /** The bracket of its block, or the semicolon it ends with, as a mark. */
  mark: number;
}

const OPEN_PAREN = 40;
const COMMA = 44;
const DOT = 46;
const COLON = 58;
const SEMICOLON = 59;
const EQUALS = 61;
const GREATER = 62;
const OPEN_BRACE = 123;

const MAX_HEAD_LENGTH = 4000;
/** How many blocks that declare nothing one statement may hold. */
const MAX_BLOCKS = 20;

/** Reads the statement that begins at the offset or behind it, as far as it tells what it declares. */
export function readStatement(
  source: Source,
  language: StatementLanguage,
  block: Block,
  from: number,
): ReadStatement | undefined {
  const { text, markAt, markKind, markMatch, markCount } = source;
  const { to, inside, container } = block;
  const first = skipLead(source, language, from, to);
  if (first >= to) return undefined;
  let start = first;
  /** The brackets of the parameters. */
  let open = -1;
  let close = -1;
  let valueAt = -1;
  let segment = first;
  let blocks = 0;
  for (let mark = markFrom(source, first); mark < markCount && markAt[mark]! < to; mark = markBehind(source, mark)) {
    const kind = markKind[mark];
    const here = markAt[mark]!;
    const partner = markMatch[mark]!;
    if (valueAt === -1) valueAt = findValue(text, segment, here);
    segment = offsetBehind(source, mark);
    if (kind === OPEN_PAREN) {
      if (valueAt !== -1 || isAttribute(text, here)) continue;
      if (open === -1 ? isInArguments(text, start, here) : !isMacroBefore(source, language, open, close, here))
        continue;
      if (open !== -1) start = firstText(text, markAt[close]! + 1);
      open = mark;
      close = partner;
      continue;
    }
    const hasBlock = kind === OPEN_BRACE;
    if (!hasBlock && kind !== SEMICOLON) continue;
    // `= {…}` and `=> x {…}` are values, and the statement goes on behind them.
    if (hasBlock && (valueAt !== -1 || isRequirement(text, here))) continue;
    const closed = open !== -1 && close < markCount ? markAt[close]! : -1;
    if (hasBlock && isMember(source, closed, mark)) continue;
    if (!hasBlock && language.leads.macros && inside === 'file' && isOldStyle(source, open, closed, here)) continue;
    const end = open === -1 ? (valueAt === -1 ? here : valueAt) : markAt[open]!;
    if (end - start > MAX_HEAD_LENGTH) start = end - MAX_HEAD_LENGTH;
    const statement: Statement = {
      head: plain(text.slice(start, end)),
      parameters: closed === -1 ? undefined : text.slice(markAt[open]! + 1, Math.min(closed, markAt[open]! + 1000)),
      tail: closed === -1 ? '' : plain(text.slice(closed + 1, Math.min(here, closed + MAX_HEAD_LENGTH))),
      hasBlock,
      block: hasBlock ? text.slice(here + 1, here + 60) : '',
      hasValue: valueAt !== -1,
      isArrow: valueAt !== -1 && text.charCodeAt(valueAt + 1) === GREATER,
      inside,
      container,
    };
    const declaration = language.declare(statement);
    // A block that declares nothing may be a value, or belong to a macro: the statement goes on behind it.
    if (declaration === undefined && hasBlock && blocks++ < MAX_BLOCKS && goesOn(text, segment)) continue;
    return { statement, declaration, start, mark };
  }
  return undefined;
}

/** The next mark behind this one and, where it is a bracket, behind its partner. */
export function markBehind({ markMatch }: Source, mark: number): number {
  const partner = markMatch[mark]!;
  return partner > mark ? partner + 1 : mark + 1;
}

/** The offset behind a mark and, where it is a bracket, behind its partner. */
export function offsetBehind({ text, markAt, markMatch, markCount }: Source, mark: number): number {
  const partner = markMatch[mark]!;
  if (partner <= mark) return markAt[mark]! + 1;
  return partner < markCount ? markAt[partner]! + 1 : text.length;
}

/** The first `=` between two offsets that gives a value; -1 when there is none. */
function findValue(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (text.charCodeAt(at) !== EQUALS) continue;
    if (isOperatorName(text, from, at)) continue;
    const before = text.charCodeAt(at - 1);
    const after = text.charCodeAt(at + 1);
    if (after === EQUALS || before === EQUALS || before === 33 || before === 60) continue;
    return at;
  }
  return -1;
}

/** `operator=` and its like are names. */
function isOperatorName(text: string, from: number, equals: number): boolean {
  let at = equals - 1;
  while (at > from && equals - at < 6 && !isWord(text.charCodeAt(at))) at--;
  return at - 7 >= from && text.startsWith('operator', at - 7);
}

/**
 * `API(x) int name(…)`: words behind the first brackets that are no trailers, and other brackets behind them. Words in
 * capitals are macros behind the parameters, unless the first brackets are such a macro's too.
 */
function isMacroBefore(
  { text, markAt, markCount }: Source,
  language: StatementLanguage,
  open: number,
  close: number,
  here: number,
): boolean {
  if (close >= markCount) return false;
  const words = text.slice(markAt[close]! + 1, Math.min(here, markAt[close]! + 200)).trim();
  const word = FIRST_WORD.exec(words)?.[0];
  if (word === undefined || language.trailers.has(word) || IN_CAPITALS.test(words)) return false;
  return /\s/.test(words) || MACRO_NAME.test(text.slice(Math.max(0, markAt[open]! - 40), markAt[open]));
}

const FIRST_WORD = /^[A-Za-z_]\w*/;
const IN_CAPITALS = /^[A-Z_][A-Z0-9_]*(?:\s+[A-Z_][A-Z0-9_]*)*$/;
const MACRO_NAME = /(?:^|[^\w])(?:[A-Z_][A-Z0-9_]*|explicit|alignas|decltype|__\w+)\s*$/;

/** Brackets between the `<` and `>` of a type: `function<void(int)>`. */
function isInArguments(text: string, from: number, to: number): boolean {
  let depth = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 60) {
      if (text.charCodeAt(at + 1) === 60 || text.startsWith('operator', at - 8) || text.startsWith('operator', at - 9))
        return false;
      depth++;
    } else if (code === 62 && text.charCodeAt(at - 1) !== 45) depth--;
  }
  return depth > 0;
}

/** `__attribute__((…))` and its like are no parameters. */
function isAttribute(text: string, paren: number): boolean {
  let end = paren;
  while (end > 0 && text.charCodeAt(end - 1) === 32) end--;
  const last = text.charCodeAt(end - 1);
  if (last === 95) return text.startsWith('__attribute__', end - 13) || text.startsWith('__asm__', end - 7);
  if (last === 115) return text.startsWith('alignas', end - 7) || text.startsWith('_Alignas', end - 8);
  return last === 99 && text.startsWith('__declspec', end - 10);
}

/** `requires { … }` belongs to a head. */
function isRequirement(text: string, brace: number): boolean {
  let end = brace;
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
  return text.charCodeAt(end - 1) === 115 && text.startsWith('requires', end - 8);
}

/** Members set up before the body: `: a{1}, b{2} {`. */
function isMember(source: Source, closed: number, brace: number): boolean {
  const { text, markAt } = source;
  if (closed === -1 || text.charCodeAt(firstText(text, closed + 1)) !== COLON) return false;
  const after = text.charCodeAt(firstText(text, offsetBehind(source, brace)));
  return isWord(text.charCodeAt(markAt[brace]! - 1)) && (after === COMMA || after === OPEN_BRACE);
}

const OLD_PARAMETERS = /^\(\s*[a-z_]\w*(?:\s*,\s*[a-z_]\w*)*\s*\)$/;
const OLD_DECLARATION = /^[ \t]*\r?\n\s*[a-z_]\w*[\s*]/;

/** Parameters declared between their names and the body, as before C had prototypes. */
function isOldStyle({ text, markAt }: Source, open: number, closed: number, semicolon: number): boolean {
  if (closed === -1 || semicolon - closed > 300 || closed - markAt[open]! > 300) return false;
  return (
    OLD_PARAMETERS.test(text.slice(markAt[open], closed + 1)) && OLD_DECLARATION.test(text.slice(closed + 1, semicolon))
  );
}

/** Whether the text behind a block cannot begin a statement. */
function goesOn(text: string, at: number): boolean {
  const code = text.charCodeAt(firstText(text, at));
  return code === COMMA || code === DOT || code === OPEN_BRACE;
}

/** Without comments and lines of the preprocessor, in one line. */
function plain(text: string): string {
  let code = text;
  if (code.includes('/')) code = code.replace(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  if (code.includes('#')) code = code.replace(/^[ \t]*#[^\n]*/gm, ' ');
  return code.trim();
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}
