import { Link } from '@tanstack/react-router';
import { Command, House, PanelLeft, Plus } from 'lucide-react';
import type { ReactElement } from 'react';
import { useMayAct } from '../../api/me.ts';
import { useAttention } from '../../api/sessions.ts';
import { openOverlay } from '../../commands/overlay.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { Tooltip } from '../../design/tooltip.tsx';
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
  const named = (name: string, link: ReactElement) => (
    <Tooltip key={name} side="right" words={name}>
      {link}
    </Tooltip>
  );
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
      {mayAct &&
        named(
          words.newSession,
          <Link
            to="/new"
            aria-label={words.newSession}
            className={`${BOX} my-1 bg-accent text-on-accent hover:bg-accent-strong`}
          >
            <Plus size={18} aria-hidden />
          </Link>,
        )}
      <IconButton
        label={words.commands}
        aria-keyshortcuts="Control+K Meta+K"
        icon={<Command size={18} aria-hidden />}
        className="size-9"
        onClick={() => openOverlay('commands')}
      />
      {named(
        waiting > 0 ? common.named(words.home, words.needsYou(waiting)) : words.home,
        <Link
          to="/"
          activeOptions={{ exact: true }}
          aria-label={waiting > 0 ? common.named(words.home, words.needsYou(waiting)) : words.home}
          className={ITEM}
        >
          <House size={18} aria-hidden />
          {waiting > 0 && <span aria-hidden className="absolute top-1 right-1 size-2.5 rounded-full bg-warn" />}
        </Link>,
      )}
      {PLACES.map(({ to, word, Icon }) =>
        named(
          words[word],
          <Link to={to} aria-label={words[word]} activeOptions={{ includeSearch: false }} className={ITEM}>
            <Icon size={18} aria-hidden />
          </Link>,
        ),
      )}
      <span className="flex-1" />
      <AccountMenu isFolded />
    </nav>
  );
}
