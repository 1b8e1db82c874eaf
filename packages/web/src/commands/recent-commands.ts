import type { Option } from '../options/option.ts';

const KEY = 'commands.recent';
const MOST = 4;

/** The ids of what was chosen last, the latest first. */
export function recentIds(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Notes that one was chosen. */
export function noteRecent(id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([id, ...recentIds().filter((one) => one !== id)].slice(0, MOST)));
  } catch {
    // The browser keeps nothing: then nothing is recent.
  }
}

/** What was chosen lately comes first, below a heading of its own, but for what belongs to the place somebody is at. */
export function recentFirst(
  options: readonly Option[],
  ids: readonly string[],
  { recent, here }: { recent: string; here: string },
): Option[] {
  const isRecent = ({ id, group }: Option) => group !== here && ids.includes(id);
  const latest = options.filter(isRecent).toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  return [
    ...options.filter(({ group }) => group === here),
    ...latest.map((option) => ({ ...option, group: recent })),
    ...options.filter((option) => option.group !== here && !isRecent(option)),
  ];
}
