import type { DragomanError } from '@dragoman/protocol';

/** The form of error that Ollama's clients read, as an answer and as a line of a stream. */
export function encodeOllamaError(error: DragomanError): { error: string } {
  return { error: error.message };
}
