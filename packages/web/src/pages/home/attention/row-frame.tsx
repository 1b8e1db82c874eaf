import type { HubSession, SessionStatus } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAgentTitle } from '../../../api/runners.ts';
import { visibleText } from '../../../code/visible-text.ts';
import { classNames } from '../../../design/class-names.ts';
import { SessionDot, StatusDot } from '../../../status/status-dot.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { nameOf } from '../../../folder-picker/path-parts.ts';
import { homeWords } from '../home-words.ts';

interface RowFrameProps {
  rowKey: string;
  sessionId: string;
  title: string;
  status: SessionStatus;
  session: HubSession | undefined;
  at: number;
  /** It is settled and about to go. */
  isGone: boolean;
  /** The letters that do something on it. */
  keys: string | undefined;
  children: ReactNode;
  actions?: ReactNode;
}

/** A row of the home page: the session it is about, what it wants, and what can be done about it. */
export function RowFrame(props: RowFrameProps) {
  const { rowKey, sessionId, title, status, session, at, isGone, keys, children, actions } = props;
  const words = homeWords.use();
  const agentOf = useAgentTitle();
  const shown = visibleText(title);
  return (
    <li
      data-row={rowKey}
      className={classNames(
        'flex flex-col gap-x-4 gap-y-2 px-3.5 py-3 transition-opacity duration-500 has-focus-visible:bg-raised sm:flex-row sm:items-start',
        isGone && 'opacity-60',
      )}
    >
      <div className="flex min-w-0 flex-1 gap-2.5">
        <span className="mt-1.5 flex">
          {session === undefined ? <StatusDot status={status} isUnread={!isGone} /> : <SessionDot session={session} />}
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-baseline gap-x-2">
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId }}
              data-row-link
              aria-keyshortcuts={keys}
              className="contained line-clamp-2 rounded-sm font-medium hover:underline"
              title={shown}
            >
              {shown}
            </Link>
            <span className="flex min-w-0 items-baseline gap-x-1.5 text-xs text-faint">
              {session !== undefined && (
                <span className="contained truncate" title={session.folder}>
                  {`${agentOf(session)} · ${visibleText(nameOf(session.folder))}`}
                </span>
              )}
              {session?.isOnline === false && <span className="text-warn">{words.offline}</span>}
              <TimeAgo at={at} className="shrink-0" />
            </span>
          </div>
          <div className="mt-1 flex flex-col gap-2">{children}</div>
        </div>
      </div>
      {actions !== undefined && (
        <div className="flex shrink-0 flex-wrap items-center gap-2 pl-4.5 sm:pl-0">{actions}</div>
      )}
    </li>
  );
}
