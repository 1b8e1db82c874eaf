import { DragomanError, HubError, type OutboxGapError, readHubError } from '@dragoman/protocol';

/** A refusal of the hub as a runner needs to know it: what passes by itself, what a person has to mend, and how. */
export function toRefusal(
  url: string,
  refused: { call: string; status: number; text: string; retryAfter: string | undefined },
): HubError | OutboxGapError | DragomanError {
  const error = readHubError(refused);
  const { status } = refused;
  if (error instanceof HubError && error.isForeign && (status === 401 || status === 403))
    return new DragomanError(
      'unavailable',
      `${url} was answered with ${status}, and not by Dragoman: a proxy or a login page stands before it.`,
      { cause: error, isRetryable: true },
    );
  if (error.code === 'unauthenticated')
    return new DragomanError(
      'unauthenticated',
      `${url} does not accept the runner's token: ${error.message} Make one there with ` +
        '"dragoman token create NAME --role member", and start the runner with it.',
      { cause: error },
    );
  // A path of the API that is not there; a runner or a question that is not there is told by the call itself.
  if (refused.status === 404 && refused.call.endsWith('/hello')) return outdatedHub(url, error);
  return error;
}

/** There is a server, but it does not speak this language. */
export function outdatedHub(url: string, cause?: unknown): DragomanError {
  return new DragomanError(
    'not-found',
    `The server at ${url} takes no runners: it is older than this program, or not a Dragoman hub. Update it, or check the address.`,
    { cause },
  );
}

/** What broke the way to the hub, or back from it. An error that is not about the way stays as it is. */
export function toLinkError(url: string, error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (error instanceof DragomanError || typeof code !== 'string') return error;
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new DragomanError('timed-out', `${url} did not accept a connection in time.`, {
      cause: error,
      isRetryable: true,
    });
  return new DragomanError('unavailable', `${url} cannot be reached: ${code}.`, { cause: error, isRetryable: true });
}
