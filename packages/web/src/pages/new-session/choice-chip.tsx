import type { ReactNode } from 'react';
import { Chip } from '../../design/chip.tsx';
import { Popover } from '../../design/popover.tsx';
import { OptionList } from '../../options/option-list.tsx';
import { newSessionWords } from './new-session-words.ts';

interface ChoiceChipProps {
  label: string;
  icon: ReactNode;
  /** How a name is known at a glance. */
  markOf?: ((name: string) => ReactNode) | undefined;
  /** What is there without a choice. */
  usual: string;
  placeholder: string;
  /** Those that are known; an agent may have others, which are typed. */
  names: readonly string[];
  /** Empty: the usual. */
  chosen: string;
  onChoose: (name: string) => void;
}

/** The model or the mode. Which there are an agent tells once it runs, so names are free. */
export function ChoiceChip(props: ChoiceChipProps) {
  const { label, icon, markOf, usual, placeholder, names, chosen, onChoose } = props;
  const words = newSessionWords.use();
  const all = chosen === '' || names.includes(chosen) ? names : [chosen, ...names];
  return (
    <Popover
      label={label}
      align="start"
      trigger={
        <Chip
          label={label}
          text={chosen === '' ? usual : chosen}
          icon={chosen === '' ? icon : (markOf?.(chosen) ?? icon)}
        />
      }
    >
      {(close) => (
        <OptionList
          label={label}
          placeholder={placeholder}
          otherwise={words.useName}
          options={[
            { id: '', text: usual, isChosen: chosen === '' },
            ...all.map((name) => ({ id: name, text: name, icon: markOf?.(name), isChosen: name === chosen })),
          ]}
          onChoose={(name) => {
            onChoose(name);
            close();
          }}
        />
      )}
    </Popover>
  );
}
