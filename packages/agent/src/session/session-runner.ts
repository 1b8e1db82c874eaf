import { DragomanError, newId, type QueuedPrompt, type SessionState } from '@dragoman/protocol';
import type { TurnResult } from '../turn/record-turn.ts';
import type { Prompt } from './admit-prompt.ts';
import type { Session, SessionListener } from './session.ts';

/** What a session needs of its surroundings to work. */
export interface SessionWork {
  /** Makes the message of a prompt. */
  read(prompt: Prompt, state: SessionState): QueuedPrompt;
  /** Runs one turn for the message that was just added. */
  runTurn(
    session: Session,
    prompt: QueuedPrompt,
    turn: { abort: AbortSignal; atBoundary: () => boolean },
  ): Promise<TurnResult>;
  /** Ends what goes on beside turns, before the session is closed. */
  settle?(): Promise<void>;
  /** What happened meanwhile that the model should know, such as a job that ended. */
  news(sessionID: string): string[];
}

/** A session at work: takes prompts, runs their turns one after the other, and can be called off. */
export class SessionRunner {
  readonly session: Session;
  readonly #work: SessionWork;
  #running: { abort: AbortController; done: Promise<TurnResult | undefined>; isResumed: boolean } | undefined;
  #onClosed: (() => void | Promise<void>) | undefined;
  #isClosed = false;

  constructor(session: Session, work: SessionWork, onClosed?: () => void | Promise<void>) {
    this.session = session;
    this.#work = work;
    this.#onClosed = onClosed;
  }

  get id(): string {
    return this.session.id;
  }

  get state(): SessionState {
    return this.session.state;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  subscribe(listener: SessionListener): () => void {
    return this.session.subscribe(listener);
  }

  /** Resolves with the message's id once the prompt is stored. Its turn may begin later, and survives a restart. */
  async prompt(prompt: Prompt): Promise<string> {
    this.session.refuseIfClosed();
    this.session.failing.throwIfAborted();
    const queued = this.#work.read(prompt, this.state);
    if (queued.message.parts.length === 0)
      throw new DragomanError('bad-request', 'A prompt needs text, a file or a task.');
    this.session.append({ type: 'prompt-admitted', prompt: queued });
    await this.session.stored();
    this.resume();
    return queued.message.info.id;
  }

  /** Takes a prompt back that still waits. */
  withdraw(messageID: string): boolean {
    if (!this.state.queue.some(({ message }) => message.info.id === messageID)) return false;
    this.session.append({ type: 'prompt-withdrawn', messageID });
    return true;
  }

  /** Goes on with what waits, also after a restart. While a turn is being called off, right after it. */
  resume(): void {
    if (this.#running !== undefined) {
      this.#running.isResumed = true;
      return;
    }
    if (this.#isClosed || this.session.failing.aborted || this.state.queue.length === 0) return;
    const abort = new AbortController();
    const done = Promise.resolve()
      .then(() => this.#drain(abort.signal))
      .finally(() => {
        this.#running = undefined;
        if (!abort.signal.aborted || running.isResumed) this.resume(); // What came in the last moment.
      });
    const running = { abort, done, isResumed: false };
    this.#running = running;
    done.catch(() => {}); // Whoever waits for it is told.
  }

  /** Calls the running turn off; prompts that wait stay where they are until somebody resumes. */
  async abort(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.isResumed = false;
    running.abort.abort(new DOMException('The turn was cancelled.', 'AbortError'));
    await running.done.catch(() => {});
  }

  /** Resolves when nothing runs, with how the last turn ended. Rejects when what happens cannot be stored. */
  async idle(): Promise<TurnResult | undefined> {
    let last: TurnResult | undefined;
    while (this.#running !== undefined) last = (await this.#running.done) ?? last;
    this.session.failing.throwIfAborted();
    return last;
  }

  /** Resolves when nothing goes on beside turns any more; nothing of it is waited for for long. */
  async settle(): Promise<void> {
    await this.#work.settle?.();
  }

  /** Ends what runs, stores what waits to be stored, and lets others work on the session. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.abort();
    try {
      await this.settle();
      await this.session.close();
    } finally {
      const onClosed = this.#onClosed;
      this.#onClosed = undefined;
      await onClosed?.();
    }
  }

  async #drain(abort: AbortSignal): Promise<TurnResult | undefined> {
    let result: TurnResult | undefined;
    for (;;) {
      const next = this.state.queue[0];
      if (next === undefined || abort.aborted) return result;
      this.session.append({ type: 'message-added', message: next.message });
      result = await this.#work.runTurn(this.session, next, { abort, atBoundary: this.#takeUpNews });
    }
  }

  /** Between two steps: what was sent to steer the turn, and what happened meanwhile, becomes part of the conversation. */
  readonly #takeUpNews = (): boolean => {
    const steering = this.state.queue.filter(({ delivery }) => delivery === 'steer');
    for (const { message } of steering) this.session.append({ type: 'message-added', message });
    const news = this.#work.news(this.id);
    if (news.length > 0) this.#tell(news);
    return steering.length + news.length > 0;
  };

  #tell(news: readonly string[]): void {
    const { info } = this.state;
    const id = newId('msg');
    this.session.append({
      type: 'message-added',
      message: {
        info: {
          id,
          sessionID: this.id,
          role: 'user',
          time: { created: Date.now() },
          agent: info.agent,
          model: info.model,
        },
        parts: news.map((text) => ({
          id: newId('prt'),
          sessionID: this.id,
          messageID: id,
          type: 'text' as const,
          text,
          synthetic: true,
        })),
      },
    });
  }
}
