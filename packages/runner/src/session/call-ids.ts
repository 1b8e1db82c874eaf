import type { BackendEvent, ContentBlock } from '@dragoman/protocol';

interface Use {
  agentId: string;
  /** What the call is known by in the session. */
  id: string;
}

/**
 * Gives every call of a session an id of its own. Some agents count their calls from 1 in each turn.
 *
 * A block that uses an id again is another call, which is known by the id of its block too. A result belongs to the
 * latest call of its id in this turn that has none, else to the latest of all. Of a session with a past nothing is known
 * but that its ids may be used, so that there every call is renamed; what refers to a call of before stays as it is.
 */
export class CallIds {
  readonly #hasPast: boolean;
  /** The latest call of each of the agent's ids. */
  readonly #latest = new Map<string, Use>();
  /** The calls of this turn without a result, the latest last. */
  #open: Use[] = [];
  /** The calls that blocks belong to: what one said first it says to its end. */
  readonly #byBlock = new Map<string, Use>();

  #hasTold = false;
  readonly #onReuse: (agentId: string) => void;

  /** `onReuse` is told once that the agent uses an id again, which is a mistake of the agent. */
  constructor(hasPast: boolean, onReuse: (agentId: string) => void = () => {}) {
    this.#hasPast = hasPast;
    this.#onReuse = onReuse;
  }

  endTurn(): void {
    this.#open = [];
  }

  /** The event with the ids of the session in the place of the agent's. */
  unique(event: BackendEvent): BackendEvent {
    switch (event.type) {
      case 'block-start':
      case 'block-stop': {
        const block = this.#block(event.block, event.blockId, event.type === 'block-stop');
        return block === event.block ? event : { ...event, block };
      }
      case 'approval-asked': {
        const { toolUseId } = event.approval;
        const call = this.#latest.get(toolUseId ?? '');
        return call === undefined || call.id === toolUseId
          ? event
          : { ...event, approval: { ...event.approval, toolUseId: call.id } };
      }
      default:
        return event;
    }
  }

  #block(block: ContentBlock, blockId: string, isWhole: boolean): ContentBlock {
    switch (block.type) {
      case 'tool_use': {
        const parent = this.#latest.get(block.parent_tool_use_id ?? '');
        const { id } = this.#byBlock.get(blockId) ?? this.#begin(block.id, blockId);
        return { ...block, id, ...(parent === undefined ? {} : { parent_tool_use_id: parent.id }) };
      }
      case 'tool_result': {
        const call = this.#byBlock.get(blockId) ?? this.#answered(block.tool_use_id);
        if (call === undefined) return block;
        this.#byBlock.set(blockId, call);
        if (isWhole) this.#open = this.#open.filter((use) => use !== call);
        return { ...block, tool_use_id: call.id };
      }
      case 'approval': {
        const call = this.#latest.get(block.tool_use_id ?? '');
        return call === undefined ? block : { ...block, tool_use_id: call.id };
      }
      default:
        return block;
    }
  }

  #begin(agentId: string, blockId: string): Use {
    const isUsed = this.#latest.has(agentId);
    if (isUsed && !this.#hasTold) this.#onReuse(agentId);
    this.#hasTold ||= isUsed;
    const isFirst = !this.#hasPast && !isUsed;
    const use = { agentId, id: isFirst ? agentId : `${agentId}~${blockId}` };
    this.#latest.set(agentId, use);
    this.#open.push(use);
    this.#byBlock.set(blockId, use);
    return use;
  }

  #answered(agentId: string): Use | undefined {
    return this.#open.findLast((use) => use.agentId === agentId) ?? this.#latest.get(agentId);
  }
}
