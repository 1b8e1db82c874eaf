import { RequestError, type StopReason } from '@agentclientprotocol/sdk';
import type { AgentError, SessionState } from '@dragoman/protocol';

/** How a turn ended, in the words of the protocol. */
export interface TurnEnd {
  stopReason: StopReason;
  /** What a person should know beside it. */
  message?: string;
}

/** What the protocol has a word for; anything else is an error. */
const STOP_REASONS: Record<AgentError['code'], StopReason | undefined> = {
  aborted: 'cancelled',
  budget: 'max_turn_requests',
  'content-filter': 'refusal',
  'context-overflow': 'max_tokens',
  'output-limit': 'max_tokens',
  loop: undefined,
  interrupted: undefined,
  rejected: undefined,
  'timed-out': undefined,
  model: undefined,
  internal: undefined,
};

/** Why the agent stopped. Throws where it did not stop but fail. */
export function turnEnd(error: AgentError | undefined, state: SessionState): TurnEnd {
  if (error === undefined) return { stopReason: isCutOff(state) ? 'max_tokens' : 'end_turn' };
  const stopReason = STOP_REASONS[error.code];
  if (stopReason === undefined)
    throw new RequestError(-32603, error.message, { code: error.code, details: error.details });
  if (stopReason === 'cancelled') return { stopReason };
  const isOfTokens = error.details?.['budget'] === 'tokens';
  return { stopReason: isOfTokens ? 'max_tokens' : stopReason, message: error.message };
}

/** The last answer ended where the model may write no more. */
function isCutOff({ messages }: SessionState): boolean {
  const last = messages.findLast(({ info }) => info.role === 'assistant' && info.summary !== true)?.info;
  return last?.role === 'assistant' && last.finish === 'length';
}
