/** How it stands with who reads our output. */
export interface Reader {
  /** Fires when nothing can be written any more. */
  signal: AbortSignal;
  /** Why, where it is not that the reader left: a full disk. */
  failure(): Error | undefined;
}

/**
 * Fires when nobody reads our output any more, as behind `| head -1` or in a window that was closed, or when it cannot be
 * written. The program would end at once; who asks for this comes to a good end first.
 */
export function untilReaderLeaves(): Reader {
  const controller = new AbortController();
  let failure: Error | undefined;
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    // EIO: the window is gone.
    if (error.code !== 'EPIPE' && error.code !== 'EIO' && !controller.signal.aborted) failure = error;
    controller.abort();
  });
  return { signal: controller.signal, failure: () => failure };
}
