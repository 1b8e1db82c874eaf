import type { DragomanError } from '@dragoman/protocol';

/** The client reads the status and shows a line of its own; the body is for people who look. */
export function encodeAugmentError(error: DragomanError): unknown {
  return { error: { code: error.code, message: error.message } };
}
