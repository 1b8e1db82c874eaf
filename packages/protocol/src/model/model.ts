import type { ModelCall } from './model-call.ts';
import type { ModelSink } from './model-event.ts';

/** A model that can be asked, wherever it runs. */
export interface Model {
  /**
   * Pushes the answer's events. Resolves when the answer has ended, with `finish` or `error`; what goes wrong is an
   * `error` event, never a rejection. The signal ends the call.
   */
  stream(call: ModelCall, sink: ModelSink, signal: AbortSignal): Promise<void>;
}
