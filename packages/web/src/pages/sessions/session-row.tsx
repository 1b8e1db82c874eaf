import { type HubSession, plainMarkdown } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import { GitBranch, GitFork, Pin, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { isUnreadBy } from '../../api/attention.ts';
import { useMe } from '../../api/me.ts';
import { isInterruption, type ShownStatus, shownStatus } from '../../api/shown-status.ts';
import { useAgentTitle } from '../../api/runners.ts';
import { visibleText } from '../../code/visible-text.ts';
import { Badge } from '../../design/badge.tsx';
import { CheckBox } from '../../design/check-box.tsx';
import { classNames } from '../../design/class-names.ts';
import { useLongPress } from '../../design/use-long-press.ts';
import { UnsentMark } from '../../outbox/unsent-mark.tsx';
import { STATUS_TONES, SessionDot } from '../../status/status-dot.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useCommonWords } from '../../words/common-words.ts';
import { useFormats } from '../../words/formats.ts';
import { useServerSentence } from '../../words/server-sentences.ts';
import { folderName } from '../../arrangement/list-rows.ts';
import { AgentMark } from '../../marks/mark.tsx';
import { sessionsWords } from './sessions-words.ts';

interface SessionRowProps {
  session: HubSession;
  /** What the machine is called, where there is more than one. */
  machine: string | undefined;
  showsFolder: boolean;
  /** Pressing it selects it; otherwise it opens the session. */
  isSelecting: boolean;
  isSelected: boolean;
  /** It is the one that the Tab key leads to. */
  isActive: boolean;
  onFocus: () => void;
  /** Nothing where the person may only read. */
  onSelect: ((isRange: boolean) => void) | undefined;
  menu: ReactNode;
}

/** A session in the list: how it stands, what it is about, where it works, and what was said last. */
export function SessionRow(props: SessionRowProps) {
  const { session, isSelecting, isSelected, isActive, onFocus, onSelect, menu } = props;
  const words = sessionsWords.use();
  const title = visibleText(session.title);
  const isUnread = isUnreadBy(session, useMe()?.userId);
  const press = useLongPress(onSelect && (() => onSelect(false)));
  return (
    <div
      {...press}
      className={classNames(
        'group relative flex items-center gap-1 border-b [-webkit-touch-callout:none] border-line pr-1 pl-1 sm:pr-2',
        isSelected ? 'bg-accent-wash' : 'focus-within:bg-raised hover:bg-raised',
      )}
    >
      {isSelecting && onSelect !== undefined && (
        <CheckBox
          label={words.select(title)}
          tabIndex={isActive ? 0 : -1}
          checked={isSelected}
          onChange={(event) => onSelect((event.nativeEvent as MouseEvent).shiftKey)}
          className="relative z-10"
        />
      )}
      <div className={classNames('min-w-0 flex-1 py-2', !isSelecting && 'pl-2')}>
        <div className="flex items-center gap-2 max-[24rem]:flex-wrap">
          <SessionDot session={session} />
          <Link
            to="/sessions/$sessionId"
            params={{ sessionId: session.id }}
            data-row={session.id}
            tabIndex={isActive ? 0 : -1}
            onFocus={onFocus}
            onClick={(event) => {
              if (!isSelecting || onSelect === undefined || event.metaKey || event.ctrlKey) return;
              event.preventDefault();
              onSelect(event.shiftKey);
            }}
            title={title}
            className={classNames(
              'own-size min-w-0 truncate text-sm max-[24rem]:flex-[1_0_80%] after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-sm focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent',
              isUnread && 'font-semibold',
            )}
          >
            {title}
          </Link>
          <Marks session={session} isUnread={isUnread} />
          <TimeAgo at={session.updatedAt} className="ml-auto shrink-0 pl-2 text-xs text-faint" />
        </div>
        <Facts {...props} />
      </div>
      {!isSelecting && <div className="relative z-10">{menu}</div>}
    </div>
  );
}

/** Worth a word; how all the others stand is quiet. */
const LOUD: ReadonlySet<ShownStatus> = new Set(['waiting', 'failed', 'interrupted', 'running']);

function Marks({ session, isUnread }: { session: HubSession; isUnread: boolean }) {
  const words = sessionsWords.use();
  const common = useCommonWords();
  const status = shownStatus(session);
  return (
    <>
      {isUnread && <span className="sr-only">{words.unread}</span>}
      <UnsentMark sessionId={session.id} />
      {session.forkedFrom !== undefined && (
        <GitFork size={12} aria-label={words.fork} className="shrink-0 text-faint" />
      )}
      {session.isPinned && <Pin size={12} aria-label={words.pinned} className="shrink-0 text-faint" />}
      {!session.isOnline && <Unplug size={12} aria-label={words.offline} className="shrink-0 text-faint" />}
      {LOUD.has(status) && <Badge tone={STATUS_TONES[status]}>{common.sessionStatus[status]}</Badge>}
      {session.isArchived && <Badge>{words.archivedMark}</Badge>}
    </>
  );
}

function Facts({ session, machine, showsFolder }: SessionRowProps) {
  const common = useCommonWords();
  const formats = useFormats();
  const sentence = useServerSentence();
  const agentOf = useAgentTitle();
  const facts = [agentOf(session), ...(machine === undefined ? [] : [machine])];
  return (
    <div className="mt-0.5 flex items-center gap-2 pl-4 text-xs text-faint">
      <span className="flex max-w-3/5 shrink-0 items-center gap-x-2 sm:max-w-2/5">
        <span className="flex max-w-36 min-w-0 shrink-0 items-center gap-1.5">
          <AgentMark name={session.agent} title={agentOf(session)} size={13} />
          <span className="truncate">{facts.join(' · ')}</span>
        </span>
        {showsFolder && (
          <span title={session.folder} className="truncate">
            {visibleText(folderName(session.folder))}
          </span>
        )}
        {session.branch !== undefined && (
          <span title={session.branch} className="hidden min-w-0 items-center gap-1 sm:flex">
            <GitBranch size={11} aria-hidden className="shrink-0" />
            <span className="truncate">{session.branch}</span>
          </span>
        )}
      </span>
      <span className="contained flex-1 truncate text-soft">
        {session.lastError === undefined
          ? plainMarkdown(session.lastText)
          : isInterruption(session.lastError)
            ? common.interrupted
            : visibleText(sentence(session.lastError.message))}
      </span>
      {session.costUsd > 0 && <span className="shrink-0 tabular-nums">{formats.dollars(session.costUsd)}</span>}
    </div>
  );
}
