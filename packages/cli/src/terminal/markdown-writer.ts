import { cleanText } from './clean-text.ts';
import { type Fence, openFence, readCodeLine } from './markdown-fence.ts';
import { parseInline } from './markdown-inline.ts';
import { type Container, type LineStart, readLineStart } from './markdown-line-start.ts';
import { linePrefix } from './markdown-prefix.ts';
import { isTableRuler, renderTable } from './markdown-table.ts';
import type { Style } from './paint.ts';
import { textWidth } from './text-width.ts';
import { type Run, WrapWriter } from './wrap-writer.ts';

export interface MarkdownWriterOptions {
  write: (text: string) => void;
  /** In columns; `Infinity` wraps nothing. */
  width: number;
  isColored: boolean;
}

/** Takes a text as it comes. */
export interface MarkdownWriter {
  push(delta: string): void;
  /** What was held back is written, and the last line ended. */
  end(): void;
}

const PLAIN: Style = [];
const DIM: Style = ['dim'];
const CODE: Style = ['cyan'];
const RULE_WIDTH = 40;

/**
 * Markdown in, as a model writes it, text for a terminal out.
 *
 * Everything is written as soon as it is certain: a word when it ends, emphasis when it is closed, a line's first characters
 * when they can be no mark, a table when it is over. How the text was cut makes no difference to what is written.
 *
 * With colour, marks become styles. Without it nothing else could carry their meaning, so they stay, and the result is still
 * Markdown: wrapped, and with its tables aligned.
 */
export function markdownWriter(options: MarkdownWriterOptions): MarkdownWriter {
  return new Writer(options);
}

class Writer implements MarkdownWriter {
  readonly #options: MarkdownWriterOptions;
  readonly #out: WrapWriter;
  #written = '';
  /** Half of a pair of UTF-16 units. */
  #half = '';

  #mode: 'start' | 'inline' | 'verbatim' = 'start';
  /** The line's text, as long as it is not known how it begins. */
  #line = '';
  #containers: readonly Container[] = [];
  #isParagraphOpen = false;
  #isHeading = false;
  #inline = '';
  #before = '';
  #style: Style = PLAIN;
  #verbatimStyle: Style = PLAIN;
  #fence: Fence | undefined;
  #table: { start: LineStart; lines: string[] } | undefined;
  /** An empty line that is written when something follows; as deep in quotes as this. */
  #blank: number | undefined;
  #isEmpty = true;

  constructor(options: MarkdownWriterOptions) {
    this.#options = options;
    this.#out = new WrapWriter(options.width, (text) => (this.#written += text), { keepsTabs: !options.isColored });
  }

  push(delta: string): void {
    let text = this.#half + delta;
    this.#half = /[\uD800-\uDBFF]$/.test(text) ? text.at(-1)! : '';
    if (this.#half !== '') text = text.slice(0, -1);
    this.#take(cleanText(text));
    this.#flush();
  }

  end(): void {
    if (this.#half !== '') this.#take(cleanText(this.#half));
    this.#half = '';
    if (this.#mode === 'start' && this.#line !== '') this.#feed('', true);
    this.#flushTable();
    this.#closeParagraph();
    this.#out.endLine();
    this.#flush();
  }

  #take(text: string): void {
    for (let from = 0; from < text.length;) {
      const end = text.indexOf('\n', from);
      this.#feed(text.slice(from, end === -1 ? text.length : end), end !== -1);
      from = end === -1 ? text.length : end + 1;
    }
  }

  #flush(): void {
    if (this.#written !== '') this.#options.write(this.#written);
    this.#written = '';
  }

  #feed(piece: string, isLineEnd: boolean): void {
    if (this.#mode === 'inline') this.#pushInline(piece);
    else if (this.#mode === 'verbatim') this.#out.verbatim(piece, this.#verbatimStyle);
    else {
      this.#line += piece;
      const fence = this.#fence;
      const isKnown = fence === undefined ? this.#startLine(isLineEnd) : this.#startCodeLine(isLineEnd, fence);
      if (!isKnown) return;
    }
    if (isLineEnd) this.#endLine();
  }

  #endLine(): void {
    if (this.#mode === 'verbatim') this.#out.newline();
    else if (this.#mode === 'inline' && this.#isHeading) this.#closeParagraph();
    else if (this.#mode === 'inline') this.#settle();
    this.#mode = 'start';
    this.#line = '';
  }

  #startLine(isWhole: boolean): boolean {
    const start = readLineStart(this.#line, isWhole, {
      containers: this.#containers,
      isParagraphOpen: this.#isParagraphOpen || this.#table?.lines.length === 1,
    });
    if (start === undefined) return false;
    const content = this.#line.slice(start.at);
    if (start.leaf === 'table') this.#addToTable(start, content);
    else {
      this.#flushTable();
      this.#startBlock(start, content);
    }
    return true;
  }

  #startBlock(start: LineStart, content: string): void {
    switch (start.leaf) {
      case 'blank':
        return this.#startBlank(start);
      case 'text':
        return this.#startText(start, content);
      case 'heading': {
        this.#openBlock(start);
        this.#isHeading = true;
        this.#style = start.level === 1 ? ['bold', 'underline'] : ['bold'];
        this.#isParagraphOpen = true;
        this.#mode = 'inline';
        if (!this.#options.isColored) this.#out.text({ text: `${'#'.repeat(start.level)} `, style: PLAIN });
        return this.#pushInline(content);
      }
      case 'rule': {
        const room = this.#options.width - prefixWidth(this.#openBlock(start));
        const rule = this.#options.isColored ? '─'.repeat(Math.max(3, Math.min(room, RULE_WIDTH))) : '---';
        return this.#writeLine(rule, this.#shown(DIM));
      }
      case 'code':
        this.#openBlock(start, [{ text: '    ', style: PLAIN }]);
        this.#mode = 'verbatim';
        this.#verbatimStyle = this.#shown(CODE);
        return this.#out.verbatim(`${' '.repeat(start.column - 4)}${content}`, this.#verbatimStyle);
      case 'fence':
        return this.#openFence(start, content);
      case 'table':
    }
  }

  #startBlank(start: LineStart): void {
    if (start.containers.length > start.known) {
      this.#openBlock(start);
      return this.#out.newline();
    }
    this.#closeParagraph();
    const quotes = start.containers.filter(({ kind }) => kind === 'quote').length;
    this.#blank = Math.min(quotes, this.#blank ?? quotes);
  }

  #startText(start: LineStart, content: string): void {
    const isGoingOn = this.#isParagraphOpen && start.known === start.containers.length;
    if (!isGoingOn) this.#openBlock(start);
    this.#isParagraphOpen = true;
    this.#mode = 'inline';
    this.#pushInline(isGoingOn ? `\n${content}` : content);
  }

  /** Ends what was before, leaves the empty line that was asked for, and prepares the lines of the new block. */
  #openBlock({ containers, known }: LineStart, inner: readonly Run[] = []): readonly Run[] {
    this.#closeParagraph();
    const { isColored } = this.#options;
    const rest = [...linePrefix(containers, containers.length, isColored), ...inner];
    if (this.#blank !== undefined && !this.#isEmpty) {
      let quotes = this.#blank;
      const shared = containers.slice(0, known).filter(({ kind }) => kind === 'item' || quotes-- > 0);
      this.#out.setPrefix(linePrefix(shared, shared.length, isColored), []);
      this.#out.newline();
    }
    this.#blank = undefined;
    this.#isEmpty = false;
    this.#containers = containers;
    this.#out.setPrefix([...linePrefix(containers, known, isColored), ...inner], rest);
    return rest;
  }

  #pushInline(text: string): void {
    if (!this.#options.isColored) return this.#out.text({ text, style: PLAIN });
    this.#inline += text;
    this.#parseInline(false);
  }

  #parseInline(isWhole: boolean): void {
    const style = this.#style;
    const used = parseInline(this.#inline, isWhole, (run) => this.#out.text(run), { style, before: this.#before });
    if (used === 0) return;
    this.#before = this.#inline[used - 1]!;
    this.#inline = this.#inline.slice(used);
  }

  /** A line's last word need not wait for the next line, unless what follows it is held. */
  #settle(): void {
    if (this.#inline === '') this.#out.settle();
  }

  #closeParagraph(): void {
    if (!this.#isParagraphOpen) return;
    this.#parseInline(true);
    if (this.#out.isLineOpen) this.#out.newline();
    this.#isParagraphOpen = false;
    this.#isHeading = false;
    this.#style = PLAIN;
    this.#inline = '';
    this.#before = '';
  }

  #addToTable(start: LineStart, line: string): void {
    const table = this.#table;
    const isSamePlace = start.known === start.containers.length && start.known === table?.start.containers.length;
    if (table !== undefined && isSamePlace && (table.lines.length > 1 || isTableRuler(line))) {
      table.lines.push(line);
      return;
    }
    this.#flushTable();
    // A row that no ruler follows goes on as text where it stands, so the paragraph before it stays open.
    if (start.known !== start.containers.length || start.known !== this.#containers.length) this.#closeParagraph();
    this.#table = { start, lines: [line] };
    if (!this.#isParagraphOpen) this.#containers = start.containers;
  }

  #flushTable(): void {
    const table = this.#table;
    if (table === undefined) return;
    this.#table = undefined;
    if (table.lines.length === 1) {
      this.#startText(table.start, table.lines[0]!);
      this.#settle();
      this.#mode = 'start';
      return;
    }
    const prefix = this.#openBlock(table.start);
    const { width, isColored } = this.#options;
    const room = width - prefixWidth(prefix);
    for (const line of renderTable(table.lines, room, isColored)) this.#writeLine(line);
  }

  #openFence(start: LineStart, content: string): void {
    const { isColored } = this.#options;
    this.#openBlock(start, isColored ? [{ text: '  ', style: PLAIN }] : []);
    this.#fence = openFence(start, content);
    if (!isColored) this.#writeLine(content.trimEnd());
  }

  #startCodeLine(isWhole: boolean, fence: Fence): boolean {
    const line = readCodeLine(this.#line, isWhole, fence);
    if (line === undefined) return false;
    if (line.kind === 'code') {
      this.#mode = 'verbatim';
      this.#verbatimStyle = this.#shown(fence.isDiff ? diffStyle(line.code) : CODE);
      if (line.code !== '') this.#out.verbatim(line.code, this.#verbatimStyle);
      return true;
    }
    this.#fence = undefined;
    if (line.kind === 'outside') return this.#startLine(isWhole);
    if (!this.#options.isColored) this.#writeLine(line.marks);
    return true;
  }

  #writeLine(text: string, style: Style = PLAIN): void {
    if (text !== '') this.#out.verbatim(text, style);
    this.#out.newline();
  }

  #shown(style: Style): Style {
    return this.#options.isColored ? style : PLAIN;
  }
}

function prefixWidth(prefix: readonly Run[]): number {
  return prefix.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** How a line of a diff is shown. */
export function diffStyle(line: string): Style {
  if (line.startsWith('+')) return ['green'];
  if (line.startsWith('-')) return ['red'];
  return line.startsWith('@') ? ['cyan'] : DIM;
}
