import type { UsageRecord } from './usage-record.ts';

/** A call of which only the time matters. */
export function usageRecord(at: number, changed: Partial<UsageRecord> = {}): UsageRecord {
  return {
    id: `call_${at}`,
    at,
    userId: 'usr_ada',
    userName: 'ada',
    tokenName: 'desk',
    dialect: 'openai-chat',
    route: 'default',
    target: 'fake/m',
    isStreamed: true,
    usage: { inputTokens: 10, outputTokens: 2 },
    cost: undefined,
    firstEventMs: 5,
    totalMs: 9,
    finishReason: 'stop',
    errorCode: undefined,
    isRefused: false,
    repairs: 0,
    redactions: 0,
    attempts: 1,
    ...changed,
  };
}
