import { DragomanError, type ModelCall, newId } from '@dragoman/protocol';
import type { CallFailure } from '@dragoman/protocol/console';
import { type Caller, isTracing, isTracingContents } from '@dragoman/server/base';
import type { Reservation } from '../budgets/budgets.ts';
import { optional } from '../optional.ts';
import { RefusedCall } from '../policy/refused-call.ts';
import { type Target, targetName } from '../routing/target.ts';
import type { CallBook } from './call-book.ts';
import { callFailure } from './call-failure.ts';
import type { AnswerMeasure } from './meter-answer.ts';
import { priceUsage } from './price-usage.ts';
import { describeContents } from './trace-contents.ts';
import { describeModelCall } from './trace-model-call.ts';
import { estimateUsage } from './estimate-usage.ts';
import type { UsageRecord } from './usage-record.ts';

/** Whose call it is. */
export type CallOwner = Pick<Caller, 'userId' | 'userName' | 'tokenName'> & Partial<Pick<Caller, 'tokenId' | 'role'>>;

/** A call of which nothing more will come. */
export interface EndedCall {
  caller: CallOwner;
  dialect: string;
  /** The name that was asked for. */
  route: string;
  /** The last one that was tried. */
  target: Target | undefined;
  attempts: number;
  /** Why targets did not answer. */
  failures?: readonly CallFailure[];
  isStreamed: boolean;
  /** By the clock that `performance.now` reads. */
  startedAt: number;
  measure: AnswerMeasure;
  /** What was asked, for traces that tell it. Undefined where that cannot be said. */
  prompt?: () => ModelCall['prompt'] | undefined;
  /** About how many tokens were sent; asked only where nobody told. Without it, such calls count nothing. */
  sentTokens?: () => number;
  /** What ended it, where that is not part of the answer. */
  error: unknown;
  /** Whoever asked did not wait for the end. */
  isCancelled: boolean;
  redactions: number;
  repairs: number;
  /** Made where budgets apply. */
  reservation: Reservation | undefined;
}

/** Notes a call that has ended, for good and for whoever watches: who, where and how much; never what was said. */
export function noteCall(book: CallBook, ended: EndedCall): void {
  const { caller, target, startedAt, measure, error } = ended;
  const { usage, firstEventAt } = measure;
  const hasFailed = error !== undefined;
  book.calls.finished();
  const record: UsageRecord = {
    id: newId('call'),
    at: Date.now(),
    userId: caller.userId,
    userName: caller.userName,
    tokenName: caller.tokenName,
    dialect: ended.dialect,
    route: ended.route,
    target: target === undefined ? '' : targetName(target),
    isStreamed: ended.isStreamed,
    usage,
    cost: priceUsage(usage, target),
    firstEventMs: firstEventAt === undefined ? undefined : firstEventAt - startedAt,
    totalMs: performance.now() - startedAt,
    finishReason: ended.isCancelled ? 'cancelled' : hasFailed ? 'error' : (measure.finishReason ?? 'other'),
    errorCode: hasFailed ? codeOf(error) : measure.errorCode,
    isRefused: error instanceof RefusedCall,
    repairs: ended.repairs,
    redactions: ended.redactions,
    attempts: ended.attempts,
    ...optional('failures', failuresOf(ended)),
    ...(ended.reservation === undefined
      ? {}
      : { budgets: ended.reservation.keys, ...optional('estimate', estimateUsage(ended)) }),
  };
  if (isTracing()) describeModelCall(record, target);
  if (isTracingContents()) describeContents(ended.prompt?.(), measure.said?.answer, target);
  book.usageLog.add(record);
}

/** What went wrong at its targets, what broke its answer off with them. */
function failuresOf({ failures = [], target, measure, startedAt }: EndedCall): readonly CallFailure[] | undefined {
  const { brokeOff } = measure;
  if (brokeOff === undefined || target === undefined) return failures.length === 0 ? undefined : failures;
  return [...failures, callFailure(target, brokeOff, performance.now() - startedAt)];
}

function codeOf(error: unknown): string {
  return error instanceof DragomanError ? error.code : 'internal';
}
