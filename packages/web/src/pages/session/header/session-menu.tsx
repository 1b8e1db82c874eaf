import {
  Archive,
  Command,
  EllipsisVertical,
  FileDown,
  FileJson,
  GitFork,
  Keyboard,
  MonitorUp,
  Pencil,
  Pin,
  PinOff,
  Power,
  Trash2,
  Undo2,
} from 'lucide-react';
import { memo, useState } from 'react';
import { useIsAdmin, useMayAct, useMe } from '../../../api/me.ts';
import { openOverlay } from '../../../commands/overlay.ts';
import { Confirm } from '../../../design/confirm.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Menu, MenuItem, MenuLine } from '../../../design/menu.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import type { SessionActions } from '../session-actions.ts';
import { sessionWords } from '../session-words.ts';
import { MoveDialog } from './move-dialog.tsx';
import type { SessionHead } from './session-head.ts';

interface SessionMenuProps {
  head: SessionHead;
  mayAct: boolean;
  actions: SessionActions;
  onRename: () => void;
  onRevert: () => void;
  onKeys: () => void;
}

/** Everything that can be done with a session as a whole. */
export const SessionMenu = memo(function SessionMenu({
  head,
  mayAct,
  actions,
  onRename,
  onRevert,
  onKeys,
}: SessionMenuProps) {
  const words = sessionWords.use();
  const common = useCommonWords();
  const [isRemoving, setRemoving] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const me = useMe();
  const isAdmin = useIsAdmin();
  const isMember = useMayAct();
  const isMine = head.info.by.type === 'user' && head.info.by.userId === me?.userId;
  return (
    <>
      <Menu trigger={<IconButton label={common.moreActions} icon={<EllipsisVertical size={16} aria-hidden />} />}>
        {mayAct && (
          <>
            <MenuItem icon={<Pencil size={14} aria-hidden />} onChoose={onRename}>
              {words.rename}
            </MenuItem>
            {head.canFork && (
              <MenuItem
                icon={<GitFork size={14} aria-hidden />}
                isDisabled={head.agentSessionId === undefined}
                onChoose={() => actions.fork()}
                about={words.forkAbout}
              >
                {words.forkEnd}
              </MenuItem>
            )}
            {head.canRevert && (
              <MenuItem icon={<Undo2 size={14} aria-hidden />} isDisabled={head.isEmpty} onChoose={onRevert}>
                {words.revert}
              </MenuItem>
            )}
          </>
        )}
        <MenuItem icon={<FileDown size={14} aria-hidden />} onChoose={() => actions.exportAs('markdown')}>
          {words.exportMarkdown}
        </MenuItem>
        <MenuItem icon={<FileJson size={14} aria-hidden />} onChoose={() => actions.exportAs('json')}>
          {words.exportJson}
        </MenuItem>
        <MenuItem icon={<Command size={14} aria-hidden />} onChoose={() => openOverlay('commands')}>
          {words.allCommands}
        </MenuItem>
        <MenuItem icon={<Keyboard size={14} aria-hidden />} onChoose={onKeys}>
          {words.keys}
        </MenuItem>
        {mayAct && (
          <>
            <MenuLine />
            <MenuItem
              icon={head.isPinned ? <PinOff size={14} aria-hidden /> : <Pin size={14} aria-hidden />}
              onChoose={() => actions.update({ pinned: !head.isPinned })}
            >
              {head.isPinned ? words.unpin : words.pin}
            </MenuItem>
            <MenuItem
              icon={<Archive size={14} aria-hidden />}
              onChoose={() => actions.update({ archived: !head.isArchived })}
            >
              {head.isArchived ? words.unarchive : words.archive}
            </MenuItem>
            <MenuItem icon={<MonitorUp size={14} aria-hidden />} onChoose={() => setMoving(true)}>
              {words.move}
            </MenuItem>
            <MenuItem
              icon={<Power size={14} aria-hidden />}
              isDisabled={head.agentState === 'stopped' || head.agentState === 'failed'}
              onChoose={actions.closeAgent}
              about={words.closeAgentAbout}
            >
              {words.closeAgent}
            </MenuItem>
          </>
        )}
        {isMember && (isMine || isAdmin) && (
          <>
            <MenuLine />
            <MenuItem icon={<Trash2 size={14} aria-hidden />} isDanger onChoose={() => setRemoving(true)}>
              {words.remove}
            </MenuItem>
          </>
        )}
      </Menu>
      {isMoving && <MoveDialog info={head.info} onClose={() => setMoving(false)} />}
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={actions.remove}
        isBusy={actions.isRemoving}
        title={words.removeTitle}
        confirm={words.removeYes}
      >
        <p>{words.removeAbout}</p>
        {head.info.worktree === true && <p className="mt-2 font-medium text-bad">{words.removeWorktree}</p>}
      </Confirm>
    </>
  );
});
