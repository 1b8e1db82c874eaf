import { DragomanError } from '@dragoman/protocol';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30d`, `12h` or a date, as a moment after now. */
export function parseExpiry(text: string, now: number): number {
  const span = /^(\d{1,4})([mhdw])$/.exec(text);
  const time = span === null ? parseDate(text) : now + Number(span[1]) * UNIT_MS[span[2]!]!;
  if (Number.isNaN(time))
    throw new DragomanError(
      'bad-request',
      `--expires: expected a duration such as 12h or 30d, or a date such as 2027-01-31, found ${JSON.stringify(text)}`,
    );
  if (time <= now) throw new DragomanError('bad-request', `--expires: ${text} is not in the future`);
  return time;
}

/** Dates as ISO writes them; what else `Date` would guess at is refused. */
function parseDate(text: string): number {
  if (
    Number.isNaN(Date.parse(text)) ||
    new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10) !== text.slice(0, 10)
  )
    return Number.NaN;
  return /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN;
}
