const DAY_MS = 86_400_000;

/** How many days are looked at; 1 is the last 24 hours. */
export const USAGE_RANGES = ['1', '7', '30', '90'] as const;
export type UsageRange = (typeof USAGE_RANGES)[number];

/** The shortest range that holds all there is, and a month where there is more. */
export function fittingRange(firstAt: number | undefined, now: number): UsageRange {
  const age = firstAt === undefined ? 0 : now - firstAt;
  return age < DAY_MS ? '1' : age < 7 * DAY_MS ? '7' : '30';
}

/** What the bars of a range are: few enough to be seen, and enough to tell something. */
export function unitOf(range: UsageRange): 'hour' | 'day' {
  return range === '1' ? 'hour' : 'day';
}

/** The zone of who looks, by its IANA name. */
export function viewersZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return timeZone === undefined || !/^[a-z]/i.test(timeZone) || timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}
