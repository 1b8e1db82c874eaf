/** Waits no longer than the signal allows. What is waited for goes on. */
export async function unlessAborted<Result>(task: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return task;
  task.catch(() => {}); // It may fail when nobody waits for it any more.
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([aborted.promise, task]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
