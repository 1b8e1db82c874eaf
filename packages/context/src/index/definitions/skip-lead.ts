import { lineOf, markFrom, type Source } from './scan-source.ts';
import type { StatementLanguage } from './statement.ts';

const OPEN_PAREN = 40;
const SEMICOLON = 59;
const OPEN_SQUARE = 91;
const OPEN_BRACE = 123;
const MAX_TEMPLATE_LENGTH = 4000;

const LABEL = /(?:public|private|protected|internal|signals|Q_SIGNALS)(?:[ \t]+(?:slots|Q_SLOTS))?[ \t]*:(?!:)/y;
const MACRO_LINE = /_{0,2}[A-Z][A-Z0-9_]{2,}[ \t]*\r?\n/y;
const ANNOTATION = /@(?!interface\b)[\w.]+[ \t]*(?=(\()?)/y;

/**
 * The offset of the first word that belongs to a statement itself: behind comments, annotations, the parameters of a
 * template, labels, and lines of the preprocessor.
 */
export function skipLead(source: Source, language: StatementLanguage, from: number, to: number): number {
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

/** The first offset from here on that is not blank. */
export function firstText(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13); code = text.charCodeAt(at)) at++;
  return at;
}

/** Behind the `>` that closes a template's parameters. */
function templateEnd(text: string, at: number, to: number): number {
  const start = text.indexOf('<', at);
  let depth = 0;
  let parens = 0;
  const stop = Math.min(to, start + MAX_TEMPLATE_LENGTH);
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
