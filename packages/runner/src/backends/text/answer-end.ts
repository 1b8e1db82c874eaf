/** How the end of an answer is recognised, and who is told. */
export interface AnswerEndOptions {
  /** A line that is nothing but this. */
  endMarker?: string | undefined;
  /** What an unfinished line looks like when the process waits for the next prompt. */
  promptPattern?: RegExp | undefined;
  onText: (text: string) => void;
  onEnd: () => void;
}

/**
 * Finds where an answer ends in the output of a process that goes on.
 *
 * With a marker, a line waits only while it can still become the marker. With a pattern every line waits for its end,
 * because what is not ended may be the prompt.
 */
export class AnswerEnd {
  readonly #options: AnswerEndOptions;
  #line = '';
  #isPlain = false;

  constructor(options: AnswerEndOptions) {
    this.#options = options;
  }

  push(text: string): void {
    const lines = text.split('\n');
    for (const [index, piece] of lines.entries()) {
      this.#line += piece;
      if (index < lines.length - 1) this.#endLine();
    }
    const { promptPattern, endMarker } = this.#options;
    if (this.#line === '') return;
    if (!this.#isPlain && promptPattern?.test(this.#line) === true) {
      this.#line = '';
      this.#options.onEnd();
      return;
    }
    if (promptPattern !== undefined || (!this.#isPlain && endMarker?.startsWith(this.#line) === true)) return;
    this.#isPlain = true;
    this.#options.onText(this.#line);
    this.#line = '';
  }

  #endLine(): void {
    const line = this.#line;
    const isEnd = !this.#isPlain && line === this.#options.endMarker;
    this.#line = '';
    this.#isPlain = false;
    if (isEnd) this.#options.onEnd();
    else this.#options.onText(`${line}\n`);
  }
}
