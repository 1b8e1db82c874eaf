import { isCrlf, withLineEnds } from './lf-view.ts';
import { matchEscaped } from './match-escaped.ts';
import { matchLineEndings } from './match-line-endings.ts';
import { matchIndentation, matchTrailingWhitespace } from './match-lines.ts';
import { matchQuotes } from './match-quotes.ts';
import { type Matcher, startsOf, type TextEdit, type TextMatch } from './text-edit.ts';

/** In what the text that was found differs from the text that was asked for. */
export type Tolerance =
  | 'exact'
  | 'line-endings'
  | 'trailing-whitespace'
  | 'indentation'
  | 'escaped-characters'
  | 'typographic-quotes';

/** Where the old text stands, and what has to change; or where it could be; or nothing. */
export type FoundText =
  | { outcome: 'found'; tolerance: Tolerance; edits: TextEdit[] }
  | { outcome: 'several'; tolerance: Tolerance; starts: number[] }
  | { outcome: 'none' };

/** What is to be replaced by what. */
export interface Replacement {
  oldString: string;
  newString: string;
  replaceAll?: boolean | undefined;
}

/** From what loses nothing to what needs most care. Line ends carry no meaning, so under them all places may be meant. */
const MATCHERS: readonly { tolerance: Tolerance; match: Matcher; mayRepeat: boolean }[] = [
  { tolerance: 'exact', match: matchExactly, mayRepeat: true },
  { tolerance: 'line-endings', match: matchLineEndings, mayRepeat: true },
  { tolerance: 'trailing-whitespace', match: matchTrailingWhitespace, mayRepeat: false },
  { tolerance: 'indentation', match: matchIndentation, mayRepeat: false },
  { tolerance: 'escaped-characters', match: matchEscaped, mayRepeat: false },
  { tolerance: 'typographic-quotes', match: matchQuotes, mayRepeat: false },
];

/**
 * Finds the text that a model wants to replace.
 *
 * Exactly first. Where that finds nothing, one known slip of models after the other is looked through, and taken only when
 * it leads to a single place. Nothing is ever picked because it looks alike: a wrong edit costs more than a second try.
 * Unless `isFitted`, only line ends may differ.
 */
export function findText(
  content: string,
  { oldString, newString, replaceAll = false }: Replacement,
  isFitted = true,
): FoundText {
  for (const { tolerance, match, mayRepeat } of MATCHERS) {
    const matches = match(content, oldString, newString);
    if (matches.length === 1 || (matches.length > 1 && replaceAll && mayRepeat))
      return { outcome: 'found', tolerance, edits: apart(matches).map(({ edit }) => edit) };
    if (matches.length > 1) return { outcome: 'several', tolerance, starts: matches.map(({ at }) => at) };
    // Blank lines are alike everywhere.
    if (tolerance === 'line-endings' && (!isFitted || oldString.trim() === '')) break;
  }
  return { outcome: 'none' };
}

function matchExactly(content: string, oldString: string, newString: string): TextMatch[] {
  // The line feed of a CRLF is half a line end; to begin with it would leave the other half behind.
  if (oldString.startsWith('\n') && content.includes('\r\n')) return [];
  const text = isCrlf(content) ? withLineEnds(newString, '\r\n') : newString;
  return startsOf(content, oldString).map((at) => {
    const to = at + oldString.length;
    return { at, to, edit: { start: at, end: to, text } };
  });
}

/** From the first on, those that do not reach into one another. */
function apart(matches: readonly TextMatch[]): TextMatch[] {
  let from = 0;
  return matches.filter(({ at, to }) => {
    if (at < from) return false;
    from = to;
    return true;
  });
}
