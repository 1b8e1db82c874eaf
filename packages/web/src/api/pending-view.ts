import { type LoggedHubEvent, SessionFold, type SessionView } from '@dragoman/protocol';

/**
 * The events of a session on their way to the screen.
 *
 * They are folded when the session is drawn and not as they come: what is the same for all of them is done once per frame. A
 * session that was never drawn waits until it is whole, because a long one comes in many pages, and nobody wants to see it
 * pass by.
 */
export class PendingView {
  #fold: SessionFold;
  #wholeAt: number;

  constructor(known: SessionView | undefined) {
    this.#fold = new SessionFold(known);
    this.#wholeAt = known === undefined ? Infinity : 0;
  }

  /** Whether there is anything to draw yet. */
  get isWhole(): boolean {
    return this.#fold.seq >= Math.max(1, this.#wholeAt);
  }

  /** Up to which number the session is to be read before it is drawn; the first word counts. */
  wholeAt(seq: number): void {
    if (this.#wholeAt === Infinity) this.#wholeAt = seq;
  }

  /** Adds what comes next. */
  add(events: readonly LoggedHubEvent[]): void {
    this.#fold.add(events);
  }

  /** The session with everything that came. */
  take(): SessionView | undefined {
    const view = this.#fold.finish();
    this.#fold = new SessionFold(view);
    return view;
  }
}
