import { addToIndex, type BlockIndex, indexBlocks, placeIn } from './block-index.ts';
import type { ShownBlock, ShownMessage } from './session-view.ts';

/** Where a block stands. */
export interface DraftPlace {
  message: number;
  block: number;
}

type OwnMessage = Omit<ShownMessage, 'blocks'> & { blocks: ShownBlock[] };

/** How the messages of a view are searched: from the end, until that was so much work that an index is worth it. */
interface Finder {
  steps: number;
  index?: BlockIndex;
}

const STEPS_BEFORE_INDEX = 20_000;

/** Kept beside the views, which hold nothing but what is shown. */
const FINDERS = new WeakMap<readonly ShownMessage[], Finder>();

/**
 * The messages of a session while events are added to them.
 *
 * They are given out once, at the end; until then what was copied is written to in place, so that a list of events costs one copy and
 * not one each. Messages, and blocks within them, stand in the order of `since`, in which most arrive: places are looked for
 * from the end.
 */
export class MessageDraft {
  #messages: readonly ShownMessage[];
  #hasCopy = false;
  readonly #own = new Set<ShownMessage>();
  #finder: Finder;
  #last: DraftPlace = { message: -1, block: -1 };

  constructor(messages: readonly ShownMessage[]) {
    this.#messages = messages;
    this.#finder = FINDERS.get(messages) ?? { steps: 0 };
  }

  /** The messages with everything that was added; the draft must not be used any more. */
  finish(): readonly ShownMessage[] {
    FINDERS.set(this.#messages, this.#finder);
    return this.#messages;
  }

  /** The block at a place that was found. */
  at({ message, block }: DraftPlace): ShownBlock {
    return this.#messages[message]!.blocks[block]!;
  }

  /** Where a block is, if it is there. */
  find(blockId: string): DraftPlace | undefined {
    const last = this.#messages[this.#last.message]?.blocks[this.#last.block];
    if (last !== undefined && last.id === blockId) return this.#last;
    const place = this.#findByIndex(blockId);
    if (place !== undefined) this.#last = place;
    return place;
  }

  /** Puts another block in the place of one. It keeps its id and its `since`. */
  replace(place: DraftPlace, shown: ShownBlock): void {
    this.#ownMessage(place.message).blocks[place.block] = shown;
  }

  /** A block that is new, into its message, which is made if it is not there. */
  insert(message: Omit<ShownMessage, 'blocks' | 'since'>, shown: ShownBlock): void {
    const found = this.#findMessage(message.id);
    if (found === undefined) {
      this.#add({ ...message, since: shown.since, blocks: [shown] });
      return;
    }
    const { blocks, since, by } = this.#messages[found]!;
    if (shown.since < since) {
      // What was opened first says where the message stands, and whose it is.
      this.#ownMessages().splice(found, 1);
      this.#add({ ...(by && { by }), ...message, since: shown.since, blocks: [shown, ...blocks] });
      return;
    }
    const place = placeBySince(blocks, shown.since);
    this.#ownMessage(found).blocks.splice(place, 0, shown);
    this.#finder.index?.blocks.set(shown.id, { messageId: message.id, since: shown.since });
    this.#last = { message: found, block: place };
  }

  /** Takes a block out, and its message if nothing else is in it. */
  remove({ message, block }: DraftPlace): void {
    const { blocks } = this.#ownMessage(message);
    blocks.splice(block, 1);
    if (blocks.length === 0) this.#ownMessages().splice(message, 1);
  }

  /** Where in the log a block was opened; of several with that id the first. */
  openedAt(blockId: string): number | undefined {
    const opened = this.#messages.flatMap(({ blocks }) => blocks.filter(({ id }) => id === blockId));
    return opened.length === 0 ? undefined : Math.min(...opened.map(({ since }) => since));
  }

  /** Takes everything out that was opened from a number on, and gives it back. */
  takeFrom(since: number): ShownBlock[] {
    const taken: ShownBlock[] = [];
    const left: ShownMessage[] = [];
    for (const message of this.#messages) {
      const stays = message.blocks.filter((shown) => shown.since < since);
      if (stays.length === message.blocks.length) left.push(message);
      else {
        taken.push(...message.blocks.filter((shown) => shown.since >= since));
        if (stays.length > 0) left.push({ ...message, blocks: stays });
      }
    }
    this.#messages = left;
    this.#hasCopy = true;
    return taken;
  }

  /** Changes every block that `change` gives another one for. */
  changeAll(change: (shown: ShownBlock) => ShownBlock): void {
    for (let message = 0; message < this.#messages.length; message += 1) {
      const { blocks } = this.#messages[message]!;
      for (let block = 0; block < blocks.length; block += 1) {
        const changed = change(blocks[block]!);
        if (changed !== blocks[block]) this.replace({ message, block }, changed);
      }
    }
  }

  #add(message: OwnMessage): void {
    const place = placeBySince(this.#messages, message.since);
    this.#ownMessages().splice(place, 0, message);
    this.#own.add(message);
    this.#last = { message: place, block: 0 };
    if (this.#finder.index !== undefined) addToIndex(this.#finder.index, message);
  }

  #ownMessages(): ShownMessage[] {
    if (!this.#hasCopy) this.#messages = [...this.#messages];
    this.#hasCopy = true;
    return this.#messages as ShownMessage[];
  }

  #ownMessage(index: number): OwnMessage {
    const messages = this.#ownMessages();
    const message = messages[index]!;
    if (this.#own.has(message)) return message as OwnMessage;
    const own: OwnMessage = { ...message, blocks: [...message.blocks] };
    messages[index] = own;
    this.#own.add(own);
    return own;
  }

  #index(): BlockIndex | undefined {
    // A finder of its own: views that share the one from before are not in this index.
    if (this.#finder.index === undefined && this.#finder.steps > STEPS_BEFORE_INDEX)
      this.#finder = { steps: 0, index: indexBlocks(this.#messages) };
    return this.#finder.index;
  }

  #findByIndex(blockId: string): DraftPlace | undefined {
    const index = this.#index();
    if (index === undefined) return this.#findFromEnd(blockId);
    const known = index.blocks.get(blockId);
    if (known === undefined) return undefined;
    const message = this.#findMessage(known.messageId);
    const block = message === undefined ? undefined : placeIn(this.#messages[message]!.blocks, known.since, blockId);
    return message === undefined || block === undefined ? this.#findFromEnd(blockId) : { message, block };
  }

  #findFromEnd(blockId: string): DraftPlace | undefined {
    for (let message = this.#messages.length - 1; message >= 0; message -= 1) {
      const { blocks } = this.#messages[message]!;
      this.#finder.steps += blocks.length;
      for (let block = blocks.length - 1; block >= 0; block -= 1)
        if (blocks[block]!.id === blockId) return { message, block };
    }
    return undefined;
  }

  #findMessage(messageId: string): number | undefined {
    if (this.#messages[this.#last.message]?.id === messageId) return this.#last.message;
    const index = this.#index();
    const since = index?.messages.get(messageId);
    if (index !== undefined && since === undefined) return undefined;
    const place = since === undefined ? undefined : placeIn(this.#messages, since, messageId);
    if (place !== undefined) return place;
    const found = this.#messages.findLastIndex(({ id }) => id === messageId);
    this.#finder.steps += this.#messages.length - found;
    return found === -1 ? undefined : found;
  }
}

/** Behind everything that began before. */
function placeBySince(items: readonly { since: number }[], since: number): number {
  let place = items.length;
  while (place > 0 && items[place - 1]!.since > since) place -= 1;
  return place;
}
