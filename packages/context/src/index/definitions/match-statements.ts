import type { Definition, DefinitionKind } from './definition.ts';
import type { Lexis } from './lexis.ts';
import { lineOf, markFrom, type Source } from './scan-source.ts';

/** What is around a statement. */
export type Surrounding = 'file' | 'type' | 'enum';

/** A statement as far as it tells what it declares: up to its block, or to its end where it has none. */
export interface Statement {
  /** From its first word to its parameters, its block, its `=` or its end, without comments. */
  head: string;
  /** What stands between the brackets of its parameters; undefined where it has none. */
  parameters: string | undefined;
  /** From behind the parameters to the block or the end. */
  tail: string;
  hasBlock: boolean;
  /** How its block begins. */
  block: string;
  /** An `=` or `=>` stands before the block or the end. */
  hasValue: boolean;
  /** It is `=>`. */
  isArrow: boolean;
  inside: Surrounding;
  /** The name of the type or namespace around it. */
  container: string | undefined;
}

export interface Declaration {
  name: string;
  /** Nothing is defined where it is absent: the statement only says what the definitions inside belong to. */
  kind?: DefinitionKind;
  container?: string;
  /** What the block is to the statements in it; they are not read where it does not say. */
  opens?: Surrounding;
  /** The statement ends with the block, not with a semicolon behind it. */
  endsWithBlock?: boolean;
}

/** A language whose definitions begin with a type and a name rather than with a word of their own. */
export interface StatementLanguage {
  lexis: Lexis;
  /** What stands before a statement without being a part of it. */
  leads: { annotations?: boolean; attributes?: boolean; templates?: boolean; labels?: boolean; macros?: boolean };
  /** What a statement declares. `rest` is what follows its block up to the semicolon. */
  declare(statement: Statement): Declaration | undefined;
  /** The name behind a block: `typedef struct { … } name;`. */
  declareBehind?(statement: Statement, rest: string): Declaration | undefined;
  /** Words that may follow parameters; another word means the brackets belonged to a macro before the head. */
  trailers: ReadonlySet<string>;
}

const OPEN_BRACE = 123;
const OPEN_PAREN = 40;
const OPEN_SQUARE = 91;
const SEMICOLON = 59;
const EQUALS = 61;
const COLON = 58;
const COMMA = 44;

const MAX_HEAD_LENGTH = 4000;
const MAX_DEPTH = 40;

/** Finds definitions statement by statement; the bodies of functions are stepped over. */
export function matchStatements(source: Source, language: StatementLanguage): Definition[] {
  const definitions: Definition[] = [];
  walk(source, language, definitions, { from: 0, to: source.text.length, inside: 'file', container: undefined }, 0);
  return definitions;
}

interface Block {
  from: number;
  to: number;
  inside: Surrounding;
  container: string | undefined;
}

function walk(
  source: Source,
  language: StatementLanguage,
  definitions: Definition[],
  block: Block,
  depth: number,
): void {
  const { text, markAt, markKind, markMatch, markCount } = source;
  const { to, inside, container } = block;
  let at = block.from;
  let mark = markFrom(source, at);
  // The values of an enum come first; what else it holds is behind a semicolon.
  if (inside === 'enum') {
    while (mark < markCount && markAt[mark]! < to && markKind[mark] !== SEMICOLON) mark = next(mark);
    if (mark >= markCount || markAt[mark]! >= to) return;
    at = markAt[mark]! + 1;
    mark++;
  }

  statements: while (at < to) {
    const start = skipLead(source, language, at, to);
    if (start >= to) return;
    while (mark < markCount && markAt[mark]! < start) mark++;
    let headStart = start;
    let headEnd = -1;
    let open = -1;
    let close = -1;
    let valueAt = -1;
    let segment = start;
    for (; ; mark = next(mark)) {
      if (mark >= markCount || markAt[mark]! >= to) return;
      const kind = markKind[mark]!;
      const here = markAt[mark]!;
      if (valueAt === -1) valueAt = findValue(text, segment, here);
      const partner = markMatch[mark]!;
      segment = partner > mark && partner < markCount ? markAt[partner]! + 1 : here + 1;
      if (kind === OPEN_PAREN) {
        if (valueAt !== -1 || isAttribute(text, here)) continue;
        if (open === -1 && isInArguments(text, headStart, here)) continue;
        if (open === -1) {
          open = mark;
          close = partner;
        } else if (isMacroBefore(source, language, open, close, here)) {
          headStart = markAt[close]! + 1;
          open = mark;
          close = partner;
        }
        continue;
      }
      if (kind === OPEN_SQUARE) continue;
      if (kind !== OPEN_BRACE && kind !== SEMICOLON) continue;
      headEnd = open === -1 ? (valueAt === -1 ? here : valueAt) : markAt[open]!;
      if (headEnd - headStart > MAX_HEAD_LENGTH) headStart = headEnd - MAX_HEAD_LENGTH;
      const hasBlock = kind === OPEN_BRACE;
      // `= {…}` and `=> x {…}` are values, and the statement goes on behind them.
      if (hasBlock && (valueAt !== -1 || isRequirement(text, here))) continue;
      const closed = open !== -1 && close < markCount ? markAt[close]! : -1;
      // Members set up before the body, `: a{1}, b{2} {`, and parameters declared before it.
      if (
        hasBlock ? isMember(text, closed, here, partner) : language.leads.macros && isOldStyle(text, open, closed, here)
      )
        continue;
      const statement: Statement = {
        head: plain(text.slice(headStart, headEnd)),
        parameters: closed === -1 ? undefined : text.slice(markAt[open]! + 1, Math.min(closed, markAt[open]! + 1000)),
        tail: closed === -1 ? '' : plain(text.slice(closed + 1, Math.min(here, closed + MAX_HEAD_LENGTH))),
        hasBlock,
        block: hasBlock ? text.slice(here + 1, here + 60) : '',
        hasValue: valueAt !== -1,
        isArrow: valueAt !== -1 && text.charCodeAt(valueAt + 1) === 62,
        inside,
        container,
      };
      const declaration = language.declare(statement);
      if (declaration === undefined) {
        // A block that declares nothing may be a value of a member, or a block of a macro: the statement goes on behind it.
        if (hasBlock && goesOn(text, partner < markCount ? markAt[partner]! + 1 : to)) continue;
        at = hasBlock ? (partner < markCount ? markAt[partner]! + 1 : to) : here + 1;
        mark = next(mark);
        continue statements;
      }
      const end = hasBlock ? (partner < markCount ? markAt[partner]! : source.text.length - 1) : here;
      let last = end;
      mark = next(mark);
      let rest = '';
      if (hasBlock && !declaration.endsWithBlock) {
        const stop = semicolonBehind(source, mark, end + 1, to);
        if (stop !== -1) {
          rest = text.slice(end + 1, markAt[stop]!);
          last = markAt[stop]!;
          mark = stop + 1;
        }
      }
      const line = lineOf(source, headStart === start ? start : firstText(text, headStart)) + 1;
      const endLine = Math.max(line, lineOf(source, last) + 1);
      const add = ({ name, kind: defined, container: own }: Declaration) => {
        if (defined === undefined || name === '') return;
        const around = own ?? container;
        const definition: Definition = { name, kind: defined, line, endLine };
        if (around) definition.container = around;
        definitions.push(definition);
      };
      add(declaration);
      let name = declaration.name;
      const behind = rest === '' ? undefined : language.declareBehind?.(statement, rest);
      if (behind !== undefined && behind.name !== declaration.name) {
        add(behind);
        if (name === '') name = behind.name;
      }
      if (hasBlock && declaration.opens !== undefined && depth < MAX_DEPTH)
        walk(
          source,
          language,
          definitions,
          {
            from: markAt[markFrom(source, here)]! + 1,
            to: end,
            inside: declaration.opens,
            container: name || container,
          },
          depth + 1,
        );
      at = last + 1;
      continue statements;
    }
  }

  function isMember(code: string, behindParameters: number, brace: number, partner: number): boolean {
    if (behindParameters === -1 || partner >= markCount || partner < 0) return false;
    if (code.charCodeAt(firstText(code, behindParameters + 1)) !== COLON) return false;
    const after = code.charCodeAt(firstText(code, markAt[partner]! + 1));
    return isWord(code.charCodeAt(brace - 1)) && (after === COMMA || after === OPEN_BRACE);
  }

  function isOldStyle(code: string, paren: number, behindParameters: number, semicolon: number): boolean {
    if (inside !== 'file' || behindParameters === -1 || semicolon - behindParameters > 300) return false;
    if (!OLD_PARAMETERS.test(code.slice(markAt[paren]!, Math.min(behindParameters + 1, markAt[paren]! + 300))))
      return false;
    return OLD_DECLARATION.test(code.slice(behindParameters + 1, semicolon));
  }

  function next(current: number): number {
    const partner = markMatch[current]!;
    return partner > current ? partner + 1 : current + 1;
  }
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

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
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

const OLD_PARAMETERS = /^\(\s*[a-z_]\w*(?:\s*,\s*[a-z_]\w*)*\s*\)$/;
const OLD_DECLARATION = /^[ \t]*\r?\n\s*[a-z_]\w*[\s*]/;

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

/** Whether the text behind a block cannot begin a statement. */
function goesOn(text: string, at: number): boolean {
  const code = text.charCodeAt(firstText(text, at));
  return code === 44 || code === 46 || code === 123 || code === 41;
}

/** The semicolon that ends a declaration behind its block; -1 when something else follows. */
function semicolonBehind(
  { text, markAt, markKind, markCount }: Source,
  mark: number,
  from: number,
  to: number,
): number {
  if (mark >= markCount || markAt[mark]! >= to) return -1;
  if (markKind[mark] === SEMICOLON && markAt[mark]! - from <= 200 && !text.slice(from, markAt[mark]).includes('\n\n'))
    return mark;
  return -1;
}

function firstText(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13); code = text.charCodeAt(at)) at++;
  return at;
}

const LABEL = /(?:public|private|protected|internal|signals|Q_SIGNALS)(?:[ \t]+(?:slots|Q_SLOTS))?[ \t]*:(?!:)/y;
const MACRO_LINE = /_{0,2}[A-Z][A-Z0-9_]{2,}[ \t]*\r?\n/y;
const ANNOTATION = /@(?!interface\b)[\w.]+[ \t]*(?=(\()?)/y;

/** The offset of the first word that belongs to the statement itself. */
function skipLead(source: Source, language: StatementLanguage, from: number, to: number): number {
  const { text, lineStart, lineQuiet, lineCount, markAt, markCount, markMatch } = source;
  const { leads } = language;
  let at = from;
  while (at < to) {
    at = firstText(text, at);
    const code = text.charCodeAt(at);
    if (code === 47 && text.charCodeAt(at + 1) === 47) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? to : end + 1;
    } else if (code === 47 && text.charCodeAt(at + 1) === 42) {
      const end = text.indexOf('*/', at + 2);
      at = end === -1 ? to : end + 2;
    } else if (code === 35 && language.lexis.preprocessor) {
      let line = lineOf(source, at) + 1;
      while (line < lineCount && lineQuiet[line] === 1 && lineStart[line]! < to) line++;
      at = line < lineCount ? lineStart[line]! : to;
    } else if (code === 64 && leads.annotations) {
      ANNOTATION.lastIndex = at;
      const match = ANNOTATION.exec(text);
      if (match === null) return at;
      at += match[0].length;
      if (match[1] !== undefined) at = behind(at);
    } else if (code === OPEN_SQUARE && leads.attributes) at = behind(at);
    else if (code === 116 && leads.templates && /^template\s*</.test(text.slice(at, at + 20)))
      at = templateEnd(text, at, to);
    else if (code === 125 || code === 59 || code === 41) at++;
    else {
      if (leads.labels && (code === 112 || code === 115 || code === 81 || code === 105)) {
        LABEL.lastIndex = at;
        if (LABEL.test(text)) {
          at = LABEL.lastIndex;
          continue;
        }
      }
      if (leads.macros && ((code >= 65 && code <= 90) || code === 95)) {
        MACRO_LINE.lastIndex = at;
        if (MACRO_LINE.test(text)) {
          at = MACRO_LINE.lastIndex;
          continue;
        }
      }
      return at;
    }
  }
  return to;

  /** Behind the bracket that closes the one at this offset. */
  function behind(offset: number): number {
    const open = markFrom(source, offset);
    if (open >= markCount || markAt[open] !== offset) return offset + 1;
    const partner = markMatch[open]!;
    return partner < 0 || partner >= markCount ? to : markAt[partner]! + 1;
  }
}

/** Behind the `>` that closes a template's parameters. */
function templateEnd(text: string, at: number, to: number): number {
  const start = text.indexOf('<', at);
  let depth = 0;
  let parens = 0;
  const stop = Math.min(to, start + MAX_HEAD_LENGTH);
  for (let i = start; i < stop; i++) {
    const code = text.charCodeAt(i);
    if (code === OPEN_PAREN) parens++;
    else if (code === 41) parens--;
    else if (parens > 0) continue;
    else if (code === 60) depth++;
    else if (code === 62 && text.charCodeAt(i - 1) !== 45 && --depth === 0) return i + 1;
    else if (code === SEMICOLON || code === OPEN_BRACE) return i;
  }
  return start + 1;
}

/** Without comments and lines of the preprocessor, in one line. */
function plain(text: string): string {
  let code = text;
  if (code.includes('/')) code = code.replace(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  if (code.includes('#')) code = code.replace(/^[ \t]*#[^\n]*/gm, ' ');
  return code.trim();
}
