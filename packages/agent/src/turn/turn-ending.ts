import type { AgentError } from '@dragoman/protocol';

/** Ends a turn from outside, with an error that says why: the reason of the signal that everything in the turn obeys. */
export class TurnEnding extends Error {
  /** Whatever is called off by it takes it for what it is. */
  override readonly name = 'AbortError';
  readonly error: AgentError;

  constructor(error: AgentError) {
    super(error.message);
    this.error = error;
  }
}

/** Why a signal that fired ends the turn: somebody called it off, where nothing else is said. */
export function endingOf({ reason }: AbortSignal): AgentError {
  return reason instanceof TurnEnding ? reason.error : { code: 'aborted', message: 'The turn was cancelled.' };
}
