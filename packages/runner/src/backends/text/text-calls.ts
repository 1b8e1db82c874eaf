import { parseCall, type TextCall } from './parse-call.ts';

/** A piece of what a text says. Pieces of one type belong to one block until `end`. */
export type TextPiece =
  | { type: 'text' | 'thinking'; delta: string }
  | { type: 'end' }
  | ({ type: 'tool-use'; id: string; isOpen: boolean } & TextCall)
  | { type: 'tool-output'; id: string; delta: string }
  | { type: 'tool-result'; id: string; content?: string; isError?: boolean };

/**
 * The calls of one parse, and which of them a result belongs to.
 *
 * Calls that follow one another directly are answered in their order. When the text has gone on and another call
 * comes, those before it will not be answered any more.
 */
export class TextCalls {
  readonly #idPrefix: string;
  readonly #onPiece: (piece: TextPiece) => void;
  #count = 0;
  #waiting: string[] = [];
  #isGroupOpen = false;
  #id: string | undefined;
  #text = '';
  #inputText = '';
  #hasText = false;
  #hasInput = false;
  /** Its first line is known, and was shown where it can be. */
  #hasFirstLine = false;
  #answered = '';

  constructor(idPrefix: string, onPiece: (piece: TextPiece) => void) {
    this.#idPrefix = idPrefix;
    this.#onPiece = onPiece;
  }

  /** Whether a call waits for its result. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether the call that is being written says anything yet. */
  get hasText(): boolean {
    return this.#hasText;
  }

  get hasInput(): boolean {
    return this.#hasInput;
  }

  begin(): void {
    this.#id = undefined;
    this.#text = this.#inputText = '';
    this.#hasText = this.#hasInput = this.#hasFirstLine = false;
  }

  /** The call is shown when its first line is whole: what runs for minutes should be seen meanwhile. */
  write(text: string): void {
    this.writeWhole(text);
    if (this.#hasFirstLine || !this.#hasText || !text.includes('\n')) return;
    const said = this.#text.trimStart();
    const end = said.indexOf('\n');
    if (end === -1) return;
    this.#hasFirstLine = true;
    // What begins with a brace or a fence says its name later.
    if (/^[`{]/.test(said)) return;
    this.#announce();
    this.#onPiece({ type: 'tool-use', id: this.#id!, isOpen: true, ...parseCall(said.slice(0, end)) });
  }

  /** A call that is there at once. */
  writeWhole(text: string): void {
    this.#text += text;
    this.#hasText ||= text.trim() !== '';
  }

  writeInput(text: string): void {
    this.#inputText += text;
    this.#hasInput ||= text.trim() !== '';
  }

  finishCall(): void {
    if (!this.hasText) return;
    this.#announce();
    const id = this.#id!;
    this.#onPiece({ type: 'tool-use', id, isOpen: false, ...parseCall(this.#text, this.#inputText) });
    this.#waiting.push(id);
    this.begin();
  }

  beginResult(): void {
    this.#answered = this.#waiting.shift() ?? '';
    this.endGroup();
  }

  writeResult(delta: string): void {
    this.#onPiece({ type: 'tool-output', id: this.#answered, delta });
  }

  finishResult(): void {
    this.#onPiece({ type: 'tool-result', id: this.#answered });
  }

  /** Something else was said. */
  endGroup(): void {
    this.#isGroupOpen = false;
  }

  /**
   * Waits for no result any more. A call that was cut off has failed. For one that the agent went on without nothing is
   * made up: every screen says of a call whose turn is over that no result came.
   */
  settle(isCut: boolean): void {
    const content = 'The turn ended before a result came.';
    for (const id of this.#waiting.splice(0))
      if (isCut) this.#onPiece({ type: 'tool-result', id, content, isError: true });
  }

  #announce(): void {
    if (this.#id !== undefined) return;
    if (!this.#isGroupOpen) this.settle(false);
    this.#isGroupOpen = true;
    this.#id = `${this.#idPrefix}_${++this.#count}`;
  }
}
