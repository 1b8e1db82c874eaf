import { Archive, ArchiveRestore, Pin, PinOff, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { CheckBox } from '../../design/check-box.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { sessionsWords } from './sessions-words.ts';
import type { BulkChange } from './use-bulk.ts';
import type { Selection } from './use-selection.ts';

interface SelectionBarProps {
  selection: Selection;
  /** How many are listed. */
  count: number;
  /** Archived ones are shown: they can be brought back. */
  isArchive: boolean;
  arePinned: boolean;
  isBusy: boolean;
  onChange: (change: BulkChange, ids: readonly string[], onDone?: () => void) => void;
}

/** What can be done with everything that is selected. */
export function SelectionBar({ selection, count, isArchive, arePinned, isBusy, onChange }: SelectionBarProps) {
  const words = sessionsWords.use();
  const [isRemoving, setRemoving] = useState(false);
  const { ids, end } = selection;
  const isNone = ids.length === 0;
  const act = (change: BulkChange) => onChange(change, ids, end);
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <SelectAll selection={selection} count={count} />
      <span role="status" className="text-sm font-medium whitespace-nowrap">
        {words.selected(ids.length)}
      </span>
      <Button
        size="small"
        icon={isArchive ? <ArchiveRestore size={14} aria-hidden /> : <Archive size={14} aria-hidden />}
        isBusy={isBusy}
        disabled={isNone}
        aria-label={isArchive ? words.unarchive : words.archive}
        onClick={() => act(isArchive ? 'unarchive' : 'archive')}
      >
        <Wide>{isArchive ? words.unarchive : words.archive}</Wide>
      </Button>
      <Button
        size="small"
        icon={arePinned ? <PinOff size={14} aria-hidden /> : <Pin size={14} aria-hidden />}
        disabled={isBusy || isNone}
        aria-label={arePinned ? words.unpin : words.pin}
        onClick={() => act(arePinned ? 'unpin' : 'pin')}
      >
        <Wide>{arePinned ? words.unpin : words.pin}</Wide>
      </Button>
      <Button
        size="small"
        look="danger"
        icon={<Trash2 size={14} aria-hidden />}
        disabled={isBusy || isNone}
        aria-label={words.remove}
        onClick={() => setRemoving(true)}
      >
        <Wide>{words.remove}</Wide>
      </Button>
      <IconButton label={words.clearSelection} icon={<X size={15} aria-hidden />} className="ml-auto" onClick={end} />
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() =>
          onChange('remove', ids, () => {
            setRemoving(false);
            end();
          })
        }
        isBusy={isBusy}
        title={words.removeTitle(ids.length)}
        confirm={words.removeYes}
      >
        {words.removeAbout}
      </Confirm>
    </div>
  );
}

/** Words for which there is no room on a phone, where the icon has to do. */
function Wide({ children }: { children: string }) {
  return <span className="hidden sm:inline">{children}</span>;
}

/** Selects everything that is listed, or nothing. */
function SelectAll({ selection, count }: { selection: Selection; count: number }) {
  const words = sessionsWords.use();
  const isAll = count > 0 && selection.ids.length === count;
  return (
    <CheckBox
      label={words.selectAll}
      disabled={count === 0}
      checked={isAll}
      isPartly={selection.ids.length > 0 && !isAll}
      onChange={() => (isAll ? selection.none() : selection.all())}
    />
  );
}
