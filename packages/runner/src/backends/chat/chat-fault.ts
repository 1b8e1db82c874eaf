import type { DragomanError, Fault } from '@dragoman/protocol';

const OLLAMA_PORT = '11434';

/** What went wrong when a model was asked, and what a person can do about it. */
export function chatFault(error: DragomanError, model: string | undefined): Fault {
  const fix = fixOf(error, model);
  return { code: error.code, message: error.message, ...(fix === undefined ? {} : { fix }) };
}

function fixOf(error: DragomanError, model: string | undefined): string | undefined {
  switch (error.code) {
    case 'unauthenticated':
    case 'forbidden':
      return 'Check the key of that provider ("apiKey" in dragoman.json), or choose another model.';
    case 'bad-request':
      return 'The model does not take this as it is: leave out what is attached, or choose another model.';
    case 'not-found':
      return `Choose another model: "dragoman models" lists them. A model of Ollama has to be there first: ollama pull ${pulled(model)}`;
    case 'config-invalid':
      return 'Correct dragoman.json; "dragoman doctor" tells what is wrong.';
    case 'unavailable':
      return whereRefused(error);
    case 'rate-limited':
      return error.retryAfterMs === undefined
        ? 'Wait a moment, then send the prompt again; or choose another model.'
        : `Wait ${Math.ceil(error.retryAfterMs / 1000)} s, then send the prompt again; or choose another model.`;
    case 'timed-out':
      return 'Send the prompt again; a model that is being loaded may take longer the first time.';
    case 'context-overflow':
    case 'too-large':
      return 'The conversation is longer than the model can read: start a new session, or fork this one at an earlier prompt.';
    default:
      return undefined;
  }
}

/** Nobody listens there: a program of this machine or network that has to be started. */
function whereRefused(error: DragomanError): string | undefined {
  const address = refusedAddress(error.cause);
  if (address === undefined) return error.isRetryable ? 'Send the prompt again in a moment.' : undefined;
  return address.endsWith(`:${OLLAMA_PORT}`)
    ? `Is Ollama running at ${address}? Start it with: ollama serve`
    : `Is the model server running at ${address}? Start it, or correct "baseUrl" in dragoman.json.`;
}

/** What a connection was refused by, from the error that Node gives; with several addresses, the first of them. */
function refusedAddress(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null) return undefined;
  const { code, address, port, errors, cause: inner } = cause as Readonly<Record<string, unknown>>;
  if (code === 'ECONNREFUSED' && typeof address === 'string')
    return `${address.includes(':') ? `[${address}]` : address}:${String(port)}`;
  return refusedAddress(Array.isArray(errors) ? errors[0] : inner);
}

function pulled(model: string | undefined): string {
  return model === undefined ? 'MODEL' : model.slice(model.indexOf('/') + 1);
}
