import type { UsageRow } from '@dragoman/protocol/console';
import { optional } from '../optional.ts';
import { Latencies } from './latencies.ts';

const AMOUNTS = [
  'calls',
  'errors',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'costMicros',
  'unpricedCalls',
  'redactions',
  'repairs',
] as const;

/** What is added up of calls. */
export type UsageAmounts = Record<(typeof AMOUNTS)[number], number>;

/** Calls, added up. */
export class UsageTally {
  readonly #sums: UsageAmounts = {
    calls: 0,
    errors: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costMicros: 0,
    unpricedCalls: 0,
    redactions: 0,
    repairs: 0,
  };
  readonly firstEvents = new Latencies();
  readonly totals = new Latencies();

  /** Takes sums as the store tells them: in PostgreSQL they are text, because they may be larger than any number. */
  add(amounts: Record<keyof UsageAmounts, number | string>): void {
    for (const name of AMOUNTS) this.#sums[name] += Number(amounts[name]);
  }

  merge(other: UsageTally): void {
    this.add(other.#sums);
    this.firstEvents.merge(other.firstEvents);
    this.totals.merge(other.totals);
  }

  toRow(key: string): UsageRow {
    const { costMicros, ...sums } = this.#sums;
    return {
      key,
      ...sums,
      ...optional('cacheShare', shareOf(sums.cacheReadTokens, sums.inputTokens)),
      costDollars: costMicros === 0 && sums.unpricedCalls > 0 ? null : costMicros / 1_000_000,
      ...optional('firstEventMs', this.firstEvents.told()),
      ...optional('totalMs', this.totals.told()),
    };
  }
}

/** With four digits, which is more than anybody compares. */
function shareOf(cacheReadTokens: number, inputTokens: number): number | undefined {
  return inputTokens === 0 ? undefined : Math.round(Math.min(1, cacheReadTokens / inputTokens) * 10_000) / 10_000;
}
