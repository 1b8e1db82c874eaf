import type {
  AgentEventOf,
  BlockEvent,
  BlockPlace,
  ContentBlockOf,
  FileDiff,
  OpenBlocks,
  SessionState,
  ToolKind,
  ToolPart,
} from '@dragoman/protocol';
import { callKind, type CallPlace, textIn } from '../tools/shown-call.ts';
import { encodeToolResult, encodeToolUse, failedResult } from './encode-call.ts';
import { LiveOutput } from './live-output.ts';

/** What happens to a call. */
export type CallEvent = AgentEventOf<
  'tool-input-start' | 'tool-input-delta' | 'tool-call' | 'tool-state' | 'tool-metadata' | 'tool-result'
>;

/** What the blocks of calls depend on beside the events. */
export interface CallOptions {
  /** For the session of a task: the call it belongs to. */
  parentToolUseId?: (() => string | undefined) | undefined;
  /** Told which session does the task of a call, before anything happens in it. */
  onTask?: ((sessionID: string, toolUseId: string) => void) | undefined;
}

/** A call that came to its end, and what it says to have changed. */
export interface FinishedCall {
  event: Extract<BlockEvent, { type: 'block-stop' }> & { block: ContentBlockOf<'tool_result'> };
  kind: ToolKind;
  diffs: readonly FileDiff[];
}

interface OpenCall {
  use: BlockPlace;
  result: BlockPlace;
  block: ContentBlockOf<'tool_use'>;
  live: LiveOutput;
}

/**
 * The calls of a session as pairs of blocks: a `tool_use` in the answer, and one `tool_result` in the message after it,
 * which is opened early when the call prints something while it runs.
 */
export class CallBlocks {
  readonly #blocks: OpenBlocks;
  readonly #options: CallOptions;
  readonly #open = new Map<string, OpenCall>();

  constructor(blocks: OpenBlocks, options: CallOptions) {
    this.#blocks = blocks;
    this.#options = options;
  }

  /** Takes the next event of a call. Gives back what came of it, when that was its end. */
  push(event: CallEvent, state: SessionState): FinishedCall | undefined {
    if (event.type === 'tool-input-delta') {
      this.#blocks.delta(event.partID, event.delta);
      return undefined;
    }
    const part = findCall(state, event);
    if (part === undefined) return undefined;
    const block = encodeToolUse(part, state.info, this.#options.parentToolUseId?.());
    const call = this.#open.get(part.id) ?? this.#begin(part, block);
    switch (event.type) {
      case 'tool-input-start':
        return undefined;
      case 'tool-call':
        this.#blocks.stop(call.use, block);
        call.block = block;
        return undefined;
      case 'tool-result':
        this.#settleUse(call, block);
        return this.#end(part, call, state.info);
      default:
        this.#noteTask(part);
        this.#settleUse(call, block);
        this.#showOutput(part, call);
        return undefined;
    }
  }

  /** A call that was half written when the model's answer broke off; it comes again, or does not. */
  breakOff(partID: string): void {
    this.#fail(partID, 'The answer was cut off. Retrying…');
  }

  /** Ends every call that has no end. */
  interrupt(): void {
    for (const partID of this.#open.keys()) this.#fail(partID, 'Interrupted: the turn ended before this did.');
  }

  #begin(part: ToolPart, block: ContentBlockOf<'tool_use'>): OpenCall {
    const call: OpenCall = {
      use: { messageId: part.messageID, role: 'assistant', blockId: part.id },
      result: { messageId: `${part.messageID}.results`, role: 'user', blockId: `${part.id}.result` },
      block,
      live: new LiveOutput(),
    };
    this.#open.set(part.id, call);
    this.#blocks.start(call.use, block);
    return call;
  }

  /** The call is told again when its name for people has become a better one. */
  #settleUse(call: OpenCall, block: ContentBlockOf<'tool_use'>): void {
    if (!this.#blocks.isOpen(call.use.blockId) && block.title === call.block.title) return;
    this.#blocks.stop(call.use, block);
    call.block = block;
  }

  #showOutput({ id, state }: ToolPart, { result, live }: OpenCall): void {
    const output = textIn('metadata' in state ? state.metadata : undefined, 'output');
    const delta = output === undefined ? '' : live.push(output);
    if (delta === '') return;
    if (!this.#blocks.isOpen(result.blockId))
      this.#blocks.start(result, { type: 'tool_result', tool_use_id: id, content: '' });
    this.#blocks.delta(result.blockId, delta);
  }

  #noteTask({ id, tool, state }: ToolPart): void {
    const taskID = callKind(tool) === 'task' && 'metadata' in state ? textIn(state.metadata, 'taskID') : undefined;
    if (taskID !== undefined) this.#options.onTask?.(taskID, id);
  }

  #end(part: ToolPart, call: OpenCall, place: CallPlace): FinishedCall {
    this.#open.delete(part.id);
    const block = encodeToolResult(part, place);
    const event = { ...this.#blocks.stop(call.result, block), block };
    return { event, kind: callKind(part.tool), diffs: block.diffs ?? [] };
  }

  #fail(partID: string, content: string): void {
    const call = this.#open.get(partID);
    if (call === undefined) return;
    this.#open.delete(partID);
    this.#blocks.close(call.use.blockId);
    this.#blocks.stop(call.result, failedResult(partID, content));
  }
}

function findCall(
  { messages }: SessionState,
  { messageID, partID }: { messageID: string; partID: string },
): ToolPart | undefined {
  const part = messages.findLast(({ info }) => info.id === messageID)?.parts.find(({ id }) => id === partID);
  return part?.type === 'tool' ? part : undefined;
}
