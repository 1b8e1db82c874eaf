import type { BlockWriter } from '../../backend/block-writer.ts';
import { type Fields, fieldsIn, textIn } from '../../backend/fields.ts';
import type { ToolCalls } from './tool-calls.ts';

interface OpenBlock {
  type: 'text' | 'thinking' | 'tool';
  /** The call, where it is one. */
  id: string;
  text: string;
}

/**
 * An answer of the model while it is written. It remembers what it said of it, because the same comes once more as a
 * whole message.
 */
export class StreamedMessage {
  readonly #writer: BlockWriter;
  readonly #calls: ToolCalls;
  /** Blocks by the task they belong to and their number in the message. */
  readonly #open = new Map<string, OpenBlock>();
  #messageId: string | undefined;
  #said: OpenBlock[] = [];

  constructor(writer: BlockWriter, calls: ToolCalls) {
    this.#writer = writer;
    this.#calls = calls;
  }

  /** What follows belongs to the message with this id. */
  begin(messageId: string | undefined): void {
    if (messageId === this.#messageId) return;
    this.#messageId = messageId;
    this.#said = [];
    this.#writer.nextMessage();
  }

  /** Takes an event of the stream. True when something was said in it. */
  take(event: Fields, parent: string | undefined): boolean {
    const key = `${parent ?? ''} ${String(event['index'])}`;
    switch (event['type']) {
      case 'message_start':
        if (parent === undefined) this.begin(textIn(fieldsIn(event, 'message'), 'id'));
        return false;
      case 'content_block_start':
        this.#start(key, fieldsIn(event, 'content_block'), parent);
        return false;
      case 'content_block_delta':
        return this.#add(key, fieldsIn(event, 'delta'), parent);
      case 'content_block_stop': {
        const open = this.#open.get(key);
        this.#open.delete(key);
        if (open?.type === 'tool') this.#calls.endInput(open.id);
        else if (open !== undefined && parent === undefined) this.#writer.nextBlock();
        return false;
      }
      default:
        return false;
    }
  }

  /** Takes a whole block of text or thinking. True when it had not been said yet. */
  whole(block: Fields): boolean {
    const type = block['type'] === 'thinking' ? 'thinking' : 'text';
    const text = textIn(block, type) ?? '';
    const said = this.#said.filter((each) => each.type === type);
    if (text === '' || said.some((each) => each.text === text)) return false;
    const last = said.at(-1);
    const isCut = last !== undefined && [...this.#open.values()].includes(last) && text.startsWith(last.text);
    if (isCut) {
      this.#say(type, text.slice(last.text.length));
      last.text = text;
      return true;
    }
    this.#said.push({ type, id: '', text });
    this.#writer.nextBlock();
    this.#say(type, text);
    this.#writer.nextBlock();
    return true;
  }

  #start(key: string, block: Fields, parent: string | undefined): void {
    const [id, name] = [textIn(block, 'id'), textIn(block, 'name')];
    if (id !== undefined && name !== undefined) {
      this.#open.set(key, { type: 'tool', id, text: '' });
      return this.#calls.begin(id, name, parent);
    }
    if (block['type'] !== 'text' && block['type'] !== 'thinking') return;
    const open: OpenBlock = { type: block['type'], id: '', text: textIn(block, block['type']) ?? '' };
    this.#open.set(key, open);
    if (parent !== undefined) return;
    this.#said.push(open);
    this.#writer.nextBlock();
    this.#say(open.type, open.text);
  }

  #add(key: string, delta: Fields, parent: string | undefined): boolean {
    const open = this.#open.get(key);
    const field = { text: 'text', thinking: 'thinking', tool: 'partial_json' }[open?.type ?? 'text'];
    const text = textIn(delta, field);
    if (open === undefined || text === undefined) return false;
    if (open.type === 'tool') this.#calls.input(open.id, text);
    else if (parent === undefined) {
      open.text += text;
      this.#say(open.type, text);
      return true;
    }
    return false;
  }

  #say(type: OpenBlock['type'], text: string): void {
    if (type === 'thinking') this.#writer.thinking(text);
    else this.#writer.text(text);
  }
}
