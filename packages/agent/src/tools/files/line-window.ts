/** Which lines are wanted, and how much of them at most. */
export interface LineWindowOptions {
  /** The first line, counted from 1. */
  offset: number;
  limit: number;
  maxLineLength: number;
  /** Of all numbered lines together, in UTF-8. */
  maxBytes: number;
}

/**
 * The lines of a text that comes in pieces, numbered, from one line to another.
 *
 * Only what is shown is kept, of a long line only its beginning, so a log of a gigabyte or a line of one costs no more than a
 * small file.
 */
export class LineWindow {
  /** Each with its number and a tab before it. */
  readonly lines: string[] = [];
  /** How many lines went by so far. */
  count = 0;
  /** Why there is more than was kept. */
  cutBy: 'limit' | 'bytes' | undefined;
  readonly #options: LineWindowOptions;
  #bytes = 0;
  #open = '';
  #openLength = 0;

  constructor(options: LineWindowOptions) {
    this.#options = options;
  }

  /** Takes the next piece of the text. */
  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.#extend(text, from, end);
      this.#endLine();
      from = end + 1;
    }
    this.#extend(text, from, text.length);
  }

  /** The text is over: what stands after the last line feed is a line too. */
  finish(): void {
    if (this.#openLength > 0) this.#endLine();
  }

  /** The number of the last line that is shown. */
  get last(): number {
    return this.#options.offset - 1 + this.lines.length;
  }

  #extend(text: string, from: number, end: number): void {
    const { limit, maxLineLength } = this.#options;
    if (end > from && this.lines.length === limit) this.cutBy ??= 'limit';
    // One more than is shown, for the carriage return at its end.
    if (this.#isWanted() && this.#open.length <= maxLineLength)
      this.#open += text.slice(from, Math.min(end, from + maxLineLength + 1 - this.#open.length));
    this.#openLength += end - from;
  }

  #endLine(): void {
    if (this.#isWanted()) this.#keep();
    this.count++;
    this.#open = '';
    this.#openLength = 0;
  }

  #isWanted(): boolean {
    return this.count + 1 >= this.#options.offset && this.cutBy === undefined;
  }

  #keep(): void {
    const { limit, maxBytes } = this.#options;
    if (this.lines.length === limit) {
      this.cutBy = 'limit';
      return;
    }
    const line = `${this.count + 1}\t${this.#shownLine()}`;
    this.#bytes += Buffer.byteLength(line) + 1;
    if (this.#bytes > maxBytes && this.lines.length > 0) this.cutBy = 'bytes';
    else this.lines.push(line);
  }

  #shownLine(): string {
    const { maxLineLength } = this.#options;
    const hasReturn = this.#open.length === this.#openLength && this.#open.endsWith('\r');
    const line = hasReturn ? this.#open.slice(0, -1) : this.#open;
    if (line.length <= maxLineLength) return line;
    return `${line.slice(0, maxLineLength).toWellFormed()} [cut: the line has ${this.#openLength} characters]`;
  }
}
