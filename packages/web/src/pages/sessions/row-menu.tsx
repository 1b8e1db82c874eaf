import type { HubSession } from '@dragoman/protocol';
import { Archive, ArchiveRestore, EllipsisVertical, Pin, PinOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import { Confirm } from '../../design/confirm.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { Menu, MenuItem, MenuLine } from '../../design/menu.tsx';
import { sessionsWords } from './sessions-words.ts';
import type { BulkChange } from './use-bulk.ts';

interface RowMenuProps {
  session: HubSession;
  isActive: boolean;
  onChange: (change: BulkChange, ids: readonly string[], onDone?: () => void) => void;
}

/** What can be done with one session of the list. */
export function RowMenu({ session, isActive, onChange }: RowMenuProps) {
  const words = sessionsWords.use();
  const me = useMe();
  const [isRemoving, setRemoving] = useState(false);
  const { id, title, isPinned, isArchived, by } = session;
  const mayRemove = me?.role === 'admin' || (by.type === 'user' && by.userId === me?.userId);
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={words.actionsOf(title)}
            icon={<EllipsisVertical size={15} aria-hidden />}
            tabIndex={isActive ? 0 : -1}
          />
        }
      >
        <MenuItem
          icon={isPinned ? <PinOff size={14} aria-hidden /> : <Pin size={14} aria-hidden />}
          onChoose={() => onChange(isPinned ? 'unpin' : 'pin', [id])}
        >
          {isPinned ? words.unpin : words.pin}
        </MenuItem>
        <MenuItem
          icon={isArchived ? <ArchiveRestore size={14} aria-hidden /> : <Archive size={14} aria-hidden />}
          onChoose={() => onChange(isArchived ? 'unarchive' : 'archive', [id])}
        >
          {isArchived ? words.unarchive : words.archive}
        </MenuItem>
        {mayRemove && (
          <>
            <MenuLine />
            <MenuItem icon={<Trash2 size={14} aria-hidden />} isDanger onChoose={() => setRemoving(true)}>
              {words.remove}
            </MenuItem>
          </>
        )}
      </Menu>
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => onChange('remove', [id], () => setRemoving(false))}
        title={words.removeTitle(1)}
        confirm={words.removeYes}
      >
        <p className="contained mb-2 font-medium text-ink">{title}</p>
        {words.removeAbout}
      </Confirm>
    </>
  );
}
