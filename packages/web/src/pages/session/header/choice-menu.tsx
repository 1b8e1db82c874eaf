import type { Choice } from '@dragoman/protocol';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../design/class-names.ts';
import { Menu, MenuItem } from '../../../design/menu.tsx';
import { useCommonWords } from '../../../words/common-words.ts';

interface ChoiceMenuProps {
  label: string;
  icon: ReactNode;
  /** How a choice is known at a glance. */
  markOf?: ((id: string) => ReactNode) | undefined;
  choices: readonly Choice[];
  chosen: string | undefined;
  /** What is shown where nothing was chosen. */
  otherwise: string;
  onChoose: ((id: string) => void) | undefined;
  /** Short names stay whole where there is little room. */
  isShort?: boolean;
}

/** The model or the mode of a session, and the others it could have. */
export function ChoiceMenu(props: ChoiceMenuProps) {
  const { label, icon, markOf, choices, chosen, otherwise, onChoose, isShort = false } = props;
  const common = useCommonWords();
  const current = choices.find(({ id }) => id === chosen);
  const name = current?.name ?? chosen ?? otherwise;
  const face = (
    <>
      <span className="flex shrink-0 text-faint">{chosen === undefined ? icon : (markOf?.(chosen) ?? icon)}</span>
      <span className="contained truncate">{name}</span>
    </>
  );
  if (onChoose === undefined || choices.length === 0)
    return (
      <span className="flex min-w-0 items-center gap-1 text-xs text-soft" title={common.named(label, name)}>
        <span className="sr-only">{label}</span>
        {face}
      </span>
    );
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={common.named(label, name)}
          title={label}
          className={classNames(
            'flex h-6 items-center gap-1 rounded-md border border-line px-1.5 text-xs text-soft hover:bg-hover hover:text-ink pointer-coarse:px-2',
            isShort ? 'max-w-28 shrink-0' : 'max-w-52 min-w-24',
          )}
        >
          {face}
          <ChevronDown size={12} aria-hidden className="shrink-0 text-faint" />
        </button>
      }
    >
      {choices.map((choice) => (
        <MenuItem
          key={choice.id}
          isChosen={choice.id === chosen}
          icon={markOf?.(choice.id)}
          onChoose={() => onChoose(choice.id)}
          {...(choice.description !== undefined && { about: choice.description })}
        >
          {choice.name ?? choice.id}
        </MenuItem>
      ))}
    </Menu>
  );
}
