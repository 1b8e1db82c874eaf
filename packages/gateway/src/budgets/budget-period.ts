import type { BudgetPeriod } from './budget-config.ts';

/** A stretch of the calendar, in UTC: from `startsAt` on, until just before `endsAt`. */
export interface Period {
  startsAt: number;
  endsAt: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** 1970 began on a Thursday, its first week on the Monday before. */
const FIRST_MONDAY = -3 * DAY_MS;

/** The period that a moment lies in. */
export function periodAt(per: BudgetPeriod, at: number): Period {
  if (per === 'month') {
    const date = new Date(at);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { startsAt: Date.UTC(year, month, 1), endsAt: Date.UTC(year, month + 1, 1) };
  }
  if (per === 'week') return multipleOf(WEEK_MS, at, FIRST_MONDAY);
  return multipleOf(per === 'day' ? DAY_MS : HOUR_MS, at, 0);
}

function multipleOf(lengthMs: number, at: number, from: number): Period {
  const startsAt = Math.floor((at - from) / lengthMs) * lengthMs + from;
  return { startsAt, endsAt: startsAt + lengthMs };
}
