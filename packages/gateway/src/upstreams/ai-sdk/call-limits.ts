import { DragomanError } from '@dragoman/protocol';

/**
 * Waits no longer than a limit for what may never come.
 *
 * Packages are asked to stop through the signal, but are not relied on to do so.
 */
export class CallLimits {
  readonly #stop = new AbortController();
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#stop.signal]);
  }

  /** Rejects as cancelled when the signal is aborted, and with the given error when the time is over. */
  within<T>(ms: number, work: PromiseLike<T>, tooLate: () => DragomanError): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.stop(tooLate()), ms);
      const onAbort = () => settle(() => reject(whyAborted(this.signal)));
      const settle = (how: () => void) => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', onAbort);
        how();
      };
      this.signal.addEventListener('abort', onAbort);
      work.then(
        (value) => settle(() => resolve(value)),
        (error: Error) => settle(() => reject(error)),
      );
      if (this.signal.aborted) onAbort();
    });
  }

  /** Ends whatever the package still has under way. */
  stop(reason?: DragomanError): void {
    this.#stop.abort(reason);
  }
}

function whyAborted({ reason }: AbortSignal): DragomanError {
  return reason instanceof DragomanError
    ? reason
    : new DragomanError('cancelled', 'The call was cancelled.', { cause: reason });
}
