import { StringDecoder } from 'node:string_decoder';

/** An agent that sends a picture in a line sends megabytes; one that never ends its line is broken. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** Bytes in, lines out, however the bytes were cut. Ends of lines are \n or \r\n; empty lines are left out. */
export class LineReader {
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: (limit: number) => void;
  readonly #limit: number;
  readonly #decoder = new StringDecoder('utf8');
  #pieces: string[] = [];
  #length = 0;
  #isBroken = false;

  constructor(onLine: (line: string) => void, onTooLong: (limit: number) => void = () => {}, limit = LONGEST_LINE) {
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
    this.#limit = limit;
  }

  /** Takes bytes as they come. */
  push(bytes: Buffer): void {
    if (this.#isBroken) return;
    const text = this.#decoder.write(bytes);
    let start = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
      this.#pieces.push(text.slice(start, at));
      this.#flush();
      start = at + 1;
    }
    if (start < text.length) this.#pieces.push(text.slice(start));
    this.#length += text.length - start;
    if (this.#length <= this.#limit) return;
    this.#isBroken = true;
    this.#pieces = [];
    this.#onTooLong(this.#limit);
  }

  /** No more bytes come: what is left is a line too. */
  end(): void {
    if (this.#isBroken) return;
    this.#pieces.push(this.#decoder.end());
    this.#flush();
  }

  #flush(): void {
    const line = this.#pieces.length === 1 ? this.#pieces[0]! : this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    const end = line.endsWith('\r') ? -1 : undefined;
    const whole = line.slice(0, end);
    if (whole !== '') this.#onLine(whole);
  }
}
