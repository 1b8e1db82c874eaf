/**
 * Text without the empty lines at its borders, told as it comes.
 *
 * Line breaks around a block are layout; those within it are kept. So breaks at the end wait until more text shows that
 * they are within, and nothing is told of text that is only white space.
 */
export class BorderedText {
  readonly #tell: (delta: string) => void;
  #waiting = '';
  #hasText = false;

  constructor(tell: (delta: string) => void) {
    this.#tell = tell;
  }

  /** Whether anything was told. */
  get hasText(): boolean {
    return this.#hasText;
  }

  write(delta: string): void {
    // White space that only adds to what waits is not looked at again and again: there may be a lot of it.
    if ((!this.#hasText || this.#waiting !== '') && delta.trim() === '') {
      this.#waiting += delta;
      return;
    }
    let text = this.#waiting + delta;
    if (!this.#hasText) {
      const first = text.length - text.trimStart().length;
      this.#hasText = true;
      text = text.slice(text.lastIndexOf('\n', first) + 1);
    }
    const lineBreak = text.indexOf('\n', text.trimEnd().length);
    this.#waiting = lineBreak === -1 ? '' : text.slice(lineBreak);
    const told = lineBreak === -1 ? text : text.slice(0, lineBreak);
    if (told !== '') this.#tell(told);
  }
}
