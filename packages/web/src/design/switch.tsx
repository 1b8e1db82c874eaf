import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface SwitchProps {
  label: string;
  about?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isDisabled?: boolean;
}

/** On or off, at once. */
export function Switch({ label, about, isOn, onChange, isDisabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-3 py-1 pointer-coarse:py-3">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        {about !== undefined && (
          <p id={`${id}-about`} className="text-xs text-faint">
            {about}
          </p>
        )}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        aria-label={label}
        aria-checked={isOn}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        disabled={isDisabled}
        onClick={() => onChange(!isOn)}
        className={classNames(
          'reach mt-0.5 inline-flex h-5 w-9 shrink-0 items-center rounded-full border p-0.5 transition-colors disabled:opacity-50',
          isOn ? 'justify-end border-accent bg-accent' : 'justify-start border-line-strong bg-hover',
        )}
      >
        <span className={classNames('size-3.5 rounded-full', isOn ? 'bg-on-accent' : 'bg-faint')} />
      </button>
    </div>
  );
}
