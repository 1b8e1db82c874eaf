import { FixableError } from '../../backend/fixable-error.ts';
import { CLAUDE_PRESET } from './claude-agent.ts';

/** The kinds of errors, as Claude Code marks its messages with them, that only a login helps against. */
const LOGIN_ERRORS: ReadonlySet<string> = new Set(['authentication_failed', 'oauth_org_not_allowed']);

/** Releases that do not mark them say it in words. */
const WANTS_LOGIN =
  /please run \/login|run `?claude (auth )?login|not logged in|invalid (api key|authentication|bearer token)|oauth token (has )?(expired|been revoked|revoked)|authentication_error|fix external api key/i;

/** Whether Claude Code refuses because nobody is logged in. */
export function wantsLogin(text: string, errorKind?: string): boolean {
  return LOGIN_ERRORS.has(errorKind ?? '') || WANTS_LOGIN.test(text);
}

/** Whether Claude Code says that it has no such conversation, be it that it was removed or made on another machine. */
export function isForgotten(text: string): boolean {
  return /no conversation found/i.test(text);
}

/** Claude Code wants a login, told with what to do about it. */
export function loginWanted(title: string, said: string): FixableError {
  const message = `${title} wants a login (${said.trim()}); log in on that machine with: ${CLAUDE_PRESET.login}`;
  return new FixableError('unauthenticated', message, CLAUDE_PRESET.login);
}
