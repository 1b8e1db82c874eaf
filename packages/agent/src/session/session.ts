import {
  type AgentEvent,
  foldEvent,
  foldSession,
  isOpenToolState,
  type LoggedEvent,
  newId,
  NO_TOKENS,
  type SessionInfo,
  type SessionState,
} from '@dragoman/protocol';
import { SessionLog } from './session-log.ts';
import type { SessionStore } from './session-store.ts';

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
  readonly #now: () => number;
  #state: SessionState;

  private constructor(store: SessionStore, state: SessionState, now: () => number) {
    this.#store = store;
    this.#state = state;
    this.#now = now;
    this.#log = new SessionLog({
      sink: { append: (events) => store.append(state.info.id, events) },
      seq: state.seq,
      onStored: (events) => {
        for (const listener of this.#listeners) listener.stored?.(events);
      },
    });
  }

  /** A new session; it is stored when this resolves. */
  static async create(store: SessionStore, info: SessionInfo, now: () => number = Date.now): Promise<Session> {
    await store.create(info);
    const first: LoggedEvent = { seq: 1, at: info.time.created, event: { type: 'session-created', session: info } };
    await store.append(info.id, [first]);
    return new Session(store, foldEvent(undefined, first), now);
  }

  /**
   * A session of earlier, for this process alone. What a process that died left open is ended by events: calls that
   * ran fail, the turn ends as interrupted, and the session can go on.
   */
  static async open(store: SessionStore, sessionID: string, now: () => number = Date.now): Promise<Session> {
    await store.hold(sessionID);
    const state = foldSession(await store.read(sessionID));
    if (state === undefined) throw new Error(`The session ${sessionID} has no events.`);
    const session = new Session(store, state, now);
    session.#endWhatWasLeftOpen();
    await session.stored();
    return session;
  }

  get id(): string {
    return this.#state.info.id;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The one way a session changes. */
  append(event: AgentEvent): LoggedEvent {
    const at = this.#now();
    // The state is made first: an event that cannot be is refused before it is written down.
    this.#state = foldEvent(this.#state, { seq: this.#state.seq + 1, at, event });
    const logged = this.#log.append(event, at);
    for (const listener of this.#listeners) listener.event?.(logged, this.#state);
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
    await this.stored();
    const { info, updatedAt } = this.#state;
    await this.#store.note(info.id, { title: info.title, updatedAt });
    await this.#store.release(info.id);
  }

  #endWhatWasLeftOpen(): void {
    const { turn, messages } = this.#state;
    if (turn === undefined || turn.finishedAt !== undefined) return;
    const error = { code: 'interrupted' as const, message: 'The process that worked on this ended.' };
    for (const message of messages.slice(-20)) {
      if (message.info.role !== 'assistant') continue;
      for (const part of message.parts) {
        if (part.type !== 'tool' || !isOpenToolState(part.state)) continue;
        const { state } = part;
        const end = this.#now();
        const start = state.status === 'running' ? state.time.start : end;
        this.append({
          type: 'tool-result',
          messageID: part.messageID,
          partID: part.id,
          state: {
            status: 'error',
            input: state.input,
            error: 'Interrupted: the process that ran this ended. Whether it had an effect is not known.',
            metadata: { interrupted: true },
            time: { start, end },
          },
        });
      }
      if (message.info.time.completed === undefined) {
        this.append({
          type: 'finish-step',
          partID: newId('prt'),
          messageID: message.info.id,
          reason: 'error',
          cost: 0,
          costSource: 'computed',
          tokens: NO_TOKENS,
          error,
        });
      }
    }
    this.append({ type: 'turn-finished', turnID: turn.id, counters: turn.counters, error });
  }
}
