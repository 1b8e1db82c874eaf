import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** What a colour means, everywhere. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'busy';

const TONES: Record<Tone, string> = {
  neutral: 'bg-hover text-soft',
  accent: 'bg-accent-wash text-accent-strong',
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  busy: 'bg-busy-wash text-busy',
};

/** A word or a number about something, in a colour that says the same. */
export function Badge({ tone = 'neutral', icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 text-2xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
