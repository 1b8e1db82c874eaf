import { CheckBox } from '../../../design/check-box.tsx';
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
    <CheckBox
      label={label}
      checked={state === 'staged'}
      isPartly={state === 'partly'}
      disabled={isDisabled}
      onChange={onChange}
      className="-mx-1.5"
    />
  );
}
