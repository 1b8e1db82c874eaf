import { DragomanError, type ModelSink } from '@dragoman/protocol';

/** An answer that must call a tool. One that ends without a call is an error, and not the answer. */
export function demandCall(next: ModelSink): ModelSink {
  let hasCall = false;
  return {
    push(event) {
      hasCall ||= event.type === 'tool-input-start';
      const isMissing = event.type === 'finish' && !hasCall;
      next.push(isMissing ? { type: 'error', error: noCall() } : event);
    },
  };
}

function noCall(): DragomanError {
  return new DragomanError('unavailable', 'A tool call was required, but the model made none. Try again.', {
    isRetryable: true,
  });
}
