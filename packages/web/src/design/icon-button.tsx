import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';
import { tooltip } from './tooltip.ts';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** What it does: read out, and shown beside the pointer. */
  label: string;
  icon: ReactNode;
  isBusy?: boolean;
  isPressed?: boolean;
}

/** A button without words on it; it has them all the same. */
export function IconButton({ label, icon, isBusy = false, isPressed, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...tooltip(label)}
      {...rest}
      aria-label={label}
      aria-pressed={isPressed}
      disabled={rest.disabled === true || isBusy}
      className={classNames(
        'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-soft transition-colors hover:bg-hover hover:text-ink disabled:opacity-50',
        isPressed === true && 'bg-accent-wash text-accent',
        className,
      )}
    >
      {isBusy ? <Spinner /> : icon}
    </button>
  );
}
