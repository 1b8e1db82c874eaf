import {
  type AgentEvent,
  type AgentMessage,
  type BackendEvent,
  type ContentBlock,
  foldEvent,
  type LoggedEvent,
  type SessionState,
} from '@dragoman/protocol';
import { backendEventSchema } from '@dragoman/protocol/schemas';
import { expect } from 'vitest';
import { type BlockOptions, encodeBlocks } from './encode-blocks.ts';

/** A message with the ids that its blocks were told by. */
export interface SeenMessage extends AgentMessage {
  id: string;
  blockIds: string[];
}

interface SeenBlock {
  messageId: string;
  block: ContentBlock;
  isOpen: boolean;
  /** What its pieces add up to, as long as it is open. */
  text: string;
}

/** Reads what a backend tells, and holds it to the rules of the protocol: every event is checked as it comes. */
export class BlockReader {
  readonly #messages = new Map<string, { role: AgentMessage['role']; blockIds: string[] }>();
  readonly #blocks = new Map<string, SeenBlock>();

  push(event: BackendEvent): void {
    same(backendEventSchema.parse(event), JSON.parse(JSON.stringify(event)));
    if (event.type === 'block-delta') {
      const seen = this.#blocks.get(event.blockId);
      same(seen?.isOpen, true, `a delta to ${event.blockId}, which is not open`);
      same(event.delta === '', false, 'an empty delta');
      seen!.text += event.delta;
    } else if (event.type === 'block-start') {
      same(this.#blocks.has(event.blockId), false, `${event.blockId} was begun twice`);
      this.#place(event);
      const { messageId, block } = event;
      this.#blocks.set(event.blockId, { messageId, block, isOpen: true, text: textOf(block) ?? '' });
    } else if (event.type === 'block-stop') {
      const seen = this.#blocks.get(event.blockId);
      if (seen === undefined) this.#place(event);
      else {
        same([event.messageId, event.block.type], [seen.messageId, seen.block.type]);
        const whole = textOf(event.block);
        // The last word on a result may be another than what was seen of it; text is what was said.
        if (seen.isOpen && event.block.type !== 'tool_result' && whole !== undefined) same(seen.text, whole);
      }
      this.#blocks.set(event.blockId, { messageId: event.messageId, block: event.block, isOpen: false, text: '' });
    }
  }

  /** At the end of a turn nothing is open, and each call has one result. */
  expectSettled(): void {
    const blocks = [...this.#blocks.values()];
    same(
      blocks.filter(({ isOpen }) => isOpen),
      [],
    );
    const uses = blocks.flatMap(({ block }) => (block.type === 'tool_use' ? [block.id] : []));
    const results = blocks.flatMap(({ block }) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    same(results.toSorted(), uses.toSorted());
    same(new Set(uses).size, uses.length);
  }

  /** What there is in the end, without the blocks that were taken back. */
  messages(): SeenMessage[] {
    return [...this.#messages].flatMap(([id, { role, blockIds }]) => {
      const kept = blockIds.filter(
        (blockId) => textOf(this.#blocks.get(blockId)!.block) !== '' || this.#isCall(blockId),
      );
      const content = kept.map((blockId) => this.#blocks.get(blockId)!.block);
      return content.length === 0 ? [] : [{ id, role, content, blockIds: kept }];
    });
  }

  #isCall(blockId: string): boolean {
    return this.#blocks.get(blockId)!.block.type === 'tool_result';
  }

  #place({ messageId, role, blockId }: Extract<BackendEvent, { type: 'block-start' | 'block-stop' }>): void {
    const message = this.#messages.get(messageId) ?? { role, blockIds: [] };
    same(message.role, role);
    message.blockIds.push(blockId);
    this.#messages.set(messageId, message);
  }
}

/** The rule is said beside the value that breaks it. */
function same(value: unknown, expected: unknown, rule?: string): void {
  expect({ rule, value }).toEqual({ rule, value: expected });
}

function textOf(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'thinking') return block.thinking;
  return block.type === 'tool_result' ? block.content : undefined;
}

/** Encodes a log, and checks what comes out after every event and at the end of every turn. */
export function encodeLog(
  log: readonly LoggedEvent[],
  options: Partial<BlockOptions> = {},
): { events: BackendEvent[]; reader: BlockReader } {
  const events: BackendEvent[] = [];
  const reader = new BlockReader();
  const encoder = encodeBlocks({ contextTokens: () => 200_000, ...options }, (event) => {
    reader.push(event);
    events.push(event);
  });
  let state: SessionState | undefined;
  for (const logged of log) {
    state = foldEvent(state, logged);
    encoder.push(logged.event, state);
    if (logged.event.type === 'turn-finished') reader.expectSettled();
  }
  return { events, reader };
}

/** Events as a log, for tests that write them by hand. */
export function asLog(events: readonly AgentEvent[]): LoggedEvent[] {
  return events.map((event, index) => ({ seq: index + 1, at: index, event }));
}
