import type { Fault, RunnerEvent } from '@dragoman/protocol';

/**
 * What is told of an agent, without what it was given in confidence: errors and notices repeat what programs complain
 * about, and stay in the session for everybody who reads it. What the agent says to people itself is left as it is.
 */
export function withoutSecrets(event: RunnerEvent, hide: (text: string) => string): RunnerEvent {
  switch (event.type) {
    case 'agent-state':
    case 'turn-finished':
      return event.error === undefined ? event : { ...event, error: hideIn(event.error, hide) };
    case 'revert-failed':
      return { ...event, error: hideIn(event.error, hide) };
    case 'block-stop': {
      const { block } = event;
      if (block.type === 'notice') return { ...event, block: { ...block, text: hide(block.text) } };
      return block.type === 'error' ? { ...event, block: hideIn(block, hide) } : event;
    }
    default:
      return event;
  }
}

function hideIn<Told extends Pick<Fault, 'message' | 'fix'>>(fault: Told, hide: (text: string) => string): Told {
  const { message, fix } = fault;
  return { ...fault, message: hide(message), ...(fix === undefined ? {} : { fix: hide(fix) }) };
}
