import { Link } from '@tanstack/react-router';
import { House, MessagesSquare, Plus, Search, Settings, Waypoints } from 'lucide-react';
import { isUnreadBy } from '../api/attention.ts';
import { useMayAct, useMe } from '../api/me.ts';
import { useAttention, useSessions } from '../api/sessions.ts';
import { Badge } from '../design/badge.tsx';
import { buttonClasses } from '../design/button.tsx';
import { visibleText } from '../code/visible-text.ts';
import { classNames } from '../design/class-names.ts';
import { SessionDot } from '../status/status-dot.tsx';
import { AccountMenu } from './account-menu.tsx';
import { appWords } from './app-words.ts';

/** Where one can go, beside the home page. */
const PLACES = [
  { to: '/sessions', word: 'sessions', Icon: MessagesSquare },
  { to: '/gateway', word: 'gateway', Icon: Waypoints },
  { to: '/context', word: 'context', Icon: Search },
  { to: '/settings', word: 'settings', Icon: Settings },
] as const;

const ITEM =
  'flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink';

/** The menu beside every page on a desktop: where one can go, and the sessions that move. */
export function SideMenu() {
  const words = appWords.use();
  const mayAct = useMayAct();
  const waiting = useAttention()?.waiting.length ?? 0;
  return (
    <nav aria-label={words.mainMenu} className="hidden w-60 shrink-0 flex-col border-r border-line bg-panel md:flex">
      <div className="flex items-center gap-2 px-4 pt-4 pb-3">
        <img src="/icon.svg" alt="" className="size-6" />
        <span className="text-lg font-semibold tracking-tight">Dragoman</span>
      </div>
      {mayAct && (
        <div className="px-3 pb-3">
          <Link to="/new" className={classNames(buttonClasses('primary'), 'w-full')}>
            <Plus size={15} aria-hidden />
            {words.newSession}
          </Link>
        </div>
      )}
      <div className="flex flex-col gap-0.5 px-2">
        <Link to="/" className={ITEM} activeOptions={{ exact: true }}>
          <House size={16} aria-hidden />
          <span className="flex-1">{words.home}</span>
          {waiting > 0 && (
            <Badge tone="warn">
              <span className="sr-only">{words.needsYou(waiting)}</span>
              <span aria-hidden>{waiting}</span>
            </Badge>
          )}
        </Link>
        {PLACES.map(({ to, word, Icon }) => (
          // A session among the recent ones marks itself.
          <Link key={to} to={to} className={ITEM} activeOptions={{ exact: to === '/sessions', includeSearch: false }}>
            <Icon size={16} aria-hidden />
            {words[word]}
          </Link>
        ))}
      </div>
      <RecentSessions />
      <div className="border-t border-line p-2">
        <AccountMenu />
      </div>
    </nav>
  );
}

function RecentSessions() {
  const words = appWords.use();
  const { sessions = [] } = useSessions();
  const userId = useMe()?.userId;
  return (
    <div className="mt-4 min-h-0 flex-1 overflow-y-auto px-2 pb-2">
      {sessions.length > 0 && <h2 className="px-2.5 pb-1 text-2xs font-medium text-faint">{words.recent}</h2>}
      <ul>
        {sessions.slice(0, 30).map((session) => (
          <li key={session.id}>
            <Link to="/sessions/$sessionId" params={{ sessionId: session.id }} className={classNames(ITEM, 'py-1')}>
              <SessionDot session={session} />
              <span
                className={classNames('min-w-0 flex-1 truncate', isUnreadBy(session, userId) && 'font-medium text-ink')}
              >
                {visibleText(session.title)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const TAB =
  'flex min-w-0 flex-1 flex-col items-center gap-0.5 py-1.5 text-2xs text-soft aria-[current=page]:text-accent aria-[current=page]:font-medium';

/** The menu below every page on a phone. */
export function TabMenu() {
  const words = appWords.use();
  const waiting = useAttention()?.waiting.length ?? 0;
  return (
    <nav
      aria-label={words.mainMenu}
      className="flex shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <Link to="/" className={TAB} activeOptions={{ exact: true }}>
        <span className="relative">
          <House size={20} aria-hidden />
          {waiting > 0 && <span aria-hidden className="absolute -top-1 -right-1.5 size-2.5 rounded-full bg-warn" />}
        </span>
        {words.home}
      </Link>
      {PLACES.map(({ to, word, Icon }) => (
        <Link key={to} to={to} className={TAB}>
          <Icon size={20} aria-hidden />
          {words[word]}
        </Link>
      ))}
    </nav>
  );
}
