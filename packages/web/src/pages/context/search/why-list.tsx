import type { RankedPlace } from '@dragoman/protocol/console';
import { useFormats } from '../../../words/formats.ts';
import { searchWords } from './search-words.ts';

/** What spoke for a place or against it, each with its share. */
export function WhyList({ why }: { why: RankedPlace['why'] }) {
  const words = searchWords.use();
  const formats = useFormats();
  const titles: Readonly<Record<string, string>> = words.reasons;
  const strongest = Math.max(...why.map(({ weight }) => Math.abs(weight)), Number.MIN_VALUE);
  return (
    <ul className="flex flex-col gap-1.5 text-xs">
      {why.map(({ reason, title, detail, weight }) => (
        <li key={reason} className="grid grid-cols-[minmax(0,1fr)_5rem_3rem] items-center gap-x-3">
          <span className="contained">
            {titles[reason] ?? title}
            {detail !== undefined && <span className="font-mono text-faint">{` ${words.detail(reason, detail)}`}</span>}
            {weight < 0 && <span className="text-bad">{` · ${words.against}`}</span>}
          </span>
          <span aria-hidden className="block h-1.5 overflow-hidden rounded-full bg-hover">
            <span
              className={weight < 0 ? 'block h-full bg-bad' : 'block h-full bg-accent'}
              style={{ width: `${(Math.abs(weight) / strongest) * 100}%` }}
            />
          </span>
          <span className="text-right text-soft tabular-nums">
            {weight < 0 ? '−' : '+'}
            {formats.percent(Math.abs(weight))}
          </span>
        </li>
      ))}
    </ul>
  );
}
