import { addToBlock } from './add-to-block.ts';
import type { AgentRole } from './agent-message.ts';
import type { BlockEvent } from './block-event.ts';
import type { ContentBlock } from './content-block.ts';

/** Where a block stands. */
export interface BlockPlace {
  messageId: string;
  role: AgentRole;
  blockId: string;
}

type BlockStop = Extract<BlockEvent, { type: 'block-stop' }>;

/** Tells blocks, and remembers those that are open with what is in them, so that each can be closed whole at any time. */
export class OpenBlocks {
  readonly #emit: (event: BlockEvent) => void;
  readonly #open = new Map<string, { place: BlockPlace; block: ContentBlock }>();

  constructor(emit: (event: BlockEvent) => void) {
    this.#emit = emit;
  }

  isOpen(blockId: string): boolean {
    return this.#open.has(blockId);
  }

  start(place: BlockPlace, block: ContentBlock): void {
    this.#open.set(place.blockId, { place, block });
    this.#emit({ type: 'block-start', ...place, block });
  }

  /** Adds to a block that is open. */
  delta(blockId: string, delta: string): void {
    const open = this.#open.get(blockId);
    if (open === undefined || delta === '') return;
    open.block = addToBlock(open.block, delta);
    this.#emit({ type: 'block-delta', blockId, delta });
  }

  /** The whole block: closes an open one, says one at once, or takes the place of one that was said. */
  stop(place: BlockPlace, block: ContentBlock): BlockStop {
    this.#open.delete(place.blockId);
    const event: BlockStop = { type: 'block-stop', ...place, block };
    this.#emit(event);
    return event;
  }

  /** Closes a block as it is. */
  close(blockId: string): void {
    const open = this.#open.get(blockId);
    if (open !== undefined) this.stop(open.place, open.block);
  }

  closeAll(): void {
    for (const blockId of this.#open.keys()) this.close(blockId);
  }
}
