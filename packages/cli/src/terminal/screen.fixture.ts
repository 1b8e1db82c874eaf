import { graphemes, graphemeWidth } from './text-width.ts';

/** Commands to the terminal, hyperlinks, moves to another line, and text. */
// oxlint-disable-next-line no-control-regex
const PIECES = /\u001B\[(\d*)(?:;\d+)*([A-Za-z])|\u001B\][^\u001B]*\u001B\\|\n|\r|[^\u001B\n\r]+/g;

/** A terminal that can be looked at: what stands on its screen after everything that was written. Styles are left out. */
export class Screen {
  readonly isTTY = true;
  columns: number;
  readonly rows = 40;
  readonly written: string[] = [];
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(columns: number) {
    this.columns = columns;
  }

  write(text: string): boolean {
    this.written.push(text);
    for (const [piece, count, command] of text.matchAll(PIECES))
      this.#take(piece, command, Number(count === '' || count === undefined ? 1 : count));
    return true;
  }

  /** The lines from the top, without blanks at their ends. */
  get text(): string {
    return this.#lines
      .map((line) => line.join('').trimEnd())
      .join('\n')
      .trimEnd();
  }

  #take(piece: string, command: string | undefined, count: number): void {
    if (command === 'A') this.#row = Math.max(0, this.#row - count);
    else if (command === 'G') this.#column = count - 1;
    else if (command === 'K') this.#line().length = Math.min(this.#line().length, this.#column);
    else if (command === 'J') {
      this.#line().length = Math.min(this.#line().length, this.#column);
      this.#lines.length = this.#row + 1;
    } else if (piece === '\r') this.#column = 0;
    else if (piece === '\n') this.#newline();
    else if (!piece.startsWith('\u001B')) for (const grapheme of graphemes(piece)) this.#put(grapheme);
  }

  #put(grapheme: string): void {
    const width = graphemeWidth(grapheme);
    if (this.#column + width > this.columns) this.#newline();
    const line = this.#line();
    while (line.length < this.#column) line.push(' ');
    line[this.#column] = grapheme;
    for (let covered = 1; covered < width; covered++) line[this.#column + covered] = '';
    this.#column += width;
  }

  #newline(): void {
    this.#row++;
    this.#column = 0;
    this.#line();
  }

  #line(): string[] {
    while (this.#lines.length <= this.#row) this.#lines.push([]);
    return this.#lines[this.#row]!;
  }
}
