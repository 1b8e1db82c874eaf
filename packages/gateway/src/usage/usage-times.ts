import type { ZoneClock } from './zone-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Clocks differ from UTC by less than this. */
const MOST_OFFSET_MS = 26 * HOUR_MS;

/** An hour or a day as a clock shows it, from its first moment up to the next one's. */
export interface UsageTime {
  /** `2026-03-29`, or `2026-03-29T03:00+02:00`: where clocks are put back, an hour comes twice. */
  key: string;
  from: number;
  to: number;
}

/**
 * When the last days begin: at midnight of the first of them, today being the last. One day is the last 24 hours, from the
 * beginning of an hour.
 */
export function beginOf(days: number, now: number, clock: ZoneClock): number {
  if (days === 1) return hourAt(now - 23 * HOUR_MS, clock).from;
  return beginOfDay(dayAt(now, clock) - (days - 1), clock);
}

/** The hours from a moment until now, the oldest first. An hour in which clocks are put on or back ends then. */
export function hoursSince(begin: number, now: number, clock: ZoneClock): UsageTime[] {
  const hours: UsageTime[] = [];
  for (let at = begin; at <= now; at = hours.at(-1)!.to) hours.push(hourAt(at, clock));
  return hours;
}

/** The days from a moment until now, the oldest first. They have 23 or 25 hours where clocks are put on or back. */
export function daysSince(begin: number, now: number, clock: ZoneClock): UsageTime[] {
  const days: UsageTime[] = [];
  for (let at = begin; at <= now; at = days.at(-1)!.to) {
    const day = dayAt(at, clock);
    const to = Math.max(at + 1, beginOfDay(day + 1, clock));
    days.push({ key: new Date(day * DAY_MS).toISOString().slice(0, 10), from: at, to });
  }
  return days;
}

function hourAt(at: number, clock: ZoneClock): UsageTime {
  const offset = clock.offsetAt(at);
  const hour = Math.floor((at + offset) / HOUR_MS);
  const isOther = (moment: number) => clock.offsetAt(moment) !== offset;
  const [begin, end] = [hour * HOUR_MS - offset, (hour + 1) * HOUR_MS - offset];
  return {
    key: `${new Date(hour * HOUR_MS).toISOString().slice(0, 16)}${tellOffset(offset)}`,
    from: isOther(begin) ? firstMoment(begin, at, (moment) => !isOther(moment)) : begin,
    to: isOther(end - 1) ? firstMoment(at, end - 1, isOther) : end,
  };
}

/** The number of the day that a calendar shows. */
function dayAt(at: number, clock: ZoneClock): number {
  return Math.floor(clock.wallAt(at) / DAY_MS);
}

/** Midnight, or what comes in its place on a day whose clocks are put on then. */
function beginOfDay(day: number, clock: ZoneClock): number {
  const midnight = day * DAY_MS;
  const likely = midnight - clock.offsetAt(midnight - clock.offsetAt(midnight));
  if (clock.wallAt(likely) === midnight && dayAt(likely - 1, clock) < day) return likely;
  return firstMoment(midnight - MOST_OFFSET_MS, midnight + MOST_OFFSET_MS, (at) => dayAt(at, clock) >= day);
}

/** The first moment after `from`, and `until` at the latest, at which `isThere` holds; once it does it goes on to. */
function firstMoment(from: number, until: number, isThere: (at: number) => boolean): number {
  let [before, there] = [from, until];
  while (there - before > 1) {
    const middle = Math.floor((before + there) / 2);
    if (isThere(middle)) there = middle;
    else before = middle;
  }
  return there;
}

function tellOffset(offset: number): string {
  const minutes = Math.abs(Math.round(offset / 60_000));
  const two = (number: number) => String(number).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
