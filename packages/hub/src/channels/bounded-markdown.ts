import { Lexer, type MarkedOptions, type Token } from 'marked';

/** More marks than anybody writes into one paragraph. */
const MOST_MARKS = 500;
/** A paragraph that is this long has fewer of them, because each is looked for up to its end. */
const LONG_CHARS = 4000;
const MOST_MARKS_OF_LONG = 100;

/**
 * Whether one paragraph would take the lexer too long: for each mark it searches the rest for the one that closes it, so a
 * text that is made of marks takes seconds, in which nothing else gets its turn.
 */
export function isHeavyMarkdown(paragraph: string): boolean {
  const most = paragraph.length > LONG_CHARS ? MOST_MARKS_OF_LONG : MOST_MARKS;
  const marks = /[*_~`[<(]/g;
  for (let count = 0; marks.test(paragraph);) if (++count > most) return true;
  return false;
}

/** Markdown in tokens. What stands in a paragraph, heading or cell with too many marks is one token of plain text. */
export function lexMarkdown(text: string, options: MarkedOptions = { gfm: true }): Token[] {
  return new BoundedLexer(options).lex(text);
}

class BoundedLexer extends Lexer {
  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (!isHeavyMarkdown(text)) return super.inlineTokens(text, tokens);
    tokens.push({ type: 'text', raw: text, text, escaped: false });
    return tokens;
  }
}
