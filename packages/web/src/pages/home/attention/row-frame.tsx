import type { HubSession, SessionStatus } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAgentTitle } from '../../../api/runners.ts';
import { visibleText } from '../../../code/visible-text.ts';
import { classNames } from '../../../design/class-names.ts';
import { SessionDot, StatusDot } from '../../../status/status-dot.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { nameOf } from '../../../folder-picker/path-parts.ts';
import { AgentMark } from '../../../marks/mark.tsx';
import { homeWords } from '../home-words.ts';

/** How much of the eye a row asks for: a question most, a failure some, what is done or under way little. */
type RowWeight = 'loud' | 'usual' | 'quiet';

const BOXES: Record<RowWeight, string> = {
  loud: 'rounded-lg border border-l-4 border-warn/60 border-l-warn bg-panel shadow-sm has-focus-visible:ring-2 has-focus-visible:ring-line-strong',
  usual:
    'rounded-lg border border-l-4 border-line border-l-bad bg-panel has-focus-visible:ring-2 has-focus-visible:ring-line-strong',
  quiet: 'border-line pl-0.75 not-first:border-t has-focus-visible:bg-raised',
};
const TITLES: Record<RowWeight, string> = {
  loud: 'text-lg font-semibold',
  usual: 'font-medium',
  quiet: 'text-sm',
};

interface RowFrameProps {
  rowKey: string;
  weight: RowWeight;
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
  const { rowKey, weight, sessionId, title, status, session, at, isGone, keys, children, actions } = props;
  const words = homeWords.use();
  const agentOf = useAgentTitle();
  const shown = visibleText(title);
  return (
    <li
      data-row={rowKey}
      className={classNames(
        'grid',
        BOXES[weight],
        // It is taken away when it has closed up; see use-lingering.ts.
        isGone ? 'animate-close-up [animation-delay:5.8s]' : 'animate-fade-in',
      )}
    >
      <div
        className={classNames(
          'flex min-w-0 flex-col gap-x-4 gap-y-2 px-3.5 transition-opacity sm:flex-row sm:items-start',
          weight === 'quiet' ? 'py-2' : 'py-3',
          isGone && 'min-h-0 overflow-hidden opacity-60',
        )}
      >
        <div className="flex min-w-0 flex-1 gap-2.5">
          <span className={classNames('flex', weight === 'loud' ? 'mt-2' : 'mt-1.5')}>
            {session === undefined ? (
              <StatusDot status={status} isUnread={!isGone} />
            ) : (
              <SessionDot session={session} />
            )}
          </span>
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-baseline gap-x-2">
              <Link
                to="/sessions/$sessionId"
                params={{ sessionId }}
                data-row-link
                aria-keyshortcuts={keys}
                className={classNames('contained reach rounded-sm hover:underline', TITLES[weight])}
                title={shown}
              >
                <span className="line-clamp-2">{shown}</span>
              </Link>
              <span className="flex min-w-0 items-center gap-x-1.5 text-xs text-faint">
                {session !== undefined && <AgentMark name={session.agent} title={agentOf(session)} size={13} />}
                {session !== undefined && (
                  <span className="contained truncate" title={session.folder}>
                    {`${agentOf(session)} · ${visibleText(nameOf(session.folder))}`}
                  </span>
                )}
                {session?.isOnline === false && <span className="text-warn">{words.offline}</span>}
                <TimeAgo at={at} className="shrink-0" />
              </span>
            </div>
            <div className={classNames('flex flex-col gap-2', weight === 'quiet' ? 'mt-0.5' : 'mt-1')}>{children}</div>
          </div>
        </div>
        {actions !== undefined && (
          <div className="flex shrink-0 flex-wrap items-center gap-2 pl-4.5 sm:pl-0">{actions}</div>
        )}
      </div>
    </li>
  );
}
