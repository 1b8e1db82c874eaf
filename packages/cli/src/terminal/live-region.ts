import { stripVTControlCharacters } from 'node:util';
import { textWidth } from './text-width.ts';

/** As much of a terminal or a pipe as is written to. */
export interface TerminalOutput {
  write(text: string): unknown;
  columns?: number | undefined;
  rows?: number | undefined;
  isTTY?: boolean | undefined;
}

const ERASE_LINE_END = '\u001B[K';
const ERASE_BELOW = '\u001B[J';

/**
 * The lines at the end of a terminal that are still changing; everything above them stays as it was written.
 *
 * What is to change is written over, in one piece and only where it differs, so that nothing flickers. Elsewhere than on a
 * terminal there are no such lines: only what is final is written.
 */
export class LiveRegion {
  readonly #output: TerminalOutput;
  #shown: readonly string[] = [];
  /** While it is held, what is final waits here. */
  #held: string | undefined;

  constructor(output: TerminalOutput) {
    this.#output = output;
  }

  get isTerminal(): boolean {
    return this.#output.isTTY === true;
  }

  /** Writes final text above, whole lines, and shows these lines below it. No line may be wider than the terminal. */
  update(above: string, lines: readonly string[]): void {
    if (this.#held !== undefined) this.#held += above;
    else if (!this.isTerminal) this.#write(above);
    else if (above !== '' || !this.#isShown(lines)) {
      this.#write(this.#isShownAsDrawn() && above === '' ? this.#changedLines(lines) : this.#redrawn(above, lines));
      this.#shown = lines;
    }
  }

  /** Writes a piece of a line; nothing may be shown below it then. */
  append(text: string): void {
    if (this.#held === undefined) this.#write(text);
    else this.#held += text;
  }

  /** Leaves the terminal to somebody else until `release`. */
  hold(): void {
    this.update('', []);
    this.#held ??= '';
  }

  release(): void {
    const held = this.#held ?? '';
    this.#held = undefined;
    this.#write(held);
  }

  #write(text: string): void {
    if (text !== '') this.#output.write(text);
  }

  #isShown(lines: readonly string[]): boolean {
    return lines.length === this.#shown.length && lines.every((line, index) => line === this.#shown[index]);
  }

  /** A terminal that was made narrower has broken the lines. */
  #isShownAsDrawn(): boolean {
    return this.#rows() === this.#shown.length;
  }

  #rows(): number {
    const columns = this.#output.columns || 80;
    return this.#shown.reduce((rows, line) => rows + rowsOf(line, columns), 0);
  }

  #toTop(): string {
    const rows = this.#rows();
    return rows === 0 ? '' : `\r${rows === 1 ? '' : `\u001B[${rows - 1}A`}`;
  }

  #redrawn(above: string, lines: readonly string[]): string {
    if (this.#shown.length === 0) return above + lines.join('\n');
    const text = (above + lines.join('\n')).replaceAll('\n', `${ERASE_LINE_END}\n`);
    return `${this.#toTop()}${text}${ERASE_BELOW}`;
  }

  #changedLines(lines: readonly string[]): string {
    const shown = this.#shown;
    if (lines.length === 0) return `${this.#toTop()}${ERASE_BELOW}`;
    let text = this.#toTop();
    for (const [index, line] of lines.entries()) {
      if (index > 0) text += '\n';
      if (line !== shown[index]) text += `\r${line}${index < shown.length ? ERASE_LINE_END : ''}`;
      // The cursor comes to stand where the last line ends, as after writing it.
      else if (index === lines.length - 1) text += `\r${line}`;
    }
    return lines.length < shown.length ? `${text}${ERASE_BELOW}` : text;
  }
}

function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(textWidth(stripVTControlCharacters(line)) / columns));
}
