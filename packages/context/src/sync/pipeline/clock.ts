/** Time as a parameter, so that whoever waits can be tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs the action later; the answer calls it off. A waiting action does not keep the process alive. */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, action) {
    const timer = setTimeout(action, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after that time, or as soon as the signal is aborted: whoever waits looks at the signal then. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      callOff();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const callOff = clock.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}
