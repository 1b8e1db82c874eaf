import { actionTable, CODE, type Lexis } from './lexis.ts';
import {
  commentEnd,
  dollarQuoteEnd,
  type Heredoc,
  heredocAt,
  heredocEnd,
  isWord,
  longBracketEnd,
  longBracketLevel,
  mayBeginRegex,
  rawStringEnd,
  regexEnd,
  stringEnd,
  templatePartEnd,
} from './literal-end.ts';

/**
 * A file's text with what a reader of its structure needs: where lines begin, which of them begin inside a comment or a
 * text, and its brackets and semicolons in order, each bracket with its partner.
 *
 * The arrays are reused by the next scan, and are longer than what is filled.
 */
export interface Source {
  text: string;
  lexis: Lexis;
  lineCount: number;
  /** Offset of each line; one more for the end of the text. */
  lineStart: Int32Array;
  /** Offset of each line's first character that is not blank; the end of the line where there is none. */
  lineText: Int32Array;
  /** The innermost bracket open at the start of each line, as an index of a mark; -1 for none. */
  lineOpen: Int32Array;
  /** 1 where a line begins inside a comment or a text. */
  lineQuiet: Uint8Array;
  markCount: number;
  /** The bracket's or semicolon's character code. */
  markKind: Uint8Array;
  markAt: Int32Array;
  markLine: Int32Array;
  /** The partner of a bracket; for one that is never closed the count of marks, for a stray one -1. */
  markMatch: Int32Array;
}

const source: Source = {
  text: '',
  lexis: {},
  lineCount: 0,
  lineStart: new Int32Array(4096),
  lineText: new Int32Array(4096),
  lineOpen: new Int32Array(4096),
  lineQuiet: new Uint8Array(4096),
  markCount: 0,
  markKind: new Uint8Array(8192),
  markAt: new Int32Array(8192),
  markLine: new Int32Array(8192),
  markMatch: new Int32Array(8192),
};

const OPEN_PAREN = 40;
const CLOSE_PAREN = 41;
const OPEN_SQUARE = 91;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const SEMICOLON = 59;
/** A `{` inside a template text: its partner leads back into the text. */
const TEMPLATE_BRACE = 1;

/** One pass over the text; time grows with its length, whatever it holds. */
export function scanSource(text: string, lexis: Lexis): Source {
  findLines(text);
  source.text = text;
  source.lexis = lexis;
  const isBalanced = findMarks(text, lexis, false);
  // Something unbalanced was misread, or is: then `}` is paired with the bracket whose line it is aligned with.
  if (!isBalanced) findMarks(text, lexis, true);
  return source;
}

/** The line (from 0) that holds the offset. */
export function lineOf({ lineStart, lineCount }: Source, offset: number): number {
  let low = 0;
  let high = lineCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lineStart[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first mark at the offset or after it; the count of marks where there is none. */
export function markFrom({ markAt, markCount }: Source, offset: number): number {
  let low = 0;
  let high = markCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (markAt[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function indentOf({ lineStart, lineText }: Source, line: number): number {
  return lineText[line]! - lineStart[line]!;
}

/** Blank lines have nothing before their line break. */
export function isBlank({ text, lineText }: Source, line: number): boolean {
  const code = text.charCodeAt(lineText[line]!);
  return code === 10 || code === 13 || Number.isNaN(code);
}

function findLines(text: string): void {
  let count = 0;
  let start = 0;
  const length = text.length;
  for (;;) {
    if (count + 2 > source.lineStart.length) growLines();
    let at = start;
    let code = text.charCodeAt(at);
    while (code === 32 || code === 9) code = text.charCodeAt(++at);
    source.lineStart[count] = start;
    source.lineText[count] = at;
    source.lineQuiet[count] = 0;
    count++;
    const end = text.indexOf('\n', at);
    if (end === -1) break;
    start = end + 1;
    // A line break at the very end begins no line.
    if (start === length) break;
  }
  source.lineStart[count] = length;
  source.lineCount = count;
}

/**
 * Fills the marks and what lines begin in. One long function, because it looks at every character: its state stays in
 * variables of its own.
 */
function findMarks(text: string, lexis: Lexis, byIndent: boolean): boolean {
  const table = actionTable(lexis);
  const length = text.length;
  const { lineStart, lineText, lineOpen, lineQuiet, lineCount } = source;
  let { markKind, markAt, markLine, markMatch } = source;
  /** How deep the brackets were where each `#if` began. */
  const branches: number[] = [];
  const heredocs: Heredoc[] = [];
  let missedHeredocs = 0;
  let markCount = 0;
  let line = 0;
  /** The innermost open bracket; each open bracket holds the one around it as its partner, until it has one. */
  let top = -1;
  let depth = 0;
  let braces = 0;
  let isBalanced = true;
  let at = 0;
  lineOpen[0] = -1;
  if (byIndent) lineQuiet.fill(0, 0, lineCount);

  while (at < length) {
    const code = text.charCodeAt(at);
    const action = code < 128 ? table[code]! : 0;
    if (action === 0) {
      at++;
      continue;
    }
    /** The mark for the character before `at`, once what is stepped over is counted; 0 for none. */
    let opened = 0;
    switch (action) {
      case CODE.newline:
        at++;
        if (line + 1 < lineCount) lineOpen[++line] = top;
        if (heredocs.length > 0 && line + 1 < lineCount) {
          for (const heredoc of heredocs.splice(0)) {
            const end = heredocEnd(text, at, heredoc);
            if (end === -1) {
              missedHeredocs++;
              break;
            }
            lineQuiet[line] = 1;
            at = end;
            while (line + 1 < lineCount && lineStart[line + 1]! < at) {
              lineOpen[++line] = top;
              lineQuiet[line] = 1;
            }
            if (text.charCodeAt(at) === 10) at++;
            if (line + 1 < lineCount && lineStart[line + 1] === at) lineOpen[++line] = top;
          }
        }
        continue;
      case CODE.open:
        opened = code;
        at++;
        break;
      case CODE.close: {
        if (code === CLOSE_BRACE) {
          if (braces === 0) {
            isBalanced = false;
            opened = code;
            at++;
            break;
          }
          let target = top;
          while (markKind[target] !== OPEN_BRACE && markKind[target] !== TEMPLATE_BRACE) target = markMatch[target]!;
          // A brace closes what was left open inside it.
          if (target !== top) isBalanced = false;
          if (byIndent && lineText[line] === at) target = alignedBrace(source, target, at - lineStart[line]!);
          while (top !== target) {
            const around = markMatch[top]!;
            if (markKind[top] === OPEN_BRACE || markKind[top] === TEMPLATE_BRACE) braces--;
            markMatch[top] = markCount;
            top = around;
            depth--;
          }
          braces--;
        } else if (top === -1 || markKind[top] !== (code === CLOSE_PAREN ? OPEN_PAREN : OPEN_SQUARE)) {
          // In prose and in patterns a bracket may lack its partner; a brace around it settles it.
          if (top !== -1 && markKind[top] !== OPEN_BRACE && markKind[top] !== TEMPLATE_BRACE) {
            const around = markMatch[top]!;
            markMatch[top] = markCount;
            top = around;
            depth--;
          }
          at++;
          break;
        }
        if (markCount === markKind.length) {
          growMarks();
          ({ markKind, markAt, markLine, markMatch } = source);
        }
        const isTemplate = markKind[top] === TEMPLATE_BRACE;
        const around = markMatch[top]!;
        markMatch[top] = markCount;
        markKind[markCount] = code;
        markAt[markCount] = at;
        markLine[markCount] = line;
        markMatch[markCount++] = top;
        top = around;
        depth--;
        at++;
        if (isTemplate) {
          at = templatePartEnd(text, at);
          if (text.charCodeAt(at - 1) === OPEN_BRACE) opened = TEMPLATE_BRACE;
        }
        break;
      }
      case CODE.semicolon:
        if (lexis.lineComments?.includes(';')) at = lineEnd(lineStart, line, lineCount, length);
        else {
          opened = code;
          at++;
        }
        break;
      case CODE.slash: {
        const next = text.charCodeAt(at + 1);
        if (next === 47 && lexis.lineComments?.includes('//')) at = lineEnd(lineStart, line, lineCount, length);
        else if (next === 42 && lexis.blockComments?.includes('/*'))
          at = commentEnd(text, at + 2, '/*', '*/', lexis.nestedComments === true);
        else if (lexis.regexLiterals && mayBeginRegex(text, at))
          at = regexEnd(text, at, lineEnd(lineStart, line, lineCount, length));
        else at++;
        break;
      }
      case CODE.hash: {
        const end = lineEnd(lineStart, line, lineCount, length);
        if (lexis.preprocessor) {
          if (lineText[line] !== at) {
            at++;
            break;
          }
          const word = directive(text, at);
          if (word === 'if' || word === 'ifdef' || word === 'ifndef') branches.push(depth);
          else if (word === 'endif') branches.pop();
          else if (word === 'else' || word === 'elif') {
            // The branches stand for each other: what one left open, the other opens again.
            const before = branches.at(-1) ?? depth;
            while (depth > before) {
              const around = markMatch[top]!;
              if (markKind[top] === OPEN_BRACE) braces--;
              markMatch[top] = markCount;
              top = around;
              depth--;
            }
          }
          at = end;
          while (isContinued(text, at) && line + 1 < lineCount) {
            lineOpen[++line] = top;
            lineQuiet[line] = 1;
            at = lineEnd(lineStart, line, lineCount, length);
          }
          break;
        }
        if (lexis.heredoc === 'shell' && !beginsWord(text, at)) at++;
        else if (lexis.heredoc === 'php' && text.charCodeAt(at + 1) === OPEN_SQUARE) at++;
        else at = end;
        break;
      }
      case CODE.dash:
        if (text.charCodeAt(at + 1) !== 45) at++;
        else if (lexis.blockComments?.includes('--[[') && longBracketLevel(text, at + 2) >= 0)
          at = longBracketEnd(text, at + 2);
        else at = lineEnd(lineStart, line, lineCount, length);
        break;
      case CODE.double: {
        const end = lexis.rawPrefix === undefined ? -1 : rawStringEnd(text, at, lexis.rawPrefix);
        at = end === -1 ? stringEnd(text, at, lexis.double) : end;
        break;
      }
      case CODE.single:
        at = stringEnd(text, at, lexis.single);
        break;
      case CODE.backtick:
        if (lexis.backtick === 'template') {
          at = templatePartEnd(text, at + 1);
          if (text.charCodeAt(at - 1) === OPEN_BRACE) opened = TEMPLATE_BRACE;
        } else at = stringEnd(text, at, lexis.backtick);
        break;
      case CODE.less: {
        const isHeredoc = text.charCodeAt(at + 1) === 60 && lexis.heredoc !== undefined && missedHeredocs < 8;
        const heredoc = isHeredoc ? heredocAt(text, at, lexis.heredoc!) : undefined;
        if (heredoc === undefined) at++;
        else {
          heredocs.push(heredoc);
          at += heredoc.length;
        }
        break;
      }
      case CODE.backslash:
        if (lexis.backslashLines && text.charCodeAt(at + 1) === 92) at = lineEnd(lineStart, line, lineCount, length);
        else at += text.charCodeAt(at + 1) === 10 ? 1 : 2;
        break;
      case CODE.equals:
        if (lineStart[line] === at && text.startsWith('=begin', at)) {
          const end = text.indexOf('\n=end', at);
          at = end === -1 ? length : end + 2;
        } else at++;
        break;
      case CODE.dollar:
        at = dollarQuoteEnd(text, at);
        break;
      case CODE.question:
        // What is between `?>` and `<?` is the page itself.
        if (text.charCodeAt(at + 1) === 62) {
          const end = text.indexOf('<?', at);
          at = end === -1 ? length : end;
        } else at++;
        break;
      case CODE.brace:
        if (text.charCodeAt(at + 1) === 45) at = commentEnd(text, at + 2, '{-', '-}', true);
        else {
          opened = code;
          at++;
        }
        break;
      case CODE.bracket:
        if (longBracketLevel(text, at) >= 0) at = longBracketEnd(text, at);
        else {
          opened = code;
          at++;
        }
        break;
      default:
        at++;
    }
    // Lines that began in what was stepped over are no code.
    while (line + 1 < lineCount && lineStart[line + 1]! < at) {
      lineOpen[++line] = top;
      lineQuiet[line] = 1;
    }
    if (opened !== 0) {
      if (markCount === markKind.length) {
        growMarks();
        ({ markKind, markAt, markLine, markMatch } = source);
      }
      markKind[markCount] = opened;
      markAt[markCount] = at - 1;
      markLine[markCount] = line;
      if (opened === SEMICOLON || opened === CLOSE_BRACE) markMatch[markCount] = -1;
      else {
        markMatch[markCount] = top;
        top = markCount;
        depth++;
        if (opened === OPEN_BRACE || opened === TEMPLATE_BRACE) braces++;
      }
      markCount++;
    }
  }
  while (line + 1 < lineCount) lineOpen[++line] = top;
  if (braces > 0) isBalanced = false;
  while (top !== -1) {
    const around = markMatch[top]!;
    markMatch[top] = markCount;
    top = around;
  }
  source.markCount = markCount;
  return isBalanced;
}

/** The offset of the line break that ends this line, or of the end of the text. */
function lineEnd(lineStart: Int32Array, line: number, lineCount: number, length: number): number {
  return line + 1 < lineCount ? lineStart[line + 1]! - 1 : length;
}

/** The open brace whose line has this indent, else the innermost one. */
function alignedBrace(
  { markKind, markLine, markMatch, lineStart, lineText }: Source,
  top: number,
  indent: number,
): number {
  let steps = 0;
  for (let mark = top; mark !== -1 && steps < 64; mark = markMatch[mark]!, steps++) {
    if (markKind[mark] === TEMPLATE_BRACE) return top;
    if (markKind[mark] !== OPEN_BRACE) continue;
    const line = markLine[mark]!;
    const opened = lineText[line]! - lineStart[line]!;
    if (opened === indent) return mark;
    if (opened < indent) return top;
  }
  return top;
}

function directive(text: string, at: number): string {
  let start = at + 1;
  while (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9) start++;
  let end = start;
  while (end - start < 8 && isWord(text.charCodeAt(end))) end++;
  return text.slice(start, end);
}

function isContinued(text: string, lineEnd: number): boolean {
  const before = text.charCodeAt(lineEnd - 1);
  return before === 92 || (before === 13 && text.charCodeAt(lineEnd - 2) === 92);
}

function beginsWord(text: string, at: number): boolean {
  const before = at === 0 ? 10 : text.charCodeAt(at - 1);
  return before === 32 || before === 9 || before === 10 || before === SEMICOLON || before === OPEN_PAREN;
}

function growLines(): void {
  source.lineStart = grown(source.lineStart);
  source.lineText = grown(source.lineText);
  source.lineOpen = grown(source.lineOpen);
  const quiet = new Uint8Array(source.lineQuiet.length * 2);
  quiet.set(source.lineQuiet);
  source.lineQuiet = quiet;
}

function growMarks(): void {
  const kinds = new Uint8Array(source.markKind.length * 2);
  kinds.set(source.markKind);
  source.markKind = kinds;
  source.markAt = grown(source.markAt);
  source.markLine = grown(source.markLine);
  source.markMatch = grown(source.markMatch);
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
