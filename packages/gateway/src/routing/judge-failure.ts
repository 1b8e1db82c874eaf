import type { DragomanError } from '@dragoman/protocol';
import { RefusedCall } from '../policy/refused-call.ts';
import { ProviderRefusal } from '../upstreams/upstream-error.ts';

/** How a call that found no answer counts for the target that was asked. */
export type Verdict =
  /** The target is up: it refused this call, and may take the next. */
  | { kind: 'answered' }
  /** Nothing was learned about it. */
  | { kind: 'unknown' }
  | TargetFailure;

export interface TargetFailure {
  kind: 'failed';
  /** Nobody can be reached there, so its other models rest as well. */
  isOfProvider: boolean;
  /** How long it rests after the first failure. */
  restMs: number;
  /** How long the provider asked to be left alone. */
  askedMs: number | undefined;
  /** It may be over in a moment, and the call was certainly not answered: the same target may be asked once more. */
  isPassing: boolean;
}

/** A provider that asks for no more than this is asked again within the same call. */
const SHORT_WAIT_MS = 2_000;

/** No connection came about. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** A connection was lost before the answer began. */
const LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** What an error that came before the answer says about its target. What is wrong with the call itself says nothing bad about it. */
export function judgeFailure(error: DragomanError): Verdict {
  if (error instanceof RefusedCall || error.code === 'cancelled' || error.code === 'internal')
    return { kind: 'unknown' };
  const askedMs = error.retryAfterMs;
  const status = error instanceof ProviderRefusal ? error.status : undefined;
  const lower = causeCode(error);
  const isOfProvider = UNREACHABLE.has(lower);
  const isShort = askedMs !== undefined && askedMs <= SHORT_WAIT_MS;
  switch (error.code) {
    case 'rate-limited':
      return { kind: 'failed', isOfProvider, restMs: 10_000, askedMs, isPassing: isShort };
    case 'unavailable': {
      const hasFailed = (status !== undefined && status >= 500) || LOST.has(lower);
      const isPassing = hasFailed && (askedMs === undefined || isShort);
      return { kind: 'failed', isOfProvider, restMs: 5_000, askedMs, isPassing };
    }
    // Whether the provider still works on it is not known, so it is not asked twice.
    case 'timed-out':
      return { kind: 'failed', isOfProvider, restMs: 30_000, askedMs, isPassing: false };
    // Its key was refused, and it had no other.
    case 'forbidden':
      return { kind: 'failed', isOfProvider, restMs: 60_000, askedMs, isPassing: false };
    default:
      return { kind: 'answered' };
  }
}

/** What the network said, however deep it lies. */
function causeCode(error: DragomanError): string {
  let told: unknown = error.cause;
  for (let depth = 0; told instanceof Error && depth < 4; depth++, told = told.cause) {
    const { code } = told as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return '';
}
