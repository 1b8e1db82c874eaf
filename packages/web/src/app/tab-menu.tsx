import { Link } from '@tanstack/react-router';
import { Command, House } from 'lucide-react';
import { useAttention } from '../api/sessions.ts';
import { openOverlay } from '../commands/overlay.ts';
import { appWords } from './app-words.ts';
import { PLACES } from './places.ts';

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
      <button type="button" className={TAB} onClick={() => openOverlay('commands')}>
        <Command size={20} aria-hidden />
        {words.commands}
      </button>
    </nav>
  );
}
