import type { RequestInfo } from '@dragoman/protocol/console';
import { optional } from '../optional.ts';
import type { UsageRecord } from './usage-record.ts';

/** Names that clients made up are cut here, in the log and in the store. */
export const MAX_NAME = 200;

/** A call as the log of requests shows it. Whose it was is told by name. */
export function toRequestInfo(record: UsageRecord): RequestInfo {
  const { usage, cost, firstEventMs } = record;
  return {
    id: record.id,
    at: record.at,
    userName: record.userName,
    tokenName: record.tokenName,
    dialect: record.dialect,
    route: record.route.slice(0, MAX_NAME),
    target: record.target.slice(0, MAX_NAME),
    isStreamed: record.isStreamed,
    ...optional('inputTokens', usage?.inputTokens),
    ...optional('outputTokens', usage?.outputTokens),
    ...optional('costDollars', cost === undefined ? undefined : Math.round(cost.dollars * 1_000_000) / 1_000_000),
    ...optional('firstEventMs', firstEventMs === undefined ? undefined : Math.round(firstEventMs)),
    totalMs: Math.round(record.totalMs),
    finishReason: record.finishReason,
    ...optional('errorCode', record.errorCode),
    attempts: record.attempts,
    redactions: record.redactions,
    repairs: record.repairs,
    ...optional('failures', record.failures && [...record.failures]),
  };
}
