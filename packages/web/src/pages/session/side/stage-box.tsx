import type { StageState } from './stage-state.ts';

interface StageBoxProps {
  label: string;
  state: StageState;
  isDisabled: boolean;
  onChange: () => void;
}

/** Whether something goes into the next commit. */
export function StageBox({ label, state, isDisabled, onChange }: StageBoxProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      title={label}
      checked={state === 'staged'}
      ref={(box) => {
        if (box !== null) box.indeterminate = state === 'partly';
      }}
      disabled={isDisabled}
      onChange={onChange}
      className="size-4 shrink-0 accent-accent pointer-coarse:size-5"
    />
  );
}
