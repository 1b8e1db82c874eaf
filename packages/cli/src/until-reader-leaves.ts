/**
 * Fires when nobody reads our output any more, as behind `| head -1` or in a window that was closed. The program would end
 * at once; who asks for this comes to a good end first.
 */
export function untilReaderLeaves(): AbortSignal {
  const controller = new AbortController();
  process.stdout.removeAllListeners('error').on('error', () => controller.abort());
  return controller.signal;
}
