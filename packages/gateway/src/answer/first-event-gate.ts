import type { DragomanError, ModelSink } from '@dragoman/protocol';

/**
 * Lets an answer through, unless it fails before it has begun: that error is kept, so that another target can be
 * tried.
 */
export class FirstEventGate implements ModelSink {
  readonly #next: ModelSink;
  #hasBegun = false;
  /** The error of an answer that never began. */
  earlyError: DragomanError | undefined;

  constructor(next: ModelSink) {
    this.#next = next;
  }

  push: ModelSink['push'] = (event) => {
    if (!this.#hasBegun) {
      if (event.type === 'error') {
        this.earlyError = event.error;
        return;
      }
      this.#hasBegun = event.type !== 'response-metadata';
    }
    this.#next.push(event);
  };
}
