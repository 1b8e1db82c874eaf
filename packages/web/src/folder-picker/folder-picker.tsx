import { FolderOpen } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useUsableRunners } from '../api/runners.ts';
import { useSessions } from '../api/sessions.ts';
import { Button } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { TextField } from '../design/field.tsx';
import { Notice } from '../design/notice.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { FolderList, optionsOf } from './folder-list.tsx';
import { FolderPath } from './folder-path.tsx';
import { folderWords } from './folder-words.ts';
import { nameOf } from './path-parts.ts';
import { recentFolders } from './recent-folders.ts';
import { useFolder } from './use-folder.ts';

interface FolderPickerProps {
  /** The machine; the server itself where none is named. */
  runnerId?: string | undefined;
  /** The path that is chosen; empty at first. */
  value: string;
  onChange: (path: string) => void;
  label?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  /** The folders are in sight from the beginning, not only when somebody wants to browse. */
  startsOpen?: boolean | undefined;
  /** It stands in something that closes when a folder is chosen, and shows all of itself. */
  onDone?: (() => void) | undefined;
  /** There is no machine to look into, or not yet: the path can be typed. */
  isTyped?: boolean | undefined;
}

/**
 * Chooses a folder of a machine: by typing its path, by walking there, or from those that were used lately.
 *
 * Where somebody walks is what is chosen. The field keeps the focus while its arrow keys move in the list below it.
 */
export function FolderPicker(props: FolderPickerProps) {
  const {
    runnerId,
    value,
    onChange,
    label,
    hint,
    error,
    onDone,
    isTyped = false,
    startsOpen = onDone !== undefined,
  } = props;
  const words = folderWords.use();
  const id = useId();
  const runners = useUsableRunners();
  const machine = runnerId ?? runners?.[0]?.id;
  const { sessions = [] } = useSessions();
  const [wantsOpen, setOpen] = useState(startsOpen);
  const isOpen = wantsOpen && !isTyped;
  const folder = useFolder(isOpen ? machine : undefined, value);
  // Which line the keys are on, and in which list: in another one they begin anew.
  const [place, setPlace] = useState({ path: '', index: -1 });
  const options = folder.shown === undefined ? [] : optionsOf(folder.shown);
  const hasList = isOpen && folder.shown !== undefined && folder.error === undefined;
  const active = place.path === folder.shown?.path ? Math.min(place.index, options.length - 1) : -1;

  const open = (path: string) => {
    onChange(path);
    setOpen(true);
  };
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = options[active];
    if (step !== undefined) {
      setOpen(true);
      const index = Math.max(-1, Math.min(options.length - 1, active + step));
      setPlace({ path: folder.shown?.path ?? '', index });
    } else if (event.key === 'Enter' && chosen !== undefined) open(chosen.path);
    else if (event.key === 'Enter' && onDone !== undefined) onDone();
    else return;
    event.preventDefault();
  };

  if (runners !== undefined && machine === undefined && !isTyped) return <Notice>{words.noMachine}</Notice>;
  const isToldAbove = error !== undefined && value.trim() !== '';
  const recent = isTyped ? [] : recentFolders(sessions, machine).filter((path) => path !== value);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <TextField
          label={label ?? words.folder}
          hint={hint}
          error={error}
          className="min-w-0 flex-1"
          value={value}
          placeholder={words.placeholder}
          role="combobox"
          aria-expanded={hasList}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active === -1 ? undefined : `${id}-list-${active}`}
          onChange={(event) => onChange(event.target.value)}
          onFocus={() => setOpen(true)}
          onKeyDown={move}
        />
        {/* Beside the box and below the height of its label, whatever is said under it. */}
        {onDone === undefined && !isTyped && (
          <Button
            icon={<FolderOpen size={15} aria-hidden />}
            aria-expanded={isOpen}
            className="mt-5.5"
            onClick={() => setOpen(!isOpen)}
          >
            {words.browse}
          </Button>
        )}
        {onDone !== undefined && (
          <Button look="primary" className="mt-5.5" onClick={onDone}>
            {words.done}
          </Button>
        )}
      </div>
      {recent.length > 0 && (
        <ul aria-label={words.recent} className="flex flex-wrap gap-1.5">
          {recent.map((path) => (
            <li key={path} className="min-w-0">
              <Button
                size="small"
                title={path}
                onClick={() => {
                  onChange(path);
                  onDone?.();
                }}
                className="max-w-52"
              >
                <span className="contained truncate">{nameOf(path)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <div className="flex h-60 flex-col overflow-hidden rounded-md border border-line bg-raised">
          <FolderPath path={folder.shown?.path ?? ''} isChosen={value.trim() !== ''} onOpen={open} />
          <div className="min-h-0 flex-1 overflow-y-auto">
            {folder.error !== undefined ? (
              // Said once: where the field says it already, the list is silent.
              isToldAbove ? null : folder.isMissing ? (
                <p className="px-3 py-2 text-sm text-faint">{words.refused['not-found']}</p>
              ) : (
                <div className="p-2">
                  <Failure error={folder.error} onRetry={folder.retry} />
                </div>
              )
            ) : folder.shown === undefined ? (
              <SkeletonRows rows={5} height="h-5" />
            ) : (
              <FolderList id={`${id}-list`} options={options} active={active} onOpen={open} />
            )}
            {folder.shown?.folders.length === 0 && folder.error === undefined && (
              <p className="px-3 py-2 text-sm text-faint">
                {folder.listing === undefined ? words.noMatch : words.noFolders}
              </p>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
