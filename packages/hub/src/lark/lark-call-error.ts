import { DeliveryError, type DeliveryProblem } from '../channels/delivery-error.ts';

/** A call that Lark did not answer, or not with yes. It carries numbers only: Lark's own words may repeat what was sent. */
export class LarkCallError extends Error {
  override readonly name = 'LarkCallError';
  /** Lark's code, where there was an answer with one. */
  readonly code: number | undefined;
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** After how long Lark wants to be asked again. */
  readonly afterMs: number | undefined;
  /** It surely never reached Lark. */
  readonly isUnsent: boolean;
  /** A card that a person is pressing something in right now. */
  readonly isLocked: boolean;
  /** What was to be downloaded is larger than was asked for. */
  readonly isTooLarge: boolean;
  /** The scopes of which Lark wants one, where that is why. */
  readonly scopes: readonly string[];

  constructor(
    message: string,
    found: {
      code?: number | undefined;
      status?: number | undefined;
      afterMs?: number | undefined;
      isUnsent?: boolean;
      isLocked?: boolean;
      isTooLarge?: boolean;
      scopes?: readonly string[];
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: found.cause });
    this.code = found.code;
    this.status = found.status;
    this.afterMs = found.afterMs;
    this.isUnsent = found.isUnsent ?? false;
    this.isLocked = found.isLocked ?? false;
    this.isTooLarge = found.isTooLarge ?? false;
    this.scopes = found.scopes ?? [];
  }
}

/** Lark's code of a failed call, if it is one. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof LarkCallError ? error.code : undefined;
}

/** The token of the app is not taken (any more); a new one may be. */
export function isTokenRefused(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && TOKEN_REFUSED.has(code);
}

/** What was being done: making a card that nobody sees yet, sending a message, or changing one. */
export type DeliveryStep = 'make' | 'send' | 'change';

/**
 * What a failed call means for a post.
 *
 * Sending is the only step after which nobody knows whether there is a message now. A card that was made is not seen by
 * anybody, and a change says the whole state, so both may simply be done again.
 */
export function toDeliveryError(error: unknown, step: DeliveryStep): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const cause = { cause: error };
  if (!(error instanceof LarkCallError)) {
    return new DeliveryError(lost(step), error instanceof Error ? error.message : 'The call to Lark failed.', cause);
  }
  return new DeliveryError(problemOf(error, step), error.message, cause);
}

function problemOf(error: LarkCallError, step: DeliveryStep): DeliveryProblem {
  const { code, status } = error;
  if (error.isUnsent) return { type: 'later' };
  if (error.isLocked || status === 429 || (code !== undefined && LATER.has(code)))
    return { type: 'later', afterMs: error.afterMs ?? SOON_MS };
  if (code !== undefined && (TOKEN_REFUSED.has(code) || REVOKED.has(code))) return { type: 'revoked' };
  if (code !== undefined && GONE.has(code)) return { type: 'gone' };
  if (code !== undefined && CLOSED.has(code)) return { type: 'closed' };
  if (status === undefined || status >= 500 || code === undefined || BROKEN.has(code)) return lost(step);
  return { type: 'refused' };
}

function lost(step: DeliveryStep): DeliveryProblem {
  return step === 'send' ? { type: 'uncertain' } : { type: 'later' };
}

/** Where Lark does not say when. */
const SOON_MS = 1000;
/** Too much at once, the same message on its way already, or a card in which somebody is pressing a button. */
const LATER = new Set([99991400, 11232, 11233, 11247, 230020, 230049, 200810]);
/** Lark's own trouble, or what was tried to mend and did not hold: the order of changes, the streaming mode. */
const BROKEN = new Set([1, 300120, 300317, 300309, 200850]);
const TOKEN_REFUSED = new Set([99991661, 99991663, 99991664, 99991665, 99991668, 99991671, 99991677]);
/** The app: wrong id or secret, switched off, without the bot, not installed. */
const REVOKED = new Set([10003, 10005, 10012, 10013, 10014, 10015, 99991662, 99991673, 230006]);
/** The card or the message: not there, past its 14 days, of another app, recalled, deleted. */
const GONE = new Set([200740, 200750, 300311, 230011, 230110, 231003, 230019]);
/** The chat: the bot is not in it, was muted or blocked, the person left, the group is dissolved. */
const CLOSED = new Set([
  230002, 230013, 230018, 230027, 230029, 230034, 230035, 230038, 230053, 230054, 230075, 232009, 232011,
]);
