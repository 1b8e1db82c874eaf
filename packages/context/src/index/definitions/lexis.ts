/** How a quoted text ends: at its line at the latest, or on a later line. */
type Quoting =
  | 'line' // "…" with escapes, given up at the end of the line
  | 'lines' // '…' with escapes, over several lines
  | 'raw' // `…` without escapes, over several lines
  | 'template' // `…${…}…`
  | 'character' // 'x'; a lone quote is a lifetime, a symbol or part of a name
  | 'triple' // "…" on a line, """…""" over several
  | 'none';

/** What of a language must be known to tell its code from its comments and texts, and to pair its brackets. */
export interface Lexis {
  /** Up to the end of the line. `#` of a shell only counts at the start of a word. */
  lineComments?: readonly ('//' | '#' | '--' | ';')[];
  blockComments?: readonly ('/*' | '{-' | '--[[' | '=begin')[];
  /** `/*` and `{-` inside their own kind. */
  nestedComments?: boolean;
  double?: Quoting;
  single?: Quoting;
  backtick?: Quoting;
  /** Prefixes that make a double-quoted text raw: `r#"…"#`, `R"x(…)x"`, `@"…"`, `#"…"#`. */
  rawPrefix?: 'r#' | 'R(' | '@' | '#';
  /** Texts that begin on the line after they are announced: `<<EOF`, `<<~EOF`, `<<<EOF`. */
  heredoc?: 'shell' | 'ruby' | 'php';
  /** `/…/` where a value may stand. */
  regexLiterals?: boolean;
  /** `#if … #else … #endif`: lines that are no code, and branches of which one counts. */
  preprocessor?: boolean;
  /** `[[…]]` and `[=[…]=]`. */
  longBrackets?: boolean;
  /** `\\…` up to the end of the line. */
  backslashLines?: boolean;
  /** `$tag$…$tag$`. */
  dollarQuotes?: boolean;
  /** The brackets that must pair; all of them where it does not say. */
  brackets?: string;
}

export const CODE = {
  skip: 0,
  newline: 1,
  open: 2,
  close: 3,
  semicolon: 4,
  slash: 5,
  hash: 6,
  dash: 7,
  double: 8,
  single: 9,
  backtick: 10,
  less: 11,
  backslash: 12,
  equals: 13,
  dollar: 14,
  brace: 15,
  bracket: 16,
  question: 17,
} as const;

const tables = new WeakMap<Lexis, Uint8Array>();

/** For each ASCII character, what the scanner has to look at when it meets it; 0 for nothing. */
export function actionTable(lexis: Lexis): Uint8Array {
  let table = tables.get(lexis);
  if (table === undefined) {
    table = buildTable(lexis);
    tables.set(lexis, table);
  }
  return table;
}

function buildTable(lexis: Lexis): Uint8Array {
  const table = new Uint8Array(128);
  const set = (characters: string, action: number) => {
    for (const character of characters) table[character.charCodeAt(0)] = action;
  };
  const comments: readonly string[] = [...(lexis.lineComments ?? []), ...(lexis.blockComments ?? [])];
  set('\n', CODE.newline);
  for (const bracket of lexis.brackets ?? '()[]{}') set(bracket, '([{'.includes(bracket) ? CODE.open : CODE.close);
  set(';', CODE.semicolon);
  if (comments.some((comment) => comment.startsWith('/')) || lexis.regexLiterals) set('/', CODE.slash);
  if (comments.includes('#') || lexis.preprocessor) set('#', CODE.hash);
  if (comments.some((comment) => comment.startsWith('--'))) set('-', CODE.dash);
  if (comments.includes('{-')) set('{', CODE.brace);
  if (comments.includes('=begin')) set('=', CODE.equals);
  if (lexis.longBrackets) set('[', CODE.bracket);
  if (lexis.heredoc) set('<', CODE.less);
  if (lexis.backslashLines || lexis.heredoc === 'shell') set('\\', CODE.backslash);
  if (lexis.heredoc === 'php') set('?', CODE.question);
  if (lexis.dollarQuotes) set('$', CODE.dollar);
  if (lexis.double && lexis.double !== 'none') set('"', CODE.double);
  if (lexis.single && lexis.single !== 'none') set("'", CODE.single);
  if (lexis.backtick && lexis.backtick !== 'none') set('`', CODE.backtick);
  return table;
}
