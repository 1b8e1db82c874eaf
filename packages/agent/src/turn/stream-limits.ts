import { DragomanError, type ModelEvent, type ModelSink } from '@dragoman/protocol';

/** How long a model may be silent. */
export interface StreamTimeouts {
  /** Until the first piece of its answer. */
  firstEventMs: number;
  /** Between two pieces. */
  idleMs: number;
}

/** A sink that notices silence: when a model says nothing for too long, `expired` is told once. */
export function watchSilence(
  next: ModelSink,
  timeouts: StreamTimeouts,
  expired: (error: DragomanError) => void,
): ModelSink & { stop(): void } {
  let hasBegun = false;
  let timer = arm(timeouts.firstEventMs, 'did not start answering');
  function arm(limitMs: number, what: string): NodeJS.Timeout {
    return setTimeout(
      () =>
        expired(new DragomanError('timed-out', `The model ${what} within ${limitMs / 1000} s.`, { isRetryable: true })),
      limitMs,
    );
  }
  return {
    push(event: ModelEvent) {
      if (hasBegun) timer.refresh();
      else {
        hasBegun = true;
        clearTimeout(timer);
        timer = arm(timeouts.idleMs, 'stopped in the middle of its answer: nothing arrived');
      }
      next.push(event);
    },
    stop: () => clearTimeout(timer),
  };
}
