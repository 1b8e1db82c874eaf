import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol';
import { Api, GrammyError, HttpError, type RawApi } from 'grammy';
import { DeliveryError, type DeliveryProblem } from '../channels/delivery-error.ts';
import { callPace } from './call-pace.ts';
import { botOf } from './message-id.ts';

/** A call that has no answer by then has none. */
const CALL_SECONDS = 20;
/** For files, and for waiting for news, which takes 30 seconds when there is none. */
const SLOW_SECONDS = 90;

const SLOW = new Set(['getUpdates', 'sendPhoto', 'sendDocument']);

type Method = keyof RawApi;
type Payload<M extends Method> =
  Parameters<RawApi[M]> extends [signal?: infer Signal]
    ? Signal extends { aborted: boolean } | undefined
      ? object
      : never
    : NonNullable<Parameters<RawApi[M]>[0]>;

/** Calls the Bot API: paced, with a time limit. What fails does so with a `TelegramCallError`. */
export interface TelegramApi {
  /** The bot that calls. */
  readonly botId: number;
  call<M extends Method>(method: M, payload: Payload<M>, signal: AbortSignal): Promise<Awaited<ReturnType<RawApi[M]>>>;
}

/** The Bot API at an address. What goes wrong is told without the address: the token is in it. */
export function telegramApi(token: string, apiUrl: string, callSeconds: number = CALL_SECONDS): TelegramApi {
  const apiRoot = apiUrl.replace(/\/+$/, '');
  const quick = new Api(token, { apiRoot, timeoutSeconds: callSeconds });
  const slow = new Api(token, { apiRoot, timeoutSeconds: SLOW_SECONDS });
  const admit = callPace();
  return {
    botId: botOf(token),
    async call(method, payload, signal) {
      if (method !== 'getUpdates') await admit(signal);
      const raw = (SLOW.has(method) ? slow : quick).raw as unknown as Record<
        string,
        (...args: unknown[]) => Promise<never>
      >;
      try {
        return await (NO_PAYLOAD.has(method) ? raw[method]!(signal) : raw[method]!(payload, signal));
      } catch (error) {
        signal.throwIfAborted();
        throw toCallError(error);
      }
    },
  };
}

/** grammY takes nothing but the signal for these. */
const NO_PAYLOAD = new Set(['getMe', 'getWebhookInfo']);

/** What Telegram said no with. */
export interface ApiRefusal {
  code: number;
  text: string;
  retryAfterMs: number | undefined;
  movedTo: number | undefined;
}

/** A call that failed. Of what grammY says of it only this is kept: its errors hold the address with the token, and all that was sent. */
export class TelegramCallError extends DragomanError {
  override readonly name = 'TelegramCallError';
  /** What Telegram answered, where an answer came. */
  readonly refusal: ApiRefusal | undefined;
  /** What the network said, where it said something. */
  readonly networkCode: string | undefined;

  constructor(
    message: string,
    { refusal, networkCode }: { refusal?: ApiRefusal | undefined; networkCode?: string | undefined },
  ) {
    super(refusal === undefined ? 'unavailable' : codeOf(refusal), message, {
      isRetryable: refusal === undefined || refusal.code === 429 || refusal.code >= 500,
      ...(refusal?.retryAfterMs !== undefined && { retryAfterMs: refusal.retryAfterMs }),
    });
    this.refusal = refusal;
    this.networkCode = networkCode;
  }
}

function codeOf({ code }: ApiRefusal): DragomanErrorCode {
  if (code === 429) return 'rate-limited';
  return code >= 500 ? 'unavailable' : 'bad-request';
}

function toCallError(error: unknown): TelegramCallError {
  if (error instanceof GrammyError) {
    const { error_code: code, description: text, parameters } = error;
    const { retry_after, migrate_to_chat_id: movedTo } = parameters;
    const retryAfterMs = retry_after === undefined ? undefined : retry_after * 1000;
    return new TelegramCallError(`Telegram said: ${text}`, { refusal: { code, text, retryAfterMs, movedTo } });
  }
  const networkCode = networkCodeOf(error);
  const reason = networkCode === undefined ? '' : ` (${networkCode})`;
  const message = error instanceof HttpError ? 'Telegram did not answer' : 'The call to Telegram failed';
  return new TelegramCallError(`${message}${reason}.`, { networkCode });
}

/** What Telegram answered, where an answer came. */
export function refusalOf(error: unknown): ApiRefusal | undefined {
  return error instanceof TelegramCallError ? error.refusal : undefined;
}

const isText = (...parts: readonly string[]) => {
  const pattern = new RegExp(parts.join('|'), 'i');
  return ({ code, text }: ApiRefusal) => code === 400 && pattern.test(text);
};

/** The message says this already. */
export const isSame = isText('message is not modified');
/** There is no such message of ours. */
const isGone = isText('message to edit not found', "message can't be edited", 'MESSAGE_ID_INVALID');
const isClosed = isText(
  'chat not found',
  'thread not found',
  'TOPIC_(?:CLOSED|DELETED)',
  'not enough rights',
  'have no rights',
  'CHAT_WRITE_FORBIDDEN',
  'PEER_ID_INVALID',
  'group chat was (?:deactivated|deleted)',
  'need administrator rights',
);

/**
 * What a failure means for a delivery. An edit may be repeated, so no answer to it means only that it is tried again; of a
 * message that was sent nobody knows whether it arrived.
 */
export function toDeliveryError(error: unknown, mayRepeat: boolean): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return new DeliveryError(problemOf(refusal, mayRepeat), `Telegram said: ${refusal.text}`);
  const { networkCode = '', message = 'The call to Telegram failed.' } =
    error instanceof TelegramCallError ? error : {};
  const surely = NEVER_SENT.has(networkCode);
  return new DeliveryError(mayRepeat || surely ? { type: 'later' } : { type: 'uncertain' }, message);
}

function problemOf(refusal: ApiRefusal, mayRepeat: boolean): DeliveryProblem {
  const { code, retryAfterMs } = refusal;
  if (code === 429) return { type: 'later', afterMs: retryAfterMs ?? 5000 };
  if (code === 401 || code === 404) return { type: 'revoked' };
  if (code === 403) return { type: 'closed' };
  if (code >= 500) return mayRepeat ? { type: 'later' } : { type: 'uncertain' };
  if (isGone(refusal)) return { type: 'gone' };
  return isClosed(refusal) ? { type: 'closed' } : { type: 'refused' };
}

/** The connection was not even made. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
]);

function networkCodeOf(error: unknown): string | undefined {
  const inner: unknown = error instanceof HttpError ? error.error : error;
  const code = typeof inner === 'object' && inner !== null ? (inner as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
