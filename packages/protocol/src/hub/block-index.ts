import type { ShownMessage } from './session-view.ts';

/**
 * Where blocks and messages were opened, by their ids, so that they are found among many without looking at all.
 *
 * A view and all that are folded from it share one, and only ever add to it. So it may know what a certain view does not
 * have, and whoever asks checks the place; but what it does not know is in none of them.
 */
export interface BlockIndex {
  readonly messages: Map<string, number>;
  readonly blocks: Map<string, { messageId: string; since: number }>;
}

/** An index of what is there. */
export function indexBlocks(messages: readonly ShownMessage[]): BlockIndex {
  const index: BlockIndex = { messages: new Map(), blocks: new Map() };
  for (const message of messages) addToIndex(index, message);
  return index;
}

/** Notes a message with everything in it. */
export function addToIndex(index: BlockIndex, { id, since, blocks }: ShownMessage): void {
  index.messages.set(id, since);
  for (const block of blocks) index.blocks.set(block.id, { messageId: id, since: block.since });
}

/** The place of something that was opened at a certain number, in a list in that order. */
export function placeIn(
  items: readonly { id: string; since: number }[],
  since: number,
  id: string,
): number | undefined {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.since < since) low = middle + 1;
    else high = middle;
  }
  // The blocks of a prompt were opened together.
  while (items[low]?.since === since && items[low]!.id !== id) low += 1;
  return items[low]?.id === id ? low : undefined;
}
