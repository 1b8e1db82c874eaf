import type { HubSession } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import { useAgentTitle } from '../../api/runners.ts';
import { visibleText } from '../../code/visible-text.ts';
import { Panel, Section } from '../../design/page.tsx';
import { UnsentMark } from '../../outbox/unsent-mark.tsx';
import { SessionDot } from '../../status/status-dot.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { nameOf } from '../../folder-picker/path-parts.ts';
import { AgentMark } from '../../marks/mark.tsx';
import { homeWords } from './home-words.ts';

const MOST = 8;

/** The sessions somebody may want to go back to. */
export function RecentSessions({ sessions }: { sessions: readonly HubSession[] }) {
  const words = homeWords.use();
  const agentOf = useAgentTitle();
  return (
    <Section
      title={words.recent}
      actions={
        <Link to="/sessions" className="text-xs text-accent hover:underline">
          {words.allSessions}
        </Link>
      }
    >
      <Panel>
        <ul className="divide-y divide-line">
          {sessions.slice(0, MOST).map((session) => (
            <li key={session.id} data-row={session.id}>
              <Link
                to="/sessions/$sessionId"
                params={{ sessionId: session.id }}
                data-row-link
                className="flex items-center gap-2.5 px-3.5 py-2.5 -outline-offset-2 hover:bg-hover"
              >
                <SessionDot session={session} />
                <span className="min-w-0 flex-1">
                  <span className="contained block truncate text-sm">{visibleText(session.title)}</span>
                  <span className="flex items-center gap-1.5 text-xs text-faint" title={session.folder}>
                    <AgentMark name={session.agent} title={agentOf(session)} size={13} />
                    <span className="contained truncate">
                      {`${agentOf(session)} · ${visibleText(nameOf(session.folder))}`}
                    </span>
                  </span>
                </span>
                <UnsentMark sessionId={session.id} />
                <TimeAgo at={session.updatedAt} className="shrink-0 text-xs text-faint" />
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}
