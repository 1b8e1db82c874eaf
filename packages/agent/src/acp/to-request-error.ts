import { RequestError } from '@agentclientprotocol/sdk';
import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol';

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const NOT_FOUND = -32002;

/** Where the code says more than that something failed. */
const CODES: Partial<Record<DragomanErrorCode, number>> = {
  'bad-request': INVALID_PARAMS,
  'not-found': NOT_FOUND,
  conflict: INVALID_REQUEST,
};

/** Whatever was thrown, as an error of the protocol, with the message we wrote for people. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof DragomanError)
    return new RequestError(CODES[error.code] ?? INTERNAL, error.message, { code: error.code });
  return new RequestError(INTERNAL, error instanceof Error ? error.message : String(error), { code: 'internal' });
}
