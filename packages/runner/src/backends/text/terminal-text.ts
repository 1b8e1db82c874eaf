const ESCAPE = '\u001b';
const BELL = '\u0007';
/** A title or a link that was never ended must not swallow the answer. */
const LONGEST_SEQUENCE = 4096;

type State = 'text' | 'escape' | 'charset' | 'csi' | 'string' | 'string-escape';

/**
 * The bytes of a program's output as text: whole characters, without colours and cursor movements, lines ended by `\n`.
 *
 * It works character by character, so that it makes no difference where the bytes were cut.
 */
export class TerminalText {
  readonly #decoder = new TextDecoder();
  #state: State = 'text';
  #length = 0;
  /** A `\r` that may be half the end of a line. */
  #hasReturn = false;

  /** The text of these bytes, as far as it is certain. */
  push(bytes: Uint8Array): string {
    return this.#clean(this.#decoder.decode(bytes, { stream: true }));
  }

  /** What is left when no more bytes come. */
  end(): string {
    const text = this.#clean(this.#decoder.decode());
    const last = this.#hasReturn ? '\r' : '';
    this.#hasReturn = false;
    return text + last;
  }

  #clean(text: string): string {
    if (this.#state === 'text' && !this.#hasReturn && !text.includes(ESCAPE) && !text.includes('\r')) return text;
    let clean = '';
    for (const char of text) clean += this.#take(char);
    return clean;
  }

  #take(char: string): string {
    if (this.#state === 'text') {
      if (char === ESCAPE) {
        this.#enter('escape');
        return '';
      }
      const before = this.#hasReturn && char !== '\n' ? '\r' : '';
      this.#hasReturn = char === '\r';
      return this.#hasReturn ? before : before + char;
    }
    this.#length++;
    // No sequence runs over the end of a line.
    if (char === '\n' || this.#length > LONGEST_SEQUENCE) {
      this.#state = 'text';
      return this.#take(char);
    }
    this.#follow(char);
    return '';
  }

  /** Inside an escape sequence, of which nothing is shown. */
  #follow(char: string): void {
    switch (this.#state) {
      case 'escape':
        if (char === '[') this.#state = 'csi';
        else if (char === ']' || char === 'P' || char === 'X' || char === '^' || char === '_') this.#state = 'string';
        else if (char >= ' ' && char <= '/') this.#state = 'charset';
        else this.#state = 'text';
        return;
      case 'charset':
        if (char < ' ' || char > '/') this.#state = 'text';
        return;
      case 'csi':
        if (char >= '@' && char <= '~') this.#state = 'text';
        return;
      case 'string':
        if (char === BELL) this.#state = 'text';
        else if (char === ESCAPE) this.#state = 'string-escape';
        return;
      case 'string-escape':
        this.#state = char === '\\' ? 'text' : 'string';
        return;
      default: // Text is not in a sequence.
    }
  }

  #enter(state: State): void {
    this.#state = state;
    this.#length = 0;
  }
}
