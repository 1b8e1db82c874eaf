import type { DragomanError, ModelSink } from '@dragoman/protocol';

/**
 * Lets an answer through, unless it fails before it has begun: that error is kept, so that another target can be
 * tried.
 */
export class FirstEventGate implements ModelSink {
  readonly #next: ModelSink;
  readonly #begun: () => void;
  #hasBegun = false;
  /** The error of an answer that never began. */
  earlyError: DragomanError | undefined;

  /** `begun` is called once, with the first piece of the answer. */
  constructor(next: ModelSink, begun: () => void) {
    this.#next = next;
    this.#begun = begun;
  }

  push: ModelSink['push'] = (event) => {
    if (!this.#hasBegun) {
      if (event.type === 'error') {
        this.earlyError = event.error;
        return;
      }
      this.#hasBegun = event.type !== 'response-metadata';
      if (this.#hasBegun) this.#begun();
    }
    this.#next.push(event);
  };
}
