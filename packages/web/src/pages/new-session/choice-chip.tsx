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
  /** What is there without a choice, and its name where that is known. */
  usual: string;
  usualName: string | undefined;
  /** What it does, in a line. */
  aboutOf?: ((name: string) => string | undefined) | undefined;
  placeholder: string;
  /** Those that are known; an agent may have others, which are typed. */
  names: readonly string[];
  /** Empty: the usual. */
  chosen: string;
  onChoose: (name: string) => void;
}

/** The model or the mode. Which there are an agent tells once it runs, so names are free. */
export function ChoiceChip(props: ChoiceChipProps) {
  const { label, icon, markOf, usual, usualName, aboutOf, placeholder, names, chosen, onChoose } = props;
  const words = newSessionWords.use();
  const shown = chosen === '' ? usualName : chosen;
  const all = chosen === '' || names.includes(chosen) ? names : [chosen, ...names];
  return (
    <Popover
      label={label}
      align="start"
      trigger={
        <Chip
          label={label}
          text={chosen !== '' ? chosen : usualName === undefined ? usual : words.usual(usualName)}
          icon={shown === undefined ? icon : (markOf?.(shown) ?? icon)}
        />
      }
    >
      {(close) => (
        <OptionList
          label={label}
          placeholder={placeholder}
          otherwise={words.useName}
          options={[
            { id: '', text: usual, about: usualName, isChosen: chosen === '' },
            ...all.map((name) => ({
              id: name,
              text: name,
              about: aboutOf?.(name),
              icon: markOf?.(name),
              isChosen: name === chosen,
            })),
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
