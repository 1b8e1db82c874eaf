import type { ServerResponse } from 'node:http';

/**
 * Aborted when the client leaves before its answer is complete: before the first byte, in the middle, streamed or not.
 * The response is watched and not the request, whose own end comes as soon as its body was read.
 */
export function clientSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
