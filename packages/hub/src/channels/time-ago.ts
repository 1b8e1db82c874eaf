import type { Language } from './channel.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago something was, in words; nothing for what was less than a minute ago. */
export function timeAgo(ms: number, language: Language): string | undefined {
  const [unit, length] = UNITS.find((one) => ms >= one[1]) ?? [];
  if (unit === undefined || length === undefined) return undefined;
  return new Intl.RelativeTimeFormat(language).format(-Math.floor(ms / length), unit);
}
