import type { HubEventOf } from './hub-event.ts';
import type { ShownBlock, TakenBlock, TakenOut } from './session-view.ts';

/** Where nothing was ever reverted. */
export const NOTHING_TAKEN_OUT: TakenOut = { spans: [], blocks: new Map() };

type WholeBlock = HubEventOf<'block-start' | 'block-stop'>;

/**
 * What reverts took out, while events are added to a view.
 *
 * A block may be told of again after it was taken out: by a result that came late, or by the log, which tells a block when it
 * ends. It is known by its id, and by where it was opened for who never saw it before.
 */
export class TakenOutDraft {
  #takenOut: TakenOut;
  #blocks: Map<string, TakenBlock> | undefined;

  constructor(takenOut: TakenOut) {
    this.#takenOut = takenOut;
  }

  /** With everything that was added; the draft must not be used any more. */
  finish(): TakenOut {
    return this.#takenOut;
  }

  /** Notes what one revert takes out. */
  add(blocks: readonly ShownBlock[], span: TakenOut['spans'][number]): void {
    const own = this.#own();
    for (const { id, since, endedAt, block } of blocks) own.set(id, takenBlock(since, endedAt !== undefined, block));
    this.#takenOut = { spans: [...this.#takenOut.spans, span], blocks: own };
  }

  /** Whether a block is out that something is said of. If so that is noted, as what it cost may be told only now. */
  hear({ type, blockId, block }: WholeBlock, openedAt: number): boolean {
    const known = this.#takenOut.blocks.get(blockId);
    if (known === undefined && !this.#isWithin(openedAt)) return false;
    // What has ended is only changed by another end.
    if (known?.isEnded === true && type === 'block-start') return true;
    this.#own().set(blockId, takenBlock(known?.since ?? openedAt, type === 'block-stop', block));
    return true;
  }

  #isWithin(seq: number): boolean {
    return this.#takenOut.spans.some(({ since, until }) => since <= seq && seq < until);
  }

  #own(): Map<string, TakenBlock> {
    if (this.#blocks !== undefined) return this.#blocks;
    this.#blocks = new Map(this.#takenOut.blocks);
    this.#takenOut = { ...this.#takenOut, blocks: this.#blocks };
    return this.#blocks;
  }
}

function takenBlock(since: number, isEnded: boolean, block: ShownBlock['block']): TakenBlock {
  return { since, isEnded, ...(block.type === 'usage' && { usage: block }) };
}
