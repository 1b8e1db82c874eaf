import type { HubSession } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { isUnreadBy } from '../../api/attention.ts';
import { useMe } from '../../api/me.ts';
import { useAgentTitle, useRunners } from '../../api/runners.ts';
import { shownStatus } from '../../api/shown-status.ts';
import { folderName } from '../../arrangement/list-rows.ts';
import { visibleText } from '../../code/visible-text.ts';
import { classNames } from '../../design/class-names.ts';
import { TimeAgo } from '../../design/time-ago.tsx';
import { tooltip } from '../../design/tooltip.ts';
import { AgentMark } from '../../marks/mark.tsx';
import { UnsentMark } from '../../outbox/unsent-mark.tsx';
import { SessionState } from '../../status/session-state.tsx';
import { useCommonWords } from '../../words/common-words.ts';
import { appWords } from '../app-words.ts';
import { MENU_ITEM } from './menu-item.ts';

/** A session of the menu: whose it is, what it wants, how far it is and when it moved. What is cut is shown beside it. */
export const SessionItem = memo(function SessionItem({
  session,
  showsFolder,
}: {
  session: HubSession;
  showsFolder: boolean;
}) {
  const words = appWords.use();
  const common = useCommonWords();
  const userId = useMe()?.userId;
  const agent = useAgentTitle()(session);
  const machine = useRunners().runners?.find(({ id }) => id === session.runnerId)?.name;
  const { plan } = session;
  const isUnderWay = plan !== undefined && plan.done < plan.total;
  const title = visibleText(session.title);
  const folder = visibleText(folderName(session.folder));
  const about = [common.sessionStatus[shownStatus(session)], agent, ...(machine === undefined ? [] : [machine])];
  return (
    <li>
      <Link
        {...tooltip([title, about.join(' · '), visibleText(session.folder)].join('\n'), 'right')}
        to="/sessions/$sessionId"
        params={{ sessionId: session.id }}
        className={classNames(MENU_ITEM, 'gap-2 px-2 py-1')}
      >
        <AgentMark name={session.agent} title={agent} size={18} />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-1.5">
            <span
              className={classNames('min-w-0 flex-1 truncate', isUnreadBy(session, userId) && 'font-medium text-ink')}
            >
              {title}
            </span>
            <UnsentMark sessionId={session.id} />
            <SessionState session={session} />
          </span>
          <span className="flex items-center gap-1.5 text-2xs font-normal text-faint">
            {isUnderWay && (
              <span className="tabular-nums">
                <span aria-hidden>{`${plan.done}/${plan.total}`}</span>
                <span className="sr-only">{words.planDone(plan.done, plan.total)}</span>
              </span>
            )}
            {showsFolder && <span className="min-w-0 truncate">{folder}</span>}
            <TimeAgo at={session.updatedAt} className="shrink-0" />
          </span>
        </span>
      </Link>
    </li>
  );
});
