import type { Definition, DefinitionKind } from './definition.ts';
import type { Place, Rule, RuleLanguage } from './rule.ts';
import { indentOf, isBlank, markFrom, type Source } from './scan-source.ts';

interface Scope {
  name: string | undefined;
  place: Place;
  /** The bracket that lines directly inside stand in. */
  open: number;
  /** Where it ends: an offset where brackets tell, the indentation of its head where that does. */
  closeAt: number;
  indent: number;
  definition: Definition | undefined;
}

const OPEN_BRACE = 123;
const OPEN_PAREN = 40;
const OPEN_SQUARE = 91;
const SEMICOLON = 59;
const COLON = 58;
const COMMA = 44;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const PIPE = 124;
const AND = 38;
const AT = 64;
const HASH = 35;

/** How far a head may reach before its block begins, and a statement without one. */
const MAX_HEAD_LINES = 300;

/** How far a body told by indentation is followed in a language that also has brackets. */
const MAX_INDENTED_LINES = 5000;

const PLACES: Record<DefinitionKind, Place> = {
  class: 'type',
  interface: 'type',
  enum: 'type',
  type: 'type',
  module: 'file',
  function: 'code',
  method: 'code',
  constant: 'object',
  macro: 'code',
  section: 'file',
};

/** Finds definitions by the lines they begin on, and where each of them ends. */
export function matchRules(source: Source, language: RuleLanguage): Definition[] {
  const { text, lineCount, lineStart, lineText, lineOpen, lineQuiet } = source;
  const rules = rulesByWord(language);
  const byBraces = language.blocks === 'braces';
  const definitions: Definition[] = [];
  const scopes: Scope[] = [];
  let lastCodeLine = 0;

  for (let line = 0; line < lineCount; line++) {
    if (lineQuiet[line] === 1) {
      if (!isBlank(source, line)) lastCodeLine = line;
      continue;
    }
    let at = lineText[line]!;
    const first = text.charCodeAt(at);
    if (first === 10 || first === 13 || Number.isNaN(first)) continue;
    let word: string | undefined;
    if (byBraces) {
      while (scopes.length > 0 && scopes.at(-1)!.closeAt < at) scopes.pop();
    } else {
      if (isComment(text, at, first, language)) continue;
      word = wordAt(text, at);
      if (language.isRepeated && isRepetition(text, at, scopes.at(-1))) {
        lastCodeLine = line;
        continue;
      }
      // Inside brackets of Python the indentation says nothing.
      if (language.blocks !== 'indentation' || lineOpen[line] === -1)
        closeByIndent(scopes, language, at - lineStart[line]!, isCloser(first) ? ')' : word, line, lastCodeLine);
      lastCodeLine = line;
    }
    if (!isNameStart(first)) continue;
    if ((first === AT || first === HASH) && language.annotations !== undefined) {
      language.annotations.lastIndex = at;
      if (!language.annotations.test(text)) continue;
      at = language.annotations.lastIndex;
    }
    word ??= wordAt(text, at);
    const candidates = rules.byWord.get(word) ?? rules.others;
    if (candidates.length === 0) continue;

    const scope = scopes.at(-1);
    const isDirect = byBraces
      ? lineOpen[line] === (scope === undefined ? -1 : scope.open)
      : scope === undefined || scope.place !== 'code';
    const place: Place = isDirect ? (scope?.place ?? 'file') : 'code';
    for (const rule of candidates) {
      if (rule.in !== undefined && !rule.in.includes(place)) continue;
      if (rule.isFlush && lineStart[line] !== lineText[line]) continue;
      const pattern = rule.pattern;
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match === null || rule.accepts?.(source, at + match[0].length) === false) continue;
      const found = define(source, language, rule, match, line, scope);
      if (found === undefined) continue;
      if (found.definition !== undefined) definitions.push(found.definition);
      if (found.isOpen) scopes.push(found);
      break;
    }
  }
  if (!byBraces) for (const scope of scopes) if (scope.definition) scope.definition.endLine = lastCodeLine + 1;
  return definitions;
}

function define(
  source: Source,
  language: RuleLanguage,
  rule: Rule,
  match: RegExpExecArray,
  line: number,
  scope: Scope | undefined,
): (Scope & { isOpen: boolean }) | undefined {
  const indent = indentOf(source, line);
  let open = source.lineOpen[line]!;
  let endLine = line;
  let closeAt = -1;
  let isOpen = rule.body !== 'line';
  if (language.blocks === 'braces' && rule.body !== 'line') {
    const end = findEnd(source, language, rule, match, line);
    if (rule.needsBlock && end.open === -1) return undefined;
    endLine = end.endLine;
    if (end.open === -1) closeAt = source.lineStart[endLine + 1]! - 1;
    else {
      open = end.open;
      const close = source.markMatch[open]!;
      closeAt = close < source.markCount ? source.markAt[close]! : source.text.length;
    }
    isOpen = end.open !== -1 || endLine > line;
  }
  if (rule.needsLines && endLine === line) return undefined;

  const qualified = split(match[rule.isContainerFirst ? 2 : 1] ?? '', language.separator);
  const container = match[rule.isContainerFirst ? 1 : 2] ?? qualified.container ?? scope?.name;
  let definition: Definition | undefined;
  if (rule.kind !== undefined) {
    if (qualified.name === '') return undefined;
    definition = { name: qualified.name, kind: rule.kind, line: line + 1, endLine: endLine + 1 };
    if (container !== undefined && container !== '') definition.container = container;
  }
  const place = rule.opens ?? (rule.kind === undefined ? 'type' : PLACES[rule.kind]);
  return { name: qualified.name || scope?.name, place, open, closeAt, indent, definition, isOpen };
}

/** Names that would not be names without their quotes. */
const QUOTED = /^(?:`|@")(.+)[`"]$/;

/** The last part is the name, the part before it what the definition belongs to. */
function split(path: string, separator: RegExp | undefined): { name: string; container?: string } {
  const quoted = QUOTED.exec(path)?.[1];
  if (quoted !== undefined) return { name: quoted };
  if (separator === undefined) return { name: path };
  const parts = path.split(separator);
  const name = parts.pop() ?? '';
  const container = parts.pop();
  return container ? { name, container } : { name };
}

/** Where a statement ends that begins on this line, and the bracket of its body where it has one. */
function findEnd(
  source: Source,
  language: RuleLanguage,
  rule: Rule,
  match: RegExpExecArray,
  line: number,
): { open: number; endLine: number } {
  const { markCount, markKind, markLine, markMatch } = source;
  const from = match.index + match[0].length;
  let current = line;
  let open = -1;
  const lastLine = Math.min(source.lineCount - 1, line + MAX_HEAD_LINES);
  let mark = markFrom(source, from);
  for (;;) {
    if (language.hasIndentedBlocks && opensByIndent(source, current))
      return { open, endLine: indentedEnd(source, line) };
    const nextLine = mark < markCount ? markLine[mark]! : lastLine;
    while (current < nextLine) {
      if (language.endsWithLine && !continuesOn(source, language, line, current)) return { open, endLine: current };
      if (current >= lastLine && open === -1) return { open, endLine: line };
      current++;
    }
    if (mark >= markCount) return { open, endLine: language.endsWithLine ? current : line };
    const kind = markKind[mark]!;
    if (kind === SEMICOLON) return { open, endLine: current };
    if (kind === OPEN_PAREN || kind === OPEN_SQUARE || kind === OPEN_BRACE) {
      const close = markMatch[mark]!;
      const closeLine = close < markCount ? markLine[close]! : source.lineCount - 1;
      if (kind === OPEN_PAREN && rule.body === 'parens') return { open: mark, endLine: closeLine };
      if (kind === OPEN_BRACE && !isPartOfHead(source, mark, close, rule)) {
        if (open === -1) open = mark;
        if (rule.body !== 'value') return { open, endLine: closeLine };
      }
      if (close >= markCount) return { open, endLine: closeLine };
      current = closeLine;
      mark = close + 1;
    } else return { open, endLine: current };
  }
}

/** Whether a line ends with `:` or `=`, which leaves the rest to the lines below. */
function opensByIndent({ text, lineStart, lineCount }: Source, line: number): boolean {
  let last = (line + 1 < lineCount ? lineStart[line + 1]! : text.length) - 1;
  while (last > 0 && isSpace(text.charCodeAt(last))) last--;
  const code = text.charCodeAt(last);
  return code === COLON || (code === EQUALS && text.charCodeAt(last - 1) === 32);
}

function indentedEnd(source: Source, head: number): number {
  const indent = indentOf(source, head);
  const stop = Math.min(source.lineCount, head + MAX_INDENTED_LINES);
  let last = head;
  for (let line = head + 1; line < stop; line++) {
    if (isBlank(source, line)) continue;
    if (source.lineQuiet[line] === 0 && indentOf(source, line) <= indent) {
      if (indentOf(source, line) < indent || !isCloser(source.text.charCodeAt(source.lineText[line]!))) break;
    }
    last = line;
  }
  return last;
}

/** Braces of a type in a head: `: { … }`, `<{ … }>`, `extends {}`, `interface{}` before the body. */
function isPartOfHead({ text, markAt, markCount, markLine }: Source, open: number, close: number, rule: Rule): boolean {
  let before = markAt[open]! - 1;
  while (before >= 0 && isSpace(text.charCodeAt(before))) before--;
  const code = text.charCodeAt(before);
  if (code === COLON || code === LESS || code === PIPE || code === AND) return true;
  if (rule.body === 'value' || close >= markCount || markLine[open] !== markLine[close]) return false;
  let after = markAt[close]! + 1;
  while (isSpace(text.charCodeAt(after))) after++;
  const next = text.charCodeAt(after);
  if (next === OPEN_BRACE || next === EQUALS || next === GREATER || next === PIPE || next === AND) return true;
  return next === COMMA && (code === EQUALS || text.startsWith('extends', before - 6));
}

/** `>`, `)`, `]`, `=`, `:`, `|`, `&`, `?`, `.` and `+` begin no statement. */
const CONTINUATIONS = new Set([62, 41, 93, 61, 58, 124, 38, 63, 46, 43]);

/** Whether a statement goes on behind this line: the next is indented deeper than its head, or opens its block. */
function continuesOn(source: Source, language: RuleLanguage, head: number, line: number): boolean {
  let next = line + 1;
  while (next < source.lineCount && isBlank(source, next)) next++;
  if (next >= source.lineCount || next > line + 3) return false;
  if (source.lineQuiet[next] === 1) return true;
  const indent = indentOf(source, next);
  const headIndent = indentOf(source, head);
  if (indent > headIndent) return true;
  if (indent < headIndent) return false;
  const first = source.text.charCodeAt(source.lineText[next]!);
  if (first === OPEN_BRACE || CONTINUATIONS.has(first)) return true;
  return language.continuedBy?.has(wordAt(source.text, source.lineText[next]!)) ?? false;
}

/** Whether a line begins with the name of what is open. */
function isRepetition(text: string, at: number, scope: Scope | undefined): boolean {
  if (scope?.definition?.kind !== 'function' || !text.startsWith(scope.definition.name, at)) return false;
  const next = text.charCodeAt(at + scope.definition.name.length);
  return !isNamePart(next) && next !== 39;
}

function closeByIndent(
  scopes: Scope[],
  language: RuleLanguage,
  indent: number,
  word: string,
  line: number,
  lastCodeLine: number,
): void {
  for (let scope = scopes.at(-1); scope !== undefined && indent <= scope.indent; scope = scopes.at(-1)) {
    let endLine = lastCodeLine;
    // A bracket that closes at the indentation of the head still belongs to it.
    if (word === ')' && indent === scope.indent) return;
    if (language.blocks === 'end' && indent === scope.indent && lastCodeLine >= (scope.definition?.line ?? 0) - 1) {
      if (language.continuedBy?.has(word)) return;
      if (word === 'end') endLine = line;
    }
    if (scope.definition !== undefined) scope.definition.endLine = Math.max(endLine + 1, scope.definition.line);
    scopes.pop();
    if (word === 'end' && endLine === line) return;
  }
}

interface RuleTable {
  byWord: Map<string, Rule[]>;
  others: Rule[];
}

const tables = new WeakMap<RuleLanguage, RuleTable>();

function rulesByWord(language: RuleLanguage): RuleTable {
  let table = tables.get(language);
  if (table !== undefined) return table;
  const byWord = new Map<string, Rule[]>();
  const words = new Set(language.rules.flatMap((rule) => rule.words?.split(' ') ?? []));
  for (const word of words)
    byWord.set(
      word,
      language.rules.filter((rule) => rule.words === undefined || rule.words.split(' ').includes(word)),
    );
  table = { byWord, others: language.rules.filter((rule) => rule.words === undefined) };
  tables.set(language, table);
  return table;
}

function wordAt(text: string, at: number): string {
  let end = at;
  while (end - at < 40 && isNamePart(text.charCodeAt(end))) end++;
  return text.slice(at, end);
}

function isComment(text: string, at: number, first: number, { lexis }: RuleLanguage): boolean {
  if (first === 35) return lexis.lineComments?.includes('#') ?? false;
  if (first === OPEN_BRACE && text.charCodeAt(at + 1) === 45) return lexis.blockComments?.includes('{-') ?? false;
  if (first === 45 && text.charCodeAt(at + 1) === 45) return lexis.lineComments?.includes('--') ?? false;
  return false;
}

function isCloser(code: number): boolean {
  return code === 41 || code === 93 || code === 125;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13;
}

function isNameStart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    code === 36 ||
    code === 35 ||
    code === 64 ||
    code === 42 ||
    code === 96 ||
    code === 91 ||
    code >= 128
  );
}

function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code >= 128
  );
}
