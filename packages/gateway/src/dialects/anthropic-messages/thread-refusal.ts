import { RefusedCall } from '../../policy/refused-call.ts';

/**
 * Only Anthropic keeps the messages that a thread goes on from. The code tells its SDK to go on without one: it then sends
 * the whole conversation.
 */
export class ThreadRefusal extends RefusedCall {
  readonly details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] };

  constructor() {
    super(
      'bad-request',
      'thread: the provider of this model does not support message threads. Send the whole conversation as messages.',
      { isRetryable: true },
    );
  }
}
