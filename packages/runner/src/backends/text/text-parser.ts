import { BorderedText } from './bordered-text.ts';
import { LineMarkers } from './line-markers.ts';
import { JoinedPieces } from './join-pieces.ts';
import { codeTicks, matchFence, matchFenceEnd, type OpenedFence } from './match-fence.ts';
import { parseCallObject } from './parse-call.ts';
import { TextCalls, type TextPiece } from './text-calls.ts';
import type { MarkedRole, TextRules } from './text-rules.ts';

/** What the characters belong to. `tag` is a thought between tags, where nothing but the closing tag counts. */
type Section = 'text' | 'thinking' | 'tag' | 'tool' | 'toolInput' | 'result';

/** A call that is longer than this is a file that somebody shows. */
const LONGEST_FENCE = 256 * 1024;
const LONGEST_HEAD = 200;

/** How the pieces of a parse are told, and what its calls are named after. */
export interface TextParserOptions {
  rules: TextRules;
  /** Calls are `<prefix>_1`, `<prefix>_2`, …: the same text gives the same ids. */
  idPrefix: string;
  onPiece: (piece: TextPiece) => void;
}

/**
 * Unstructured text in, pieces of blocks out.
 *
 * Decisions are made on characters and never on where the text was cut: a beginning of a line waits while it can still
 * become a marker, and everything else is told at once. What fits no rule is text. A result counts only where a call
 * waits for one, and nothing is looked for inside of code, so that an answer about markers stays an answer.
 */
export class TextParser {
  readonly #rules: TextRules;
  readonly #markers: LineMarkers;
  readonly #calls: TextCalls;
  readonly #pieces: JoinedPieces;
  readonly #onPiece: (piece: TextPiece) => void;
  #rest = '';
  #place: 'line-start' | 'after-marker' | 'in-line' = 'line-start';
  #section: Section = 'text';
  #prose: BorderedText;
  /** The line so far, which may turn out to open code. */
  #head = '';
  /** The backticks that end the code we are in; 0 outside. */
  #code = 0;
  /** The fenced block that may be a call, as far as it came. */
  #fence: (OpenedFence & { opening: string; body: string; first: string }) | undefined;
  /** The backticks that end a fenced result. */
  #resultTicks = 0;
  #closingTag = '';

  constructor(options: TextParserOptions) {
    this.#rules = options.rules;
    this.#markers = new LineMarkers(options.rules);
    this.#pieces = new JoinedPieces(options.onPiece);
    this.#onPiece = (piece) => this.#pieces.push(piece);
    this.#calls = new TextCalls(options.idPrefix, this.#onPiece);
    this.#prose = this.#newProse();
  }

  /** More text, cut anywhere. */
  push(text: string): void {
    this.#rest += text;
    this.#run(false);
    this.#pieces.flush();
  }

  /** No more comes. `isCut` tells that the agent was stopped: calls that still wait have failed then. */
  finish(isCut = false): void {
    this.#run(true);
    if (this.#fence !== undefined) this.#releaseFence();
    this.#leave('text');
    this.#calls.settle(isCut);
    this.#pieces.flush();
  }

  #run(isEnd: boolean): void {
    while (this.#rest !== '') {
      const used = this.#step(isEnd);
      if (used === 0) return;
      this.#rest = this.#rest.slice(used);
    }
  }

  /** How many characters are done with; 0 when it takes more to tell. */
  #step(isEnd: boolean): number {
    if (this.#place === 'after-marker') {
      const spaces = /^[ \t]*/.exec(this.#rest)![0].length;
      if (spaces < this.#rest.length) this.#place = 'in-line';
      return spaces === 0 ? this.#inLine(isEnd) : spaces;
    }
    if (this.#place === 'in-line') return this.#inLine(isEnd);
    const lineBreak = this.#rest.indexOf('\n');
    const isWhole = lineBreak !== -1 || isEnd;
    const line = lineBreak === -1 ? this.#rest : this.#rest.slice(0, lineBreak);
    const length = line.length + (lineBreak === -1 ? 0 : 1);
    if (this.#fence !== undefined) return this.#inFence(line, isWhole, length);
    return this.#lineStart(line, isWhole, length, isEnd);
  }

  #lineStart(line: string, isWhole: boolean, length: number, isEnd: boolean): number {
    this.#head = '';
    const ticks = this.#code || this.#resultTicks;
    if (ticks > 0) {
      const end = matchFenceEnd(line, isWhole, ticks);
      if (end === 'wait') return 0;
      if (end === 'none') return this.#goOn(isEnd);
      if (this.#code > 0) this.#write(this.#rest.slice(0, length));
      else this.#leave('text');
      this.#code = 0;
      return length;
    }
    if (this.#section === 'tag') return this.#goOn(isEnd);
    const marker = this.#markers.match(line, isWhole, (role) => this.#canOpen(role));
    const fence = this.#isProse() ? matchFence(line, isWhole, this.#rules.fences) : 'none';
    const isBlank = line.length <= LONGEST_HEAD && line.trim() === '';
    if (marker === 'wait' || fence === 'wait' || (isBlank && !isWhole)) return 0;
    if (marker !== 'none') {
      this.#leave(marker.role === 'answer' ? 'text' : marker.role);
      this.#place = 'after-marker';
      return marker.length;
    }
    if (fence !== 'none' && fence.kind === 'tool') {
      this.#fence = { ...fence, opening: this.#rest.slice(0, length), body: '', first: '' };
      return length;
    }
    if (fence !== 'none' && this.#calls.isWaiting) {
      this.#leave('result');
      this.#resultTicks = fence.ticks;
      return length;
    }
    if (isBlank && this.#endsHere()) {
      this.#leave('text');
      return length;
    }
    return this.#goOn(isEnd);
  }

  /** An ordinary line: its characters are told as they come. */
  #goOn(isEnd: boolean): number {
    this.#place = 'in-line';
    return this.#inLine(isEnd);
  }

  #inLine(isEnd: boolean): number {
    const lineBreak = this.#rest.indexOf('\n');
    const text = lineBreak === -1 ? this.#rest : this.#rest.slice(0, lineBreak + 1);
    const tag = this.#findTag(text, isEnd || lineBreak !== -1);
    if (tag.at > 0 || tag.length === 0) this.#take(text.slice(0, tag.at));
    if (tag.length === 0) return tag.at;
    const name = text.slice(tag.at + 1, tag.at + tag.length - 1);
    this.#leave(this.#section === 'tag' ? 'text' : 'tag');
    this.#closingTag = `</${name}>`;
    this.#place = 'line-start';
    return tag.at + tag.length;
  }

  /** Where the next tag is; without one (length 0), how far the text is certain to hold none. */
  #findTag(text: string, isWhole: boolean): { at: number; length: number } {
    const tags = this.#section === 'tag' ? [this.#closingTag] : this.#openingTags();
    let first = { at: text.length, length: 0 };
    for (const tag of tags) {
      const at = text.indexOf(tag);
      if (at !== -1 && at < first.at) first = { at, length: tag.length };
    }
    if (first.length > 0 || isWhole) return first;
    const last = text.lastIndexOf('<');
    if (last !== -1 && tags.some((tag) => tag.startsWith(text.slice(last)))) first.at = last;
    return first;
  }

  #openingTags(): string[] {
    return this.#section === 'text' && this.#code === 0 ? (this.#rules.tags ?? []).map((name) => `<${name}>`) : [];
  }

  /** Characters of an ordinary line, the end of it included where it is there. */
  #take(text: string): void {
    this.#write(text);
    const isEnd = text.endsWith('\n');
    if (this.#head.length <= LONGEST_HEAD) this.#head += isEnd ? text.slice(0, -1) : text;
    if (!isEnd) return;
    if (this.#isProse() && this.#code === 0) this.#code = codeTicks(this.#head.slice(0, LONGEST_HEAD + 1));
    this.#place = 'line-start';
  }

  #inFence(line: string, isWhole: boolean, length: number): number {
    const fence = this.#fence!;
    const end = matchFenceEnd(line, isWhole, fence.ticks);
    if (end === 'wait') return 0;
    if (end === 'none') {
      fence.first ||= line.trimStart().slice(0, 1);
      const isNoCall = fence.language === 'json' && fence.first !== '' && fence.first !== '{';
      if (isNoCall || fence.body.length + line.length > LONGEST_FENCE) {
        this.#releaseFence();
        return this.#goOn(false);
      }
      if (!isWhole) return 0;
      fence.body += this.#rest.slice(0, length);
      return length;
    }
    if (fence.language === 'json' && parseCallObject(fence.body) === undefined) {
      this.#releaseFence();
      return this.#lineStart(line, isWhole, length, false);
    }
    this.#fence = undefined;
    this.#leave('tool');
    this.#calls.writeWhole(fence.body);
    this.#leave('text');
    return length;
  }

  /** It was code after all. */
  #releaseFence(): void {
    const { opening, body, ticks } = this.#fence!;
    this.#fence = undefined;
    this.#write(opening + body);
    this.#code = ticks;
  }

  #write(text: string): void {
    if (text === '') return;
    if (this.#section === 'tool') this.#calls.write(text);
    else if (this.#section === 'toolInput') this.#calls.writeInput(text);
    else this.#prose.write(text);
  }

  #leave(next: Section): void {
    const isCallGoingOn = this.#section === 'tool' && next === 'toolInput';
    if (this.#section === 'tool' || this.#section === 'toolInput') {
      if (!isCallGoingOn) this.#calls.finishCall();
    } else if (this.#section === 'result') this.#calls.finishResult();
    else if (this.#prose.hasText) this.#onPiece({ type: 'end' });
    this.#section = next;
    this.#code = this.#resultTicks = 0;
    this.#prose = this.#newProse();
    if (next === 'tool') this.#calls.begin();
    if (next === 'result') this.#calls.beginResult();
  }

  #newProse(): BorderedText {
    const section = this.#section;
    if (section === 'result') return new BorderedText((delta) => this.#calls.writeResult(delta));
    return new BorderedText((delta) => {
      this.#calls.endGroup();
      this.#onPiece({ type: section === 'text' ? 'text' : 'thinking', delta });
    });
  }

  #canOpen(role: MarkedRole): boolean {
    if (role === 'toolInput') return this.#section === 'tool' && this.#calls.hasText;
    if (role !== 'result') return true;
    return (
      this.#calls.isWaiting || ((this.#section === 'tool' || this.#section === 'toolInput') && this.#calls.hasText)
    );
  }

  #isProse(): boolean {
    return this.#section === 'text' || this.#section === 'thinking';
  }

  /** Whether an empty line ends what we are in, which it does only when there is something to end. */
  #endsHere(): boolean {
    if (this.#section === 'text' || this.#section === 'tag') return false;
    if (!(this.#rules.endsAtBlankLine ?? []).includes(this.#section)) return false;
    if (this.#section === 'tool') return this.#calls.hasText;
    return this.#section === 'toolInput' ? this.#calls.hasInput : this.#prose.hasText;
  }
}
