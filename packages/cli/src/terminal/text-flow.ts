import type { MarkdownWriter } from './markdown-writer.ts';

/**
 * The texts of an answer, one after the other: where a model writes two at the same time, the second waits for the first
 * to end.
 */
export class TextFlow {
  readonly #openWriter: () => MarkdownWriter;
  #shown: { partID: string; writer: MarkdownWriter } | undefined;
  readonly #later = new Map<string, { text: string; isEnded: boolean }>();

  constructor(openWriter: () => MarkdownWriter) {
    this.#openWriter = openWriter;
  }

  /** Whether a text is being shown that may go on. */
  get isOpen(): boolean {
    return this.#shown !== undefined;
  }

  add(partID: string, delta: string): void {
    if (this.#shown !== undefined && this.#shown.partID !== partID) {
      const text = (this.#later.get(partID)?.text ?? '') + delta;
      this.#later.set(partID, { text, isEnded: false });
      return;
    }
    this.#shown ??= { partID, writer: this.#openWriter() };
    this.#shown.writer.push(delta);
  }

  /** Nothing more comes of this one; the next takes its place. */
  end(partID: string): void {
    const later = this.#later.get(partID);
    if (later !== undefined) later.isEnded = true;
    if (this.#shown?.partID !== partID) return;
    this.#shown.writer.end();
    this.#shown = undefined;
    const [next] = this.#later;
    if (next === undefined) return;
    const [nextID, { text, isEnded }] = next;
    this.#later.delete(nextID);
    this.add(nextID, text);
    if (isEnded) this.end(nextID);
  }

  /** One that was taken back; what is on the screen stays there. */
  remove(partID: string): void {
    this.#later.delete(partID);
    this.end(partID);
  }

  endAll(): void {
    while (this.#shown !== undefined) this.end(this.#shown.partID);
  }
}
