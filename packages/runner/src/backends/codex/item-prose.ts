import type { BlockWriter } from '../../backend/block-writer.ts';

/** What was said of an item. */
interface Said {
  text: string;
  /** Which of its parts is being told, and from where: a summary of thoughts, or the thoughts themselves. */
  part: string;
}

/** Texts and thoughts of items, told piece by piece and once more when they are whole. Each item is a block of its own. */
export class ItemProse {
  readonly #writer: BlockWriter;
  readonly #said = new Map<string, Said>();
  #current: string | undefined;

  constructor(writer: BlockWriter) {
    this.#writer = writer;
  }

  /** A piece of an item. Parts of one item are set apart by an empty line; those from another source are left out. */
  add(itemId: string, type: 'text' | 'thinking', delta: string, source = '', index = 0): void {
    const part = `${source} ${index}`;
    let said = this.#said.get(itemId);
    if (said === undefined) this.#said.set(itemId, (said = { text: '', part }));
    if (said.part.split(' ')[0] !== source) return;
    const gap = said.part !== part && said.text !== '' ? '\n\n' : '';
    said.part = part;
    said.text += gap + delta;
    this.#say(itemId, type, gap + delta);
  }

  /** The whole item. What was not told of it yet is told now. */
  whole(itemId: string, type: 'text' | 'thinking', text: string): void {
    const told = this.#said.get(itemId)?.text ?? '';
    this.#said.delete(itemId);
    if (text.startsWith(told)) this.#say(itemId, type, text.slice(told.length));
    if (this.#current === itemId) this.#writer.nextBlock();
    this.#current = undefined;
  }

  /** The turn is over. */
  clear(): void {
    this.#said.clear();
    this.#current = undefined;
  }

  #say(itemId: string, type: 'text' | 'thinking', text: string): void {
    if (text === '') return;
    if (this.#current !== itemId) this.#writer.nextBlock();
    this.#current = itemId;
    if (type === 'text') this.#writer.text(text);
    else this.#writer.thinking(text);
  }
}
