import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface FieldProps {
  label: string;
  /** What to put there, where the label does not say it. */
  hint?: ReactNode | undefined;
  /** What is wrong with what is there. */
  error?: string | undefined;
  /** The label is read out but not shown, where the place says it. */
  isLabelHidden?: boolean | undefined;
  className?: string | undefined;
}

const BOX =
  'w-full rounded-md border border-line-strong bg-panel px-2.5 text-sm text-ink placeholder:text-faint disabled:opacity-60 aria-invalid:border-bad pointer-coarse:text-lg';

/** The frame of an input: its label above, what is wrong below, tied together for who cannot see it. */
function Frame({
  id,
  label,
  hint,
  error,
  isLabelHidden,
  className,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={id} className={isLabelHidden === true ? 'sr-only' : 'text-xs font-medium text-soft'}>
        {label}
      </label>
      {children}
      {error !== undefined ? (
        <p id={`${id}-note`} role="alert" className="text-xs text-bad">
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p id={`${id}-note`} className="text-xs text-faint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** What of its properties is the frame's, and what is the input's; the two are tied by an id. */
function useField<Input extends { id?: string | undefined }>(props: FieldProps & Input) {
  const { label, hint, error, isLabelHidden, className, ...rest } = props;
  const made = useId();
  const id = props.id ?? made;
  const isNoted = hint !== undefined || error !== undefined;
  return {
    frame: { id, label, hint, error, isLabelHidden, className },
    input: {
      ...rest,
      id,
      'aria-invalid': error !== undefined || undefined,
      'aria-describedby': isNoted ? `${id}-note` : undefined,
    },
  };
}

/** One line of text. */
export function TextField(props: FieldProps & Omit<ComponentProps<'input'>, 'className'>) {
  const { frame, input } = useField(props);
  return (
    <Frame {...frame}>
      <input autoComplete="off" spellCheck={false} {...input} className={classNames(BOX, 'h-8')} />
    </Frame>
  );
}

/** Several lines of text. */
export function TextAreaField(props: FieldProps & Omit<ComponentProps<'textarea'>, 'className'>) {
  const { frame, input } = useField(props);
  return (
    <Frame {...frame}>
      <textarea rows={3} {...input} className={classNames(BOX, 'resize-y py-1.5')} />
    </Frame>
  );
}

/** One of a few, the platform's own way. */
export function SelectField(props: FieldProps & Omit<ComponentProps<'select'>, 'className'>) {
  const { frame, input } = useField(props);
  return (
    <Frame {...frame}>
      <select {...input} className={classNames(BOX, 'h-8 pr-7')} />
    </Frame>
  );
}
