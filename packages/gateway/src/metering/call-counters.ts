import type { Counter } from 'prom-client';
import type { CallWatch } from './call-watch.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';

/** What a server counted since it started. */
export interface CallCounters {
  since: number;
  calls: number;
  failed: number;
  limited: number;
  refused: number;
  blocked: number;
  redactions: number;
  repairs: number;
}

export async function countersOf({
  calls,
  metrics,
}: {
  calls: CallWatch;
  metrics: GatewayMetrics;
}): Promise<CallCounters> {
  return {
    since: calls.since,
    ...calls.counters,
    limited: await total(metrics.limited),
    blocked: await total(metrics.blocked),
    redactions: await total(metrics.redactions),
    repairs: await total(metrics.repairs),
  };
}

async function total(counter: Counter<string>): Promise<number> {
  const { values } = await counter.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}
