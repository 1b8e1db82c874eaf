import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

/** `primary`: the next thing to do, one to a place; `danger`: cannot be undone; `quiet`: among many. */
export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  size?: 'small' | 'usual';
  icon?: ReactNode;
  /** What was asked is under way: it cannot be asked twice. */
  isBusy?: boolean;
}

const LOOKS: Record<ButtonLook, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border-line-strong bg-panel text-ink hover:bg-hover',
  quiet: 'border-transparent bg-transparent text-soft hover:bg-hover hover:text-ink',
  danger: 'border-bad/50 bg-panel text-bad hover:bg-bad-wash',
};

/** The classes of a button, for links that look like one. */
export function buttonClasses(look: ButtonLook = 'plain', size: 'small' | 'usual' = 'usual'): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors select-none disabled:opacity-55',
    size === 'small' ? 'h-7 px-2.5 text-xs pointer-coarse:px-3 pointer-coarse:text-sm' : 'h-8 px-3 text-sm',
    LOOKS[look],
  );
}

/** A button with words on it. */
export function Button({ look, size, icon, isBusy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      className={classNames(buttonClasses(look, size), className)}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
