import type { TurnEnd } from '@dragoman/protocol';
import { countIn, type Fields, textIn, textsIn } from '../../backend/fields.ts';
import { toFault } from '../../backend/to-fault.ts';
import { loginWanted, wantsLogin } from './describe-login.ts';

/** An error of the provider, as Claude Code told it in the place of an answer. */
export interface ApiError {
  /** Its own word for it: `rate_limit`. */
  kind: string | undefined;
  text: string;
}

const LIMITS: Readonly<Record<string, string>> = {
  error_max_turns: 'Claude Code made the most model calls that it may make for one prompt. Ask it to go on.',
  error_max_budget_usd: 'Claude Code spent as much as it may.',
};

const CODES: Readonly<Record<string, string>> = {
  rate_limit: 'rate-limited',
  billing_error: 'forbidden',
  invalid_request: 'bad-request',
  server_error: 'unavailable',
  overloaded: 'unavailable',
};

/** How a turn ended, by what Claude Code says of it and by the error it told before, if any. */
export function toTurnEnd(title: string, result: Fields, apiError: ApiError | undefined): TurnEnd {
  const subtype = textIn(result, 'subtype') ?? 'success';
  const limit = LIMITS[subtype];
  if (limit !== undefined) return { reason: 'limit', error: { code: 'limit', message: limit } };
  if (textIn(result, 'terminal_reason')?.startsWith('aborted') === true) return { reason: 'cancelled' };
  if (result['is_error'] !== true && subtype === 'success' && apiError === undefined)
    return { reason: textIn(result, 'stop_reason') === 'refusal' ? 'refused' : 'done' };
  const text = apiError?.text ?? errorText(result);
  const status = countIn(result, 'api_error_status');
  if (wantsLogin(text, apiError?.kind) || status === 401)
    return { reason: 'failed', error: toFault(loginWanted(title, text)) };
  const code = CODES[apiError?.kind ?? ''] ?? (status === 429 ? 'rate-limited' : 'unavailable');
  return { reason: 'failed', error: { code, message: `${title}: ${text}` } };
}

function errorText(result: Fields): string {
  const errors = textsIn(result, 'errors').filter(Boolean).join('; ');
  const status = countIn(result, 'api_error_status');
  const fallback = status === undefined ? 'the turn failed without a reason' : `the provider answered with ${status}`;
  return errors || textIn(result, 'result') || fallback;
}
