import { Link } from '@tanstack/react-router';
import { Command, House, PanelLeft, Plus } from 'lucide-react';
import { useMayAct } from '../../api/me.ts';
import { useAttention } from '../../api/sessions.ts';
import { COMMAND_KEY } from '../../commands/command-key.ts';
import { openOverlay } from '../../commands/overlay.ts';
import { Badge } from '../../design/badge.tsx';
import { buttonClasses } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { AccountMenu } from '../account-menu.tsx';
import { appWords } from '../app-words.ts';
import { PLACES } from '../places.ts';
import { MENU_ITEM } from './menu-item.ts';
import { RecentSessions } from './recent-sessions.tsx';
import { SideRail } from './side-rail.tsx';
import { useFold } from './use-fold.ts';

/** The menu beside every page on a desktop: where one can go, and the sessions that move. Folded it is a rail of signs. */
export function SideMenu() {
  const words = appWords.use();
  const mayAct = useMayAct();
  const { isFolded, toggle } = useFold();
  if (isFolded) return <SideRail onUnfold={toggle} />;
  return (
    <nav aria-label={words.mainMenu} className="hidden w-60 shrink-0 flex-col border-r border-line bg-panel md:flex">
      <div className="flex items-center gap-2 pt-3 pr-2 pb-2.5 pl-4">
        <img src="/icon.svg" alt="" className="size-6" />
        <span className="min-w-0 flex-1 text-lg font-semibold tracking-tight">Dragoman</span>
        <IconButton
          label={words.foldMenu}
          aria-keyshortcuts="["
          icon={<PanelLeft size={16} aria-hidden />}
          onClick={toggle}
        />
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
        <button
          type="button"
          aria-keyshortcuts="Control+K Meta+K"
          className={MENU_ITEM}
          onClick={() => openOverlay('commands')}
        >
          <Command size={16} aria-hidden />
          <span className="flex-1 text-left">{words.commands}</span>
          <kbd aria-hidden className="font-mono text-2xs text-faint">
            {COMMAND_KEY}
          </kbd>
        </button>
        <HomeLink />
        {PLACES.map(({ to, word, Icon }) => (
          // A session among the recent ones marks itself.
          <Link
            key={to}
            to={to}
            className={MENU_ITEM}
            activeOptions={{ exact: to === '/sessions', includeSearch: false }}
          >
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

function HomeLink() {
  const words = appWords.use();
  const waiting = useAttention()?.waiting.length ?? 0;
  return (
    <Link to="/" className={MENU_ITEM} activeOptions={{ exact: true }}>
      <House size={16} aria-hidden />
      <span className="flex-1">{words.home}</span>
      {waiting > 0 && (
        <Badge tone="warn">
          <span className="sr-only">{words.needsYou(waiting)}</span>
          <span aria-hidden>{waiting}</span>
        </Badge>
      )}
    </Link>
  );
}
