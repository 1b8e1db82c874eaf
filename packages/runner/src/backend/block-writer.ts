import {
  type AgentRole,
  type BackendEvent,
  type BlockPlace,
  type ContentBlock,
  type ContentBlockOf,
  newId,
  OpenBlocks,
} from '@dragoman/protocol';

/** A call as it becomes known: what is absent stays as it was told before. */
export type ToolUseNews = { id: string } & Partial<Omit<ContentBlockOf<'tool_use'>, 'type' | 'id'>>;

/** What came of a call. Without `content`, it is what was told with `toolOutput`. */
export type ToolResultNews = { tool_use_id: string } & Partial<
  Omit<ContentBlockOf<'tool_result'>, 'type' | 'tool_use_id'>
>;

/** The blocks of a call as they were told last, and where, so that they can be told again. */
interface Call {
  use?: { place: BlockPlace; block: ContentBlockOf<'tool_use'>; hasInput: boolean; inputText: string };
  result?: { place: BlockPlace; block: ContentBlockOf<'tool_result'> };
}

/**
 * What an agent says, as it comes, put into blocks and messages.
 *
 * A backend tells what it hears and need not keep account: whatever the order of the calls, every piece goes to an open
 * block, every block that was opened is closed with the whole of it, and no id is used twice. Text and thinking end each
 * other, and both end at a call; a result ends the message of the model, so that what it says next stands below.
 */
export class BlockWriter {
  readonly #blocks: OpenBlocks;
  /** The message that takes more blocks of a role. */
  readonly #messages = new Map<AgentRole, string>();
  readonly #calls = new Map<string, Call>();
  #prose: { blockId: string; type: 'text' | 'thinking' } | undefined;
  #plan: BlockPlace | undefined;

  constructor(emit: (event: BackendEvent) => void) {
    this.#blocks = new OpenBlocks(emit);
  }

  /** A piece of the answer. */
  text(delta: string): void {
    this.#say('text', delta);
  }

  /** A piece of the model's thoughts. */
  thinking(delta: string): void {
    this.#say('thinking', delta);
  }

  /**
   * A call, or more about one that is known. With `isOpen` its input is still to come, and `toolUse` or `toolResult`
   * closes it; input that came in pieces is read from them where it is not given.
   */
  toolUse(news: ToolUseNews, options: { isOpen?: boolean } = {}): void {
    const call = this.#call(news.id);
    const { use } = call;
    if (use === undefined) {
      this.#closeProse();
      const block = withNews<ContentBlockOf<'tool_use'>>(
        { type: 'tool_use', id: news.id, name: 'tool', input: {} },
        news,
      );
      const place = this.#place('assistant');
      call.use = { place, block, hasInput: news.input !== undefined, inputText: '' };
      if (options.isOpen === true) this.#blocks.start(place, block);
      else this.#blocks.stop(place, block);
      return;
    }
    use.block = withNews(use.block, news);
    use.hasInput ||= news.input !== undefined;
    if (!this.#isOpen(use)) this.#blocks.stop(use.place, use.block);
    else if (options.isOpen !== true) this.#closeUse(use);
  }

  /** A piece of the input of an open call, as the JSON it is written in. */
  toolInput(toolUseId: string, delta: string): void {
    const use = this.#calls.get(toolUseId)?.use;
    if (use === undefined || !this.#isOpen(use)) return;
    use.inputText += delta;
    this.#blocks.delta(use.place.blockId, delta);
  }

  /** A piece of a call's output while it runs. What comes after the result is left out. */
  toolOutput(toolUseId: string, delta: string): void {
    if (delta === '') return;
    const call = this.#call(toolUseId);
    this.#closeUse(call.use);
    if (call.result === undefined) {
      const block = { type: 'tool_result', tool_use_id: toolUseId, content: '' } as const;
      call.result = { place: this.#resultPlace(), block };
      this.#blocks.start(call.result.place, block);
    }
    const { result } = call;
    if (!this.#isOpen(result)) return;
    result.block = { ...result.block, content: result.block.content + delta };
    this.#blocks.delta(result.place.blockId, delta);
  }

  /** What came of a call. A second result of the same call takes the place of the first. */
  toolResult(news: ToolResultNews): void {
    const call = this.#call(news.tool_use_id);
    this.#closeUse(call.use);
    const known = call.result?.block ?? { type: 'tool_result', tool_use_id: news.tool_use_id, content: '' };
    const block = withNews<ContentBlockOf<'tool_result'>>(known, news);
    const place = call.result?.place ?? this.#resultPlace();
    call.result = { place, block };
    this.#blocks.stop(place, block);
  }

  /** The plan as it is now. There is one in a turn; a later one takes its place. */
  plan(entries: ContentBlockOf<'plan'>['entries']): void {
    this.#plan ??= this.#place('agent');
    this.#blocks.stop(this.#plan, { type: 'plan', entries });
  }

  /** What something took; not a running total. */
  usage(usage: Omit<ContentBlockOf<'usage'>, 'type'>): void {
    this.#blocks.stop(this.#place('agent'), { ...usage, type: 'usage' });
  }

  /** Something the agent program, not the model, has to say. */
  notice(text: string, level?: 'info' | 'warning'): void {
    this.whole('agent', { type: 'notice', text, ...(level === undefined ? {} : { level }) });
  }

  /** Something that went wrong and that a person should see; the turn may go on. */
  error(error: Omit<ContentBlockOf<'error'>, 'type'>): void {
    this.whole('agent', { ...error, type: 'error' });
  }

  /** A block that is said at once, such as an image. */
  whole(role: AgentRole, block: ContentBlock): void {
    this.#closeProse();
    if (role !== 'assistant') this.#messages.delete('assistant');
    this.#blocks.stop(this.#place(role), block);
  }

  /** What is said next is a block of its own, in the same message. */
  nextBlock(): void {
    this.#closeProse();
  }

  /** What the model says next is a message of its own: a new step began. */
  nextMessage(): void {
    this.#closeProse();
    this.#messages.clear();
  }

  /** Closes what is open, at the end of a turn. Calls without a result may still get one. */
  closeAll(): void {
    this.#closeProse();
    for (const [id, call] of this.#calls) {
      this.#closeUse(call.use);
      if (call.result !== undefined) this.#calls.delete(id);
    }
    this.#blocks.closeAll();
    this.#plan = undefined;
    this.#messages.clear();
  }

  #say(type: 'text' | 'thinking', delta: string): void {
    if (delta === '') return;
    if (this.#prose?.type !== type) {
      this.#closeProse();
      const place = this.#place('assistant');
      this.#prose = { blockId: place.blockId, type };
      this.#blocks.start(place, type === 'text' ? { type, text: '' } : { type, thinking: '' });
    }
    this.#blocks.delta(this.#prose.blockId, delta);
  }

  #closeProse(): void {
    if (this.#prose !== undefined) this.#blocks.close(this.#prose.blockId);
    this.#prose = undefined;
  }

  /** The input of a call is whole with whatever comes after it. */
  #closeUse(use: Call['use']): void {
    if (use === undefined || !this.#isOpen(use)) return;
    if (!use.hasInput) use.block = { ...use.block, input: readInput(use.inputText) };
    use.inputText = '';
    this.#blocks.stop(use.place, use.block);
  }

  #isOpen({ place }: { place: BlockPlace }): boolean {
    return this.#blocks.isOpen(place.blockId);
  }

  #call(id: string): Call {
    let call = this.#calls.get(id);
    if (call === undefined) this.#calls.set(id, (call = {}));
    return call;
  }

  #resultPlace(): BlockPlace {
    this.#closeProse();
    const place = this.#place('user');
    this.#messages.delete('assistant');
    return place;
  }

  #place(role: AgentRole): BlockPlace {
    let messageId = this.#messages.get(role);
    if (messageId === undefined) {
      // A new message of the model ends what stood above it.
      if (role === 'assistant') this.#messages.clear();
      this.#messages.set(role, (messageId = newId('msg')));
    }
    return { messageId, role, blockId: newId('blk') };
  }
}

/** What is absent in the news stays as it is. */
function withNews<Block extends object>(block: Block, news: Partial<Block>): Block {
  const told = Object.entries(news).filter(([, value]) => value !== undefined);
  return { ...block, ...Object.fromEntries(told) };
}

/** The input as far as it came: a call that was cut off in the middle of its input shows none. */
function readInput(text: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(text);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : {};
  } catch {
    return {};
  }
}
