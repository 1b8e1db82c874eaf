import {
  type AgentEvent,
  DragomanError,
  foldEvent,
  foldSession,
  type LoggedEvent,
  type SessionInfo,
  type SessionState,
} from '@dragoman/protocol';
import { openWorkEnded } from './open-work-ended.ts';
import { SessionLog } from './session-log.ts';
import type { SessionStore } from './session-store.ts';

/** What a store says of itself, and not of what was to be stored. */
const STORE_FAILURES: ReadonlySet<string> = new Set(['disk-full', 'database-unreachable']);

/** Sees what happens in a session. `state` has the event in it. */
export interface SessionListener {
  /** At once, also text as it arrives. */
  event?(logged: LoggedEvent, state: SessionState): void;
  /** What is stored and cannot be lost any more; deltas are joined. */
  stored?(events: readonly LoggedEvent[]): void;
}

/** A session that this process works on: its state, and the only way to change it. */
export class Session {
  readonly #store: SessionStore;
  readonly #log: SessionLog;
  readonly #listeners = new Set<SessionListener>();
  readonly #faulty = new WeakSet<SessionListener>();
  readonly #now: () => number;
  readonly #failing = new AbortController();
  #state: SessionState;
  #isClosed = false;

  private constructor(store: SessionStore, state: SessionState, now: () => number) {
    this.#store = store;
    this.#state = state;
    this.#now = now;
    this.#log = new SessionLog({
      sink: { append: this.#keep },
      seq: state.seq,
      onFailure: (error) => this.#failing.abort(error),
      onStored: (events) => this.#tell((listener) => listener.stored?.(events)),
    });
  }

  /** A new session; it is stored when this resolves. */
  static async create(store: SessionStore, info: SessionInfo, now: () => number = Date.now): Promise<Session> {
    const first: LoggedEvent = { seq: 1, at: info.time.created, event: { type: 'session-created', session: info } };
    await store.create(info, first);
    return new Session(store, foldEvent(undefined, first), now);
  }

  /**
   * A session of earlier, for this process alone. What a process that died left open is ended by events: calls that
   * ran fail, the turn ends as interrupted, and the session can go on.
   */
  static async open(store: SessionStore, sessionID: string, now: () => number = Date.now): Promise<Session> {
    await store.hold(sessionID);
    try {
      const state = foldSession(await store.read(sessionID));
      if (state === undefined) throw new Error(`The session ${sessionID} has no events.`);
      const session = new Session(store, state, now);
      session.#endWhatWasLeftOpen();
      await session.stored();
      return session;
    } catch (error) {
      await store.release(sessionID).catch(() => {}); // What went wrong first is told.
      throw error;
    }
  }

  get id(): string {
    return this.#state.info.id;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Fires, with the reason, when what happens cannot be stored any more. Whoever works on the session should stop then. */
  get failing(): AbortSignal {
    return this.#failing.signal;
  }

  /** The one way a session changes. */
  append(event: AgentEvent): LoggedEvent {
    this.refuseIfClosed();
    const at = this.#now();
    // The state is made first: an event that cannot be is refused before it is written down.
    this.#state = foldEvent(this.#state, { seq: this.#state.seq + 1, at, event });
    const logged = this.#log.append(event, at);
    this.#tell((listener) => listener.event?.(logged, this.#state));
    return logged;
  }

  subscribe(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when everything that happened so far is stored. */
  stored(): Promise<void> {
    return this.#log.stored();
  }

  /** Stores what waits and lets others work on the session. */
  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      await this.stored();
      await this.#note();
    } catch (error) {
      await this.#store.release(this.id).catch(() => {}); // What went wrong first is told.
      throw error;
    }
    await this.#store.release(this.id);
  }

  /** Throws when others may be working on it by now. */
  refuseIfClosed(): void {
    if (this.#isClosed) throw new DragomanError('conflict', `The session ${this.id} is closed.`);
  }

  readonly #keep = async (events: readonly LoggedEvent[]): Promise<void> => {
    try {
      await this.#store.append(this.id, events);
      // A process that is killed never closes the session; lists should be right all the same.
      if (events.some(({ event }) => event.type === 'session-updated' || event.type === 'turn-finished'))
        await this.#note();
    } catch (error) {
      const code = error instanceof DragomanError ? error.code : 'unavailable';
      if (error instanceof DragomanError && !STORE_FAILURES.has(code)) throw error;
      throw new DragomanError(code, `The session ${this.id} cannot be stored: ${(error as Error).message}`, {
        cause: error,
      });
    }
  };

  #note(): Promise<void> {
    const { info, updatedAt } = this.#state;
    return this.#store.note(info.id, { title: info.title, updatedAt });
  }

  /** A fault of a listener is its own, and told once: what happens goes on. */
  #tell(tell: (listener: SessionListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        tell(listener);
      } catch (error) {
        if (this.#faulty.has(listener)) continue;
        this.#faulty.add(listener);
        process.emitWarning(`A listener of a session failed: ${(error as Error).message}`);
      }
    }
  }

  #endWhatWasLeftOpen(): void {
    const { turn } = this.#state;
    const error = { code: 'interrupted' as const, message: 'The process that worked on this ended.' };
    const ended = openWorkEnded(this.#state, {
      error,
      calls: 'Interrupted: the process that ran this ended. Whether it had an effect is not known.',
      at: this.#now(),
    });
    for (const event of ended) this.append(event);
    if (turn !== undefined && turn.finishedAt === undefined)
      this.append({ type: 'turn-finished', turnID: turn.id, counters: turn.counters, error });
  }
}
