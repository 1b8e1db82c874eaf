import {
  type AgentBackend,
  type BackendPrompt,
  type BackendSession,
  DragomanError,
  gatherAnswer,
  type Model,
  type ModelAnswer,
  type ModelEvent,
  type ModelMessage,
  type TurnEnd,
} from '@dragoman/protocol';
import { BlockWriter } from '../../backend/block-writer.ts';
import { CHAT_CAPABILITIES } from './chat-capabilities.ts';
import { chatFault } from './chat-fault.ts';
import { type ChatEntry, ChatHistory } from './chat-history.ts';
import { type ChatPrice, usageBlock } from './chat-usage.ts';
import { encodePrompt } from './encode-prompt.ts';

/** A model to talk to, and what is known of it. */
export interface ChatModel {
  model: Model;
  /** How many tokens it takes, prompt and answer together. */
  contextTokens?: number | undefined;
  price?: ChatPrice | undefined;
}

/** What a chat agent is made of. */
export interface ChatBackendOptions {
  /** What it is called in the configuration. */
  name: string;
  /** Finds a model by route or name; without a name, the one that is set up as default. Throws when there is none. */
  openModel: (name?: string) => ChatModel;
  /** The model of a session that names none. */
  model?: string | undefined;
  /** Said to the model before the conversation. */
  system?: string | undefined;
  /** Where conversations are kept, one file each. */
  folder: string;
  /** What can be chosen from, where that is known. */
  listModels?: (() => readonly string[]) | undefined;
}

/** A turn that runs. */
interface Turn {
  ending: AbortController;
  writer: BlockWriter;
  /** The ids of what the model says, by which the conversation can be forked. */
  ids: Set<string>;
}

/** A plain conversation with any model that the gateway reaches. */
export function chatBackend(options: ChatBackendOptions): AgentBackend {
  return new ChatBackend(options);
}

/**
 * Drives a model without tools. What it says is told as it says it, and kept in a file, so that the conversation goes on
 * after a restart and can be forked.
 */
class ChatBackend implements AgentBackend {
  readonly capabilities = CHAT_CAPABILITIES;
  readonly #options: ChatBackendOptions;
  #session: BackendSession | undefined;
  #history: ChatHistory | undefined;
  #model: string | undefined;
  #turn: Turn | undefined;

  constructor(options: ChatBackendOptions) {
    this.#options = options;
    this.#model = options.model;
  }

  async start(session: BackendSession): Promise<void> {
    this.#open(session, ChatHistory.begin(this.#options.folder, session.sessionId), session.sessionId);
  }

  async resume(session: BackendSession, agentSessionId: string): Promise<void> {
    this.#open(session, await ChatHistory.open(this.#options.folder, agentSessionId), agentSessionId);
  }

  async fork(session: BackendSession, agentSessionId: string, beforeMessageId?: string): Promise<void> {
    const { folder } = this.#options;
    const other = await ChatHistory.open(folder, agentSessionId);
    const known = beforeMessageId === undefined ? other.entries : other.before(beforeMessageId);
    const history = ChatHistory.begin(folder, session.sessionId, known);
    await history.save();
    this.#open(session, history, session.sessionId);
  }

  async prompt(prompt: BackendPrompt): Promise<TurnEnd> {
    const { session, history } = this.#opened();
    if (this.#turn !== undefined)
      throw new DragomanError('conflict', `${this.#options.name} works on another prompt; wait until it has answered.`);
    const ids = new Set<string>();
    const writer = new BlockWriter((event) => {
      if ('messageId' in event && event.role === 'assistant') ids.add(event.messageId);
      session.emit(event);
    });
    const turn = { ending: new AbortController(), writer, ids };
    this.#turn = turn;
    try {
      const content = encodePrompt(prompt.content);
      if (content.length === 0) throw new DragomanError('bad-request', 'The prompt is empty.');
      history.entries.push({ ids: [prompt.id], message: { role: 'user', content } });
      await history.save();
      const { model, ...facts } = this.#options.openModel(this.#model);
      const answer = await this.#ask(model, history, turn);
      writer.closeAll();
      const said = toMessage(answer);
      if (said !== undefined) {
        history.entries.push({ ids: [...ids], message: said });
        await history.save();
      }
      if (answer.usage !== undefined) writer.usage(usageBlock(answer.usage, facts));
      return this.#end(answer, turn);
    } catch (error) {
      return this.#fail(error, turn);
    } finally {
      writer.closeAll();
      this.#turn = undefined;
    }
  }

  async cancel(): Promise<void> {
    this.#turn?.ending.abort();
  }

  async setModel(model: string): Promise<void> {
    this.#options.openModel(model);
    this.#model = model;
    this.#session?.emit({ type: 'agent-updated', model });
  }

  async dispose(): Promise<void> {
    this.#turn?.ending.abort();
  }

  #open(session: BackendSession, history: ChatHistory, agentSessionId: string): void {
    this.#session = session;
    this.#history = history;
    this.#model = session.model ?? this.#options.model;
    const models = this.#options.listModels?.().map((id) => ({ id }));
    session.emit({
      type: 'agent-updated',
      agentSessionId,
      ...(this.#model === undefined ? {} : { model: this.#model }),
      ...(models === undefined ? {} : { models }),
    });
  }

  #opened(): { session: BackendSession; history: ChatHistory } {
    if (this.#session === undefined || this.#history === undefined)
      throw new DragomanError('bad-request', `${this.#options.name} has no conversation yet; start one first.`);
    return { session: this.#session, history: this.#history };
  }

  /** Asks the model. Resolves when the answer has ended, or at once when the turn is called off. */
  async #ask(model: Model, history: ChatHistory, { ending, writer, ids }: Turn): Promise<ModelAnswer> {
    const { signal } = ending;
    const gathered = gatherAnswer();
    const sink = {
      push(event: ModelEvent) {
        if (signal.aborted) return;
        gathered.push(event);
        if (event.type === 'text-delta') {
          writer.text(event.delta);
          history.note(ids, event.delta);
        } else if (event.type === 'reasoning-delta') writer.thinking(event.delta);
      },
    };
    const left = Promise.withResolvers<void>();
    const leave = () => left.resolve();
    signal.addEventListener('abort', leave);
    try {
      if (signal.aborted) leave();
      const call = { prompt: toPrompt(history.entries, this.#options.system), tools: [] };
      await Promise.race([model.stream(call, sink, signal), left.promise]);
      return gathered.answer;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #end(answer: ModelAnswer, turn: Turn): TurnEnd {
    if (turn.ending.signal.aborted) return { reason: 'cancelled' };
    if (answer.error !== undefined) return this.#fail(answer.error, turn);
    const called = answer.content.filter((part) => part.type === 'tool-call');
    if (called.length > 0)
      turn.writer.notice(
        `The model wanted to use ${called.map(({ toolName }) => toolName).join(', ')}; it has no tools here.`,
      );
    else if (!answer.content.some(({ type }) => type === 'text')) turn.writer.notice('The model said nothing.');
    if (answer.finishReason === 'content-filter') {
      const message = 'The provider did not let the model answer this.';
      return { reason: 'refused', error: { code: 'content-filter', message, fix: 'Put it in other words.' } };
    }
    if (answer.finishReason === 'length') {
      const message = 'The answer is as long as the model may write.';
      return { reason: 'limit', error: { code: 'length', message, fix: 'Ask it to go on.' } };
    }
    return { reason: 'done' };
  }

  #fail(error: unknown, { ending, writer }: Turn): TurnEnd {
    if (ending.signal.aborted) return { reason: 'cancelled' };
    const known =
      error instanceof DragomanError
        ? error
        : new DragomanError('internal', `${this.#options.name} failed: ${(error as Error).message}`, { cause: error });
    const fault = chatFault(known, this.#model);
    writer.error(fault);
    return { reason: 'failed', error: fault };
  }
}

/** The conversation as a call. Prompts without an answer between them are one message, which every provider takes. */
function toPrompt(entries: readonly ChatEntry[], system: string | undefined): ModelMessage[] {
  const messages: ModelMessage[] = system === undefined ? [] : [{ role: 'system', content: system }];
  for (const { message } of entries) {
    const last = messages.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      messages[messages.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else messages.push(message);
  }
  return messages;
}

/** What of an answer belongs to the conversation. Thoughts that were cut off are not signed, and are not sent back. */
function toMessage(answer: ModelAnswer): ChatEntry['message'] | undefined {
  const isWhole = answer.error === undefined && answer.finishReason !== 'other';
  const content = answer.content.filter((part) => {
    if (part.type === 'text') return part.text !== '';
    return part.type === 'reasoning' && isWhole;
  });
  return content.some(({ type }) => type === 'text') ? { role: 'assistant', content } : undefined;
}
