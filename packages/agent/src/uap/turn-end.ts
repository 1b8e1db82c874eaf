import type { AgentError, ContentBlock, Fault, TurnEnd } from '@dragoman/protocol';

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
  budget: 'Say "go on" for another turn; agent.budget in dragoman.json is how much one may use.',
  'context-overflow': 'Start a new session, or choose a model with a larger context.',
  'output-limit': 'Say "go on", or ask for smaller steps.',
  loop: 'Say what should be done differently, and it goes on.',
  'content-filter': 'Say it in other words, or choose another model.',
  'timed-out': 'Try again; agent.timeouts in dragoman.json is how long the model may be silent.',
  internal: 'Try again; the log of the runner says more.',
};

/** What a provider refused, by the code of its error. */
const PROVIDER_FIXES: Readonly<Record<string, string>> = {
  unauthenticated: 'Check the apiKey of the provider in dragoman.json.',
  forbidden: 'Check what the apiKey of the provider may use, or choose another model.',
  'not-found': 'Choose another model, or name this one under providers in dragoman.json.',
  'rate-limited': 'Wait a while and try again, or choose another model.',
  unavailable: 'Try again, or choose another model.',
};

/** How a turn ended, in the words of the protocol. */
export function turnEnd(error: AgentError | undefined): TurnEnd {
  if (error === undefined) return { reason: 'done' };
  const reason = REASONS[error.code];
  return reason === 'cancelled' ? { reason } : { reason, error: faultOf(error) };
}

/** What is shown of a turn that did not end well; one that was called off needs no words. */
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
