import { DragomanError, type Fault } from '@dragoman/protocol';

/** An error as people are told of it. */
export function toFault(error: unknown): Fault {
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  const fix = error instanceof Error && 'fix' in error && typeof error.fix === 'string' ? { fix: error.fix } : {};
  return { code: error instanceof DragomanError ? error.code : 'internal', message, ...fix };
}
