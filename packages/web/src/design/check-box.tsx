import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

interface CheckBoxProps extends Omit<ComponentProps<'input'>, 'type' | 'ref'> {
  /** What it chooses: read out, and shown beside the pointer. */
  label: string;
  /** Some of what it stands for is chosen. */
  isPartly?: boolean;
}

/** A box to tick without words of its own, with room around it for who presses it. */
export function CheckBox({ label, isPartly = false, className, ...rest }: CheckBoxProps) {
  return (
    <label className={classNames('flex size-8 shrink-0 items-center justify-center', className)}>
      <input
        type="checkbox"
        aria-label={label}
        title={label}
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartly;
        }}
        {...rest}
        className="size-4 accent-accent pointer-coarse:size-5"
      />
    </label>
  );
}
