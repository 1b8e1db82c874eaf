import { newId } from '@dragoman/protocol';
import type { BlockWriter } from '../../backend/block-writer.ts';
import { countIn, type Fields, fieldsIn, textIn, textsIn } from '../../backend/fields.ts';
import { describeCall, describeResult } from './describe-item.ts';
import { ItemProse } from './item-prose.ts';

/** What items need of the session. */
export interface ThreadItemsOptions {
  writer: BlockWriter;
  cwd: string;
  /** The conversation began before, so that short ids of items may have been used already. */
  isContinued: boolean;
  /** A call has its result. */
  onOver: (toolUseId: string) => void;
}

interface Call {
  /** Its id in the blocks. */
  id: string;
  item: Fields;
  output: string;
  isOver: boolean;
}

/** Ids that are counted up begin anew with the process; longer ones are random. */
const RANDOM_ID_LENGTH = 16;
const LONGEST_LIVE_OUTPUT = 256 * 1024;

/**
 * The items of a thread as blocks. Of the threads of other agents that this one gave work to, the calls are told as part
 * of the call that began them; what they say is theirs. Kinds of items that nobody here knows are passed over.
 */
export class ThreadItems {
  readonly #options: ThreadItemsOptions;
  readonly #prose: ItemProse;
  readonly #calls = new Map<string, Call>();
  readonly #usedIds = new Set<string>();
  /** The calls that threads of other agents were begun by. */
  readonly #parents = new Map<string, string>();

  constructor(options: ThreadItemsOptions) {
    this.#options = options;
    this.#prose = new ItemProse(options.writer);
  }

  /** Whether a thread of another agent is known here. */
  hasThread(threadId: string): boolean {
    return this.#parents.has(threadId);
  }

  /** Takes a notification about an item. */
  take(method: string, params: Fields, otherThread: string | undefined): void {
    const itemId = textIn(params, 'itemId') ?? textIn(fieldsIn(params, 'item'), 'id');
    if (itemId === undefined) return;
    switch (method) {
      case 'item/started':
        return this.#begin(itemId, fieldsIn(params, 'item'), otherThread);
      case 'item/completed':
        return this.#complete(itemId, fieldsIn(params, 'item'), otherThread);
      case 'item/commandExecution/outputDelta':
        return this.#addOutput(itemId, textIn(params, 'delta') ?? '');
      case 'item/fileChange/patchUpdated':
        return this.#begin(itemId, { type: 'fileChange', id: itemId, changes: params['changes'] }, otherThread);
      default:
        if (otherThread === undefined) this.#addProse(method, itemId, params);
    }
  }

  /** A call that a question is about: its id in the blocks, and the item as it was told. */
  find(itemId: string): { toolUseId: string; item: Fields } | undefined {
    const call = this.#calls.get(itemId);
    return call && { toolUseId: call.id, item: call.item };
  }

  /** Lets go of what is over. What still runs may be told of in a later turn. */
  turnOver(): void {
    this.#prose.clear();
    for (const [itemId, call] of this.#calls) if (call.isOver) this.#calls.delete(itemId);
  }

  /** Codex is gone, and what ran with it. */
  clear(): void {
    this.#calls.clear();
  }

  #begin(itemId: string, item: Fields, otherThread: string | undefined): void {
    const use = describeCall(item, this.#options.cwd);
    if (use === undefined) return;
    const call = this.#call(itemId);
    call.item = { ...call.item, ...item };
    const parent = otherThread === undefined ? undefined : this.#parents.get(otherThread);
    for (const threadId of textsIn(item, 'receiverThreadIds'))
      if (!this.#parents.has(threadId)) this.#parents.set(threadId, call.id);
    this.#options.writer.toolUse({
      id: call.id,
      ...use,
      ...(parent === undefined ? {} : { parent_tool_use_id: parent }),
    });
  }

  #complete(itemId: string, item: Fields, otherThread: string | undefined): void {
    if (describeCall(item, this.#options.cwd) === undefined) {
      if (otherThread === undefined) this.#completeProse(itemId, item);
      return;
    }
    const known = this.#calls.get(itemId)?.item;
    // What became known of it meanwhile is told again; a call that is as it was is not.
    const use = (each: Fields) => JSON.stringify(describeCall(each, this.#options.cwd));
    if (known === undefined || use(known) !== use(item)) this.#begin(itemId, item, otherThread);
    const call = this.#call(itemId);
    call.isOver = true;
    this.#options.onOver(call.id);
    const result = describeResult(item, this.#options.cwd, call.output);
    this.#options.writer.toolResult({ tool_use_id: call.id, ...result });
  }

  #completeProse(itemId: string, item: Fields): void {
    const { writer } = this.#options;
    switch (item['type']) {
      case 'agentMessage':
      case 'plan':
        return this.#prose.whole(itemId, 'text', textIn(item, 'text') ?? '');
      case 'reasoning': {
        const [summary, content] = [textsIn(item, 'summary'), textsIn(item, 'content')];
        return this.#prose.whole(itemId, 'thinking', (summary.length > 0 ? summary : content).join('\n\n'));
      }
      case 'exitedReviewMode':
        return this.#prose.whole(itemId, 'text', textIn(item, 'review') ?? '');
      case 'contextCompaction':
        return writer.notice('The conversation so far was summed up.', 'info');
      case 'imageGeneration': {
        const data = textIn(item, 'result');
        return data === undefined
          ? undefined
          : writer.whole('assistant', { type: 'image', media_type: 'image/png', data });
      }
      default: // What the user said is known, and of the rest nothing is.
    }
  }

  #addProse(method: string, itemId: string, params: Fields): void {
    const delta = textIn(params, 'delta');
    if (delta === undefined) return;
    switch (method) {
      case 'item/agentMessage/delta':
      case 'item/plan/delta':
        return this.#prose.add(itemId, 'text', delta);
      case 'item/reasoning/summaryTextDelta':
        return this.#prose.add(itemId, 'thinking', delta, 'summary', countIn(params, 'summaryIndex'));
      case 'item/reasoning/textDelta':
        return this.#prose.add(itemId, 'thinking', delta, 'content', countIn(params, 'contentIndex'));
      default:
    }
  }

  #addOutput(itemId: string, delta: string): void {
    const call = this.#calls.get(itemId);
    if (call === undefined || call.isOver) return;
    const room = LONGEST_LIVE_OUTPUT - call.output.length;
    if (room <= 0) return;
    call.output += delta;
    this.#options.writer.toolOutput(call.id, delta.slice(0, room));
  }

  #call(itemId: string): Call {
    let call = this.#calls.get(itemId);
    if (call === undefined) {
      const mayBeUsed = this.#options.isContinued && itemId.length < RANDOM_ID_LENGTH;
      const id = mayBeUsed || this.#usedIds.has(itemId) ? newId('call') : itemId;
      this.#usedIds.add(id);
      this.#calls.set(itemId, (call = { id, item: {}, output: '', isOver: false }));
    }
    return call;
  }
}
