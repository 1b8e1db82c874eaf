import { Link } from '@tanstack/react-router';
import { ArrowLeft, PanelRight, Search } from 'lucide-react';
import { memo, useCallback, useState } from 'react';
import type { ShownStatus } from '../../../api/shown-status.ts';
import { Badge } from '../../../design/badge.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { STATUS_TONES, StatusDot } from '../../../status/status-dot.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import type { SessionActions } from '../session-actions.ts';
import { sessionWords } from '../session-words.ts';
import { ForkOrigin } from './fork-origin.tsx';
import { SessionChoices } from './session-choices.tsx';
import type { SessionHead } from './session-head.ts';
import { SessionDetails, SessionFacts } from './session-facts.tsx';
import { SessionMenu } from './session-menu.tsx';
import { SessionTitle } from './session-title.tsx';
import { UsageMeter } from './usage-meter.tsx';

interface SessionHeaderProps {
  head: SessionHead;
  status: ShownStatus;
  mayAct: boolean;
  actions: SessionActions;
  isSideOpen: boolean;
  onSide: () => void;
  onFind: () => void;
  onRevert: () => void;
  onKeys: () => void;
}

/** What session this is, how it stands, and what can be done with it. */
export const SessionHeader = memo(function SessionHeader({
  head,
  status,
  mayAct,
  actions,
  isSideOpen,
  onSide,
  ...on
}: SessionHeaderProps) {
  const words = sessionWords.use();
  const common = useCommonWords();
  const [isRenaming, setRenaming] = useState(false);
  const startRenaming = useCallback(() => setRenaming(true), []);
  return (
    <header className="@container shrink-0 border-b border-line bg-panel px-2 pt-1.5 pb-1.5 sm:px-4">
      <div className="flex items-center gap-1.5">
        <Link
          to="/sessions"
          aria-label={words.back}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover md:hidden"
        >
          <ArrowLeft size={18} aria-hidden />
        </Link>
        <StatusDot status={status} />
        <div className="min-w-0 flex-1">
          <SessionTitle
            title={head.title}
            mayAct={mayAct}
            isEditing={isRenaming}
            onEditing={setRenaming}
            onRename={(title) => actions.update({ title })}
          />
        </div>
        {head.info.forkedFrom !== undefined && <ForkOrigin sessionId={head.info.forkedFrom.sessionId} />}
        <span role="status" className="flex max-sm:sr-only">
          <Badge tone={STATUS_TONES[status]}>{common.sessionStatus[status]}</Badge>
        </span>
        <IconButton label={words.find} icon={<Search size={15} aria-hidden />} onClick={on.onFind} />
        <IconButton
          label={words.side}
          icon={<PanelRight size={16} aria-hidden />}
          isPressed={isSideOpen}
          onClick={onSide}
        />
        <SessionMenu
          head={head}
          mayAct={mayAct}
          actions={actions}
          onRename={startRenaming}
          onRevert={on.onRevert}
          onKeys={on.onKeys}
        />
      </div>
      <div className="flex min-h-7 items-center gap-2 pl-1 max-md:pl-2">
        <SessionFacts head={head} />
        <SessionChoices head={head} mayAct={mayAct} update={actions.update} />
        <UsageMeter usage={head.usage} turns={head.turnCount} />
        <div className="@3xl:hidden">
          <SessionDetails head={head} />
        </div>
      </div>
    </header>
  );
});
