import { type AgentError, type ContentBlock, type Fault, REJECTED_KEY_FIX, type TurnEnd } from '@dragoman/protocol';

const REASONS: Record<AgentError['code'], TurnEnd['reason']> = {
  aborted: 'cancelled',
  rejected: 'cancelled',
  interrupted: 'interrupted',
  'content-filter': 'refused',
  budget: 'limit',
  'context-overflow': 'limit',
  'output-limit': 'limit',
  loop: 'limit',
  'timed-out': 'failed',
  model: 'failed',
  internal: 'failed',
};

const FIXES: Partial<Record<AgentError['code'], string>> = {
  budget: 'Say "continue" to start another turn. To raise the limit, set agent.budget in dragoman.json.',
  'context-overflow': 'Start a new session, or choose a model with a larger context.',
  'output-limit': 'Say "continue", or ask for smaller steps.',
  loop: 'Tell it what to do differently.',
  'content-filter': 'Rephrase the prompt, or choose another model.',
  'timed-out': 'Try again. To wait longer, set agent.timeouts in dragoman.json.',
  internal: 'Try again. See the log of the runner for details.',
};

/** What a provider refused, by the code of its error. */
const PROVIDER_FIXES: Readonly<Record<string, string>> = {
  unauthenticated: REJECTED_KEY_FIX,
  forbidden: 'Check what the API key has access to, or choose another model.',
  'not-found': 'Choose another model, or add this one to its provider.',
  'rate-limited': 'Try again later, or choose another model.',
  unavailable: 'Try again, or choose another model.',
};

/** How a turn ended, in the words of the protocol. */
export function turnEnd(error: AgentError | undefined): TurnEnd {
  if (error === undefined) return { reason: 'done' };
  const reason = REASONS[error.code];
  return reason === 'cancelled' ? { reason } : { reason, error: faultOf(error) };
}

/** What is shown of a turn that did not end well; one that was cancelled needs no words. */
export function turnEndBlock(error: AgentError): ContentBlock | undefined {
  const reason = REASONS[error.code];
  if (reason === 'cancelled') return undefined;
  const { code, message, fix } = faultOf(error);
  return reason === 'failed'
    ? { type: 'error', message, code, ...(fix === undefined ? {} : { fix }) }
    : { type: 'notice', text: fix === undefined ? message : `${message} ${fix}`, level: 'warning' };
}

function faultOf({ code, message, details }: AgentError): Fault {
  const provider = typeof details?.['code'] === 'string' ? details['code'] : undefined;
  const fix = FIXES[code] ?? (provider === undefined ? undefined : PROVIDER_FIXES[provider]);
  return { code: code === 'model' ? (provider ?? code) : code, message, ...(fix === undefined ? {} : { fix }) };
}
