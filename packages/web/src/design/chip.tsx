import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useCommonWords } from '../words/common-words.ts';
import { classNames } from './class-names.ts';

interface ChipProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** What is chosen by it. */
  label: string;
  /** What is chosen. */
  text: string;
  icon: ReactNode;
  /** What is chosen cannot be used. */
  isWrong?: boolean | undefined;
  /** It is on or off by itself, and opens nothing. */
  isPressed?: boolean | undefined;
}

/** One choice among several, small: it says what is chosen, and opens the others. */
export function Chip({ label, text, icon, isWrong = false, isPressed, className, ...rest }: ChipProps) {
  const common = useCommonWords();
  return (
    <button
      type="button"
      title={common.named(label, text)}
      {...rest}
      aria-label={isPressed === undefined ? common.named(label, text) : label}
      aria-pressed={isPressed}
      className={classNames(
        'inline-flex h-8 max-w-60 min-w-0 items-center gap-1.5 rounded-full border px-2.5 text-sm transition-colors pointer-coarse:px-3',
        isWrong
          ? 'border-bad text-bad hover:bg-bad-wash'
          : isPressed === true
            ? 'border-accent bg-accent-wash text-accent-strong'
            : 'border-line-strong text-soft hover:bg-hover hover:text-ink',
        className,
      )}
    >
      <span className="flex shrink-0">{icon}</span>
      <span className="contained truncate">{text}</span>
      {isPressed === undefined && <ChevronDown size={13} aria-hidden className="shrink-0 text-faint" />}
    </button>
  );
}
