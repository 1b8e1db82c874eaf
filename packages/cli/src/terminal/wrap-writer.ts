import { RESET, type Style, styleOn } from './paint.ts';
import { graphemes, graphemeWidth, isWide, textWidth } from './text-width.ts';

/** A piece of text in one style; `link` makes it a hyperlink. */
export interface Run {
  text: string;
  style: Style;
  link?: string;
}

const PLAIN_STYLE: Style = [];
/** However deep a list is nested, a line has room for a word. */
const MIN_TEXT_WIDTH = 10;
const TAB_WIDTH = 4;
/** A word of this many characters is cut as it comes in, so that the time it takes grows with its length alone. */
const LONG_WORD = 512;
/** No line begins with one of these, and none ends with one of those. */
const CLOSERS = new Set(
  '、。，．！？：；…‥ー」』）】〕》〉｝］ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ,.!?:;)]}%”’'.split(''),
);
const OPENERS = new Set('「『（【〔《〈｛［([{“‘$¥￥'.split(''));
/** Belongs to the character before it. */
const EXTENDS = /\p{M}|\u200D|\p{Emoji_Modifier}/u;

/**
 * Styled text in, lines of a given width out.
 *
 * A word goes out when it is known where it ends, because only then is it known on which line it stands; where no spaces
 * are written, as in Chinese, nearly every character is such an end. A line's prefix is written with the first thing on it,
 * so an empty line has no spaces at its end. What is written depends on the text alone and not on how it was cut.
 */
export class WrapWriter {
  readonly #width: number;
  readonly #write: (text: string) => void;
  readonly #keepsTabs: boolean;
  #firstPrefix: readonly Run[] = [];
  #prefix: readonly Run[] = [];
  #isLineOpen = false;
  #column = 0;
  #prefixWidth = 0;
  #space: Run | undefined;
  #word: Run[] = [];
  #lastChar = '';
  #style: Style = PLAIN_STYLE;
  #link: string | undefined;

  constructor(width: number, write: (text: string) => void, options: { keepsTabs?: boolean } = {}) {
    this.#width = width;
    this.#write = write;
    this.#keepsTabs = options.keepsTabs ?? false;
  }

  /** Whether something stands on the current line. */
  get isLineOpen(): boolean {
    return this.#isLineOpen || this.#word.length > 0;
  }

  /** What the next line begins with, and the ones after it. */
  setPrefix(first: readonly Run[], rest: readonly Run[]): void {
    this.#firstPrefix = first;
    this.#prefix = rest;
  }

  /** Running text: it is wrapped, and any run of blanks is one space. */
  text({ text, style, link }: Run): void {
    let from = 0;
    let at = 0;
    for (const char of text) {
      const isBlank = char === ' ' || char === '\t';
      if (isBlank || char === '\n' || isBreakBetween(this.#lastChar, char)) {
        this.#addToWord(text.slice(from, at), style, link);
        this.#placeWord();
        from = isBlank || char === '\n' ? at + 1 : at;
        if (char === '\n') this.newline();
        else if (isBlank && this.#isLineOpen) this.#space ??= linked(' ', style, link);
      } else if (at - from >= LONG_WORD) {
        this.#addToWord(text.slice(from, at), style, link);
        this.#breakLongWord();
        from = at;
      }
      this.#lastChar = isBlank || char === '\n' ? '' : char;
      at += char.length;
    }
    this.#addToWord(text.slice(from), style, link);
    this.#breakLongWord();
  }

  /** Text that stays as it is, such as code; it goes out at once. */
  verbatim(text: string, style: Style): void {
    this.#placeWord();
    this.#openLine();
    const shown = text.includes('\t') && !this.#keepsTabs ? this.#expandTabs(text) : text;
    this.#column += widthOfChars(shown);
    this.#emit({ text: shown, style });
  }

  /** The word is over: what it is followed by ends it. */
  settle(): void {
    this.#placeWord();
    this.#lastChar = '';
  }

  /** Ends the line; one without anything on it is empty but for its prefix. */
  newline(): void {
    this.#placeWord();
    if (!this.#isLineOpen) this.#openLine(true);
    this.#changeStyle(PLAIN_STYLE, undefined);
    this.#write('\n');
    this.#isLineOpen = false;
    this.#space = undefined;
    this.#lastChar = '';
  }

  /** Ends the line if something stands on it. */
  endLine(): void {
    if (this.isLineOpen) this.newline();
  }

  #addToWord(text: string, style: Style, link: string | undefined): void {
    if (text === '') return;
    const last = this.#word.at(-1);
    if (last !== undefined && isSameLook(last, style, link)) last.text += text;
    else this.#word.push(linked(text, style, link));
  }

  #placeWord(): void {
    this.#breakLongWord();
    if (this.#word.length === 0) return;
    const width = this.#wordWidth();
    if (!this.#isLineOpen) this.#openLine();
    else if (this.#column + (this.#space === undefined ? 0 : 1) + width > this.#lineWidth()) this.#wrapLine();
    else if (this.#space !== undefined) this.#emitSpace(this.#space);
    this.#space = undefined;
    for (const run of this.#word) this.#emit(run);
    this.#column += width;
    this.#word = [];
  }

  /** A word longer than a line is cut where lines end. */
  #breakLongWord(): void {
    if (this.#width === Number.POSITIVE_INFINITY) return;
    while (this.#word.length > 0 && this.#wordWidth() > this.#room()) {
      if (this.#isLineOpen && (this.#space !== undefined || this.#column > this.#prefixWidth)) this.#wrapLine();
      else if (!this.#isLineOpen) this.#openLine();
      this.#space = undefined;
      this.#emitHead(this.#room());
      this.#wrapLine();
    }
  }

  #emitHead(room: number): void {
    let used = 0;
    while (this.#word.length > 0) {
      const run = this.#word[0]!;
      let head = '';
      for (const grapheme of graphemes(run.text)) {
        used += graphemeWidth(grapheme);
        if (used > room) {
          this.#emit({ ...run, text: head });
          run.text = run.text.slice(head.length);
          return;
        }
        head += grapheme;
      }
      this.#emit(run);
      this.#word.shift();
    }
  }

  #wordWidth(): number {
    let width = 0;
    for (const { text } of this.#word) width += textWidth(text);
    return width;
  }

  /** For text on a line that has only its prefix. */
  #room(): number {
    return this.#lineWidth() - (this.#isLineOpen ? this.#prefixWidth : runsWidth(this.#firstPrefix));
  }

  #lineWidth(): number {
    const prefixWidth = this.#isLineOpen ? this.#prefixWidth : runsWidth(this.#firstPrefix);
    return Math.max(this.#width, prefixWidth + MIN_TEXT_WIDTH);
  }

  #wrapLine(): void {
    this.#changeStyle(PLAIN_STYLE, undefined);
    this.#write('\n');
    this.#isLineOpen = false;
    this.#openLine();
  }

  #openLine(isEmpty = false): void {
    if (this.#isLineOpen) return;
    this.#isLineOpen = true;
    const prefix = isEmpty ? trimmedEnd(this.#firstPrefix) : this.#firstPrefix;
    for (const run of prefix) this.#emit(run);
    this.#prefixWidth = runsWidth(prefix);
    this.#column = this.#prefixWidth;
    this.#firstPrefix = this.#prefix;
  }

  /** A space is not crossed out or underlined where only the word before it is. */
  #emitSpace(space: Run): void {
    const isInside = isSameLook(this.#word[0]!, space.style, space.link);
    this.#emit(isInside ? space : { text: ' ', style: PLAIN_STYLE });
    this.#column += 1;
  }

  #expandTabs(text: string): string {
    let column = this.#column - this.#prefixWidth;
    let expanded = '';
    for (const piece of text.split(/(\t)/)) {
      const shown = piece === '\t' ? ' '.repeat(TAB_WIDTH - (column % TAB_WIDTH)) : piece;
      column += widthOfChars(shown);
      expanded += shown;
    }
    return expanded;
  }

  #emit({ text, style, link }: Run): void {
    if (text === '') return;
    this.#changeStyle(style, link);
    this.#write(text);
  }

  #changeStyle(style: Style, link: string | undefined): void {
    if (link !== this.#link) {
      this.#write(`\u001B]8;;${link ?? ''}\u001B\\`);
      this.#link = link;
    }
    if (isSameStyle(style, this.#style)) return;
    if (this.#style.length > 0) this.#write(RESET);
    this.#write(styleOn(style));
    this.#style = style;
  }
}

function linked(text: string, style: Style, link: string | undefined): Run {
  return link === undefined ? { text, style } : { text, style, link };
}

function isSameLook(run: Run, style: Style, link: string | undefined): boolean {
  return run.link === link && isSameStyle(run.style, style);
}

function isSameStyle(one: Style, other: Style): boolean {
  return one === other || one.join() === other.join();
}

/** Of each alone, because the next may not have come yet. */
function widthOfChars(text: string): number {
  let width = 0;
  for (const char of text) width += char < '\u007F' ? 1 : graphemeWidth(char);
  return width;
}

/** Where a line may end although there is no space. */
function isBreakBetween(before: string, after: string): boolean {
  if (before === '' || (before <= '\u1100' && after <= '\u1100')) return false;
  if (!isWide(before) && !isWide(after)) return false;
  return before !== '\u200D' && !CLOSERS.has(after) && !OPENERS.has(before) && !EXTENDS.test(after);
}

function runsWidth(runs: readonly Run[]): number {
  let width = 0;
  for (const { text } of runs) width += textWidth(text);
  return width;
}

function trimmedEnd(runs: readonly Run[]): readonly Run[] {
  const kept = [...runs];
  while (kept.length > 0) {
    const last = kept.pop()!;
    const text = last.text.trimEnd();
    if (text !== '') return [...kept, { ...last, text }];
  }
  return kept;
}
