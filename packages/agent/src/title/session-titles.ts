import type { AgentEvent } from '@dragoman/protocol';
import type { AgentLog } from '../agent-log.ts';
import type { AgentModel } from '../agent-model.ts';
import type { Session } from '../session/session.ts';
import { askForTitle } from './ask-for-title.ts';

/** A title that takes longer is worth no more waiting. */
const ANSWER_MS = 30_000;
/** Who ends a session waits no longer for its title. */
const CLOSE_MS = 3_000;

/** By these the model has begun to answer. A machine that serves one call at a time is not held up before that. */
const BEGINNINGS: ReadonlySet<AgentEvent['type']> = new Set(['text-start', 'reasoning-start', 'tool-input-start']);

/**
 * Has the model name a session, once, beside its first turn. A session that it does not name keeps the title it has; no
 * turn waits for it or fails by it.
 */
export class SessionTitles {
  readonly #log: AgentLog;
  readonly #closing = new AbortController();
  #making: Promise<void> | undefined;

  constructor(log: AgentLog) {
    this.#log = log;
  }

  /** Names the session as soon as the model answers what it was asked. Nothing is asked where the turn ends before. */
  begin(session: Session, words: string, openModel: () => AgentModel): void {
    const stop = session.subscribe({
      event: ({ event }) => {
        if (event.type === 'turn-finished') stop();
        if (!BEGINNINGS.has(event.type)) return;
        stop();
        this.#making = this.#make(session, words, openModel);
      },
    });
  }

  /** Resolves when nothing more is asked: with the title where it comes soon, without it otherwise. */
  async settle(): Promise<void> {
    if (this.#making === undefined) return;
    const timer = setTimeout(() => this.#closing.abort(), CLOSE_MS);
    await this.#making;
    clearTimeout(timer);
  }

  async #make(session: Session, words: string, openModel: () => AgentModel): Promise<void> {
    const before = session.state.info.title;
    const signal = AbortSignal.any([this.#closing.signal, session.failing, AbortSignal.timeout(ANSWER_MS)]);
    try {
      const title = await askForTitle(openModel(), words, signal);
      if (title === undefined || signal.aborted || session.state.info.title !== before || title === before) return;
      session.append({ type: 'session-updated', title });
    } catch (err) {
      this.#log.debug({ err, sessionID: session.id }, 'a session was not named by the model');
    }
  }
}
