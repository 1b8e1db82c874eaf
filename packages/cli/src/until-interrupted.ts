/** What a shell expects of a program that Ctrl-C ended. */
export const INTERRUPTED_EXIT_CODE = 130;

const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndSignal = (typeof END_SIGNALS)[number];

export interface Interruption {
  /** Aborted by the first Ctrl-C. */
  signal: AbortSignal;
  /** Resolves then, with what was sent. */
  promise: Promise<EndSignal>;
}

/**
 * The first signal asks a command for a good end; a second one does not wait for it. Under npm a third one does: npm
 * passes on what the terminal has delivered already, and on a busy machine only after a while.
 */
export function untilInterrupted(): Interruption {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<EndSignal>();
  let patience = process.env['npm_lifecycle_event'] === undefined ? 1 : 2;
  for (const signal of END_SIGNALS)
    process.on(signal, () => {
      if (patience === 0) process.exit(INTERRUPTED_EXIT_CODE);
      patience -= 1;
      controller.abort();
      resolve(signal);
    });
  // An end that Node comes to by itself puts the listeners away first: a signal that is repeated then would end it instead.
  process.on('beforeExit', () => process.exit());
  return { signal: controller.signal, promise };
}
