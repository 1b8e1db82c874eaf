import { DragomanError, type Fault, type TurnEnd } from '@dragoman/protocol';
import { type Fields, textIn, toFields } from '../../backend/fields.ts';
import { FixableError } from '../../backend/fixable-error.ts';
import { JsonRpcError } from '../../backend/json-rpc.ts';
import { CODEX_PRESET } from './codex-agent.ts';

const WANTS_LOGIN =
  /\b(codex login|not logged in|log ?in (again|required)|sign in again|token_expired|refresh token|401 unauthorized|invalid_api_key|incorrect api key|missing bearer)\b/i;

/** What its own words for what went wrong mean here. */
const CODES: Readonly<Record<string, string>> = {
  usageLimitExceeded: 'rate-limited',
  sessionBudgetExceeded: 'rate-limited',
  contextWindowExceeded: 'context-overflow',
  badRequest: 'bad-request',
  sandboxError: 'internal',
};
const LIMITS: ReadonlySet<string> = new Set(['contextWindowExceeded', 'sessionBudgetExceeded']);
const REFUSALS: ReadonlySet<string> = new Set(['cyberPolicy', 'misalignmentPolicyViolation']);

/** Codex wants a login, told with what to do about it. */
export function loginWanted(title: string): FixableError {
  const message = `${title} wants a login; log in on that machine with: ${CODEX_PRESET.login}`;
  return new FixableError('unauthenticated', message, CODEX_PRESET.login);
}

/** How a turn ended that failed, by the error that Codex tells. */
export function toFailedTurn(title: string, error: Fields): TurnEnd {
  const kind = errorKind(error);
  const message = errorText(error);
  if (kind === 'unauthorized' || WANTS_LOGIN.test(message)) {
    const login = loginWanted(title);
    return { reason: 'failed', error: { code: login.code, message: `${login.message} (${message})`, fix: login.fix } };
  }
  const reason = LIMITS.has(kind) ? 'limit' : REFUSALS.has(kind) ? 'refused' : 'failed';
  return { reason, error: { code: CODES[kind] ?? 'unavailable', message: `${title}: ${message}` } };
}

/** What an error says, with its details where they say more. */
export function errorText(error: Fields): string {
  const [message, details] = [textIn(error, 'message'), textIn(error, 'additionalDetails')];
  const told = [message, details === message ? undefined : details].filter(Boolean).join(': ');
  return told || 'it failed without a reason';
}

/** What Codex answered to a request of ours, as an error for people; anything else stays as it is. */
export function toRefusal(title: string, what: string, error: unknown): unknown {
  if (!(error instanceof JsonRpcError)) return error;
  if (WANTS_LOGIN.test(error.message)) return loginWanted(title);
  const isForgotten = /no rollout found|(thread|conversation|session)\b.*\bnot found/i.test(error.message);
  const code = isForgotten ? 'not-found' : 'unavailable';
  return new DragomanError(code, `${title} could not ${what}: ${error.message}`, { cause: error });
}

/** Whatever went wrong in a turn, for people. */
export function toTurnFault(title: string, error: unknown): Fault {
  const told = toRefusal(title, 'take the prompt', error);
  if (told instanceof FixableError) return { code: told.code, message: told.message, fix: told.fix };
  if (told instanceof DragomanError) return { code: told.code, message: told.message };
  return { code: 'internal', message: told instanceof Error ? told.message : String(told) };
}

/** Its own word for what went wrong, which may have more to say beside it. */
function errorKind(error: Fields): string {
  const info = error['codexErrorInfo'];
  return typeof info === 'string' ? info : (Object.keys(toFields(info))[0] ?? '');
}
