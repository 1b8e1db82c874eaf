import { LogOut } from 'lucide-react';
import { useContext } from 'react';
import { useLogOut } from '../api/log-out.ts';
import { useMe } from '../api/me.ts';
import { classNames } from '../design/class-names.ts';
import { Menu, MenuItem, MenuLine, MenuTitle } from '../design/menu.tsx';
import { useCommonWords } from '../words/common-words.ts';
import { LanguageContext, LANGUAGES } from '../words/language.ts';
import { appWords } from './app-words.ts';
import { chooseTheme, useTheme } from './theme.ts';

/** Who is logged in, and what is theirs to choose: language, theme, leaving. */
export function AccountMenu({ isFolded = false }: { isFolded?: boolean }) {
  const words = appWords.use();
  const common = useCommonWords();
  const me = useMe();
  const theme = useTheme();
  const { language, choose } = useContext(LanguageContext);
  const leave = useLogOut();
  if (me === undefined) return <div className="h-11" />;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          title={words.account(me.name)}
          aria-label={isFolded ? words.account(me.name) : undefined}
          className={classNames(
            'flex items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover',
            !isFolded && 'w-full',
          )}
        >
          <span
            aria-hidden
            className="flex size-7 items-center justify-center rounded-full bg-accent-wash text-xs font-semibold text-accent-strong uppercase"
          >
            {me.name.slice(0, 1)}
          </span>
          {!isFolded && (
            <span className="min-w-0 flex-1">
              <span className="block truncate text-sm">{me.name}</span>
              <span className="block text-2xs text-faint">{common.roles[me.role]}</span>
            </span>
          )}
        </button>
      }
    >
      <MenuTitle>{words.theme}</MenuTitle>
      {(['system', 'light', 'dark'] as const).map((one) => (
        <MenuItem key={one} isChosen={theme === one} onChoose={() => chooseTheme(one)}>
          {words.themes[one]}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuTitle>{words.language}</MenuTitle>
      {LANGUAGES.map((one) => (
        <MenuItem key={one.value} isChosen={language === one.value} onChoose={() => choose(one.value)}>
          {one.label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={<LogOut size={14} aria-hidden />} onChoose={() => leave.mutate(undefined)}>
        {words.logOut}
      </MenuItem>
    </Menu>
  );
}
