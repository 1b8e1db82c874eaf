import type { MessageDraft } from './message-draft.ts';
import type { SessionView } from './session-view.ts';
import { addToCall, type CallBlocks } from './shown-tools.ts';

/** The calls that changed while events were added to a view, each with blocks of it that may be new. */
export class ChangedCalls {
  readonly #calls = new Map<string, Set<string>>();

  get size(): number {
    return this.#calls.size;
  }

  note(id: string, blockId?: string): void {
    const blockIds = this.#calls.get(id) ?? new Set();
    if (blockId !== undefined) blockIds.add(blockId);
    this.#calls.set(id, blockIds);
  }

  /** What there is of each now: the blocks that were known of it, and the new ones. */
  *read(messages: MessageDraft, tools: SessionView['tools']): Generator<[string, CallBlocks]> {
    for (const [id, blockIds] of this.#calls) {
      const { useBlockId, resultBlockId } = tools.get(id) ?? {};
      const call: CallBlocks = {};
      for (const blockId of [useBlockId, resultBlockId, ...blockIds]) {
        const place = blockId === undefined ? undefined : messages.find(blockId);
        if (place !== undefined) addToCall(call, messages.at(place));
      }
      // An approval may be asked for a call that is not there yet.
      if (call.use !== undefined || call.result !== undefined) yield [id, call];
    }
  }
}
