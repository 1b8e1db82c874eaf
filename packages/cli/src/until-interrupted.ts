/** npm passes a signal on that the terminal has delivered already; two so close together are one. */
const SAME_SIGNAL_MS = 300;
/** What a shell expects of a program that Ctrl-C ended. */
export const INTERRUPTED_EXIT_CODE = 130;

export interface Interruption {
  /** Aborted by the first Ctrl-C. */
  signal: AbortSignal;
  /** Resolves then. */
  promise: Promise<void>;
}

/** The first signal asks a command for a good end; a second one does not wait for it. */
export function untilInterrupted(): Interruption {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  let toldAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (toldAt !== undefined && performance.now() - toldAt > SAME_SIGNAL_MS) process.exit(INTERRUPTED_EXIT_CODE);
      toldAt ??= performance.now();
      controller.abort();
      resolve();
    });
  return { signal: controller.signal, promise };
}
