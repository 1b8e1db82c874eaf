import { Link } from '@tanstack/react-router';
import { Command, House, PanelLeft, Plus } from 'lucide-react';
import { useMayAct } from '../../api/me.ts';
import { useAttention } from '../../api/sessions.ts';
import { openOverlay } from '../../commands/overlay.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { tooltip } from '../../design/tooltip.ts';
import { useCommonWords } from '../../words/common-words.ts';
import { AccountMenu } from '../account-menu.tsx';
import { appWords } from '../app-words.ts';
import { PLACES } from '../places.ts';

const BOX = 'relative inline-flex size-9 shrink-0 items-center justify-center rounded-md';
const ITEM = `${BOX} text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:text-ink`;

/** The menu folded: the same places as signs. */
export function SideRail({ onUnfold }: { onUnfold: () => void }) {
  const words = appWords.use();
  const common = useCommonWords();
  const mayAct = useMayAct();
  const waiting = useAttention()?.waiting.length ?? 0;
  const named = (name: string) => ({ ...tooltip(name, 'right'), 'aria-label': name });
  return (
    <nav
      aria-label={words.mainMenu}
      className="hidden w-14 shrink-0 flex-col items-center gap-1 border-r border-line bg-panel py-3 md:flex"
    >
      <IconButton
        label={words.unfoldMenu}
        aria-keyshortcuts="["
        icon={<PanelLeft size={18} aria-hidden />}
        className="size-9"
        onClick={onUnfold}
      />
      {mayAct && (
        <Link
          to="/new"
          {...named(words.newSession)}
          className={`${BOX} my-1 bg-accent text-on-accent hover:bg-accent-strong`}
        >
          <Plus size={18} aria-hidden />
        </Link>
      )}
      <IconButton
        label={words.commands}
        aria-keyshortcuts="Control+K Meta+K"
        icon={<Command size={18} aria-hidden />}
        className="size-9"
        onClick={() => openOverlay('commands')}
      />
      <Link
        to="/"
        activeOptions={{ exact: true }}
        {...named(waiting > 0 ? common.named(words.home, words.needsYou(waiting)) : words.home)}
        className={ITEM}
      >
        <House size={18} aria-hidden />
        {waiting > 0 && <span aria-hidden className="absolute top-1 right-1 size-2.5 rounded-full bg-warn" />}
      </Link>
      {PLACES.map(({ to, word, Icon }) => (
        <Link key={to} to={to} {...named(words[word])} activeOptions={{ includeSearch: false }} className={ITEM}>
          <Icon size={18} aria-hidden />
        </Link>
      ))}
      <span className="flex-1" />
      <AccountMenu isFolded />
    </nav>
  );
}
