import { type ReactNode, useContext } from 'react';
import { appWords } from '../../../app/app-words.ts';
import { chooseTheme, useTheme } from '../../../app/theme.ts';
import { Panel, Section } from '../../../design/page.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { LanguageContext, LANGUAGES } from '../../../words/language.ts';
import { appearanceWords } from './appearance-words.ts';

/** How the console looks in this browser. */
export function AppearancePart() {
  const words = appearanceWords.use();
  const { themes } = appWords.use();
  const theme = useTheme();
  const { language, choose } = useContext(LanguageContext);
  return (
    <Section title={words.title} about={words.about}>
      <Panel className="divide-y divide-line">
        <Choice title={words.language} about={words.languageAbout}>
          <Segmented label={words.language} value={language} options={LANGUAGES} onChange={choose} />
        </Choice>
        <Choice title={words.theme} about={words.themeAbout}>
          <Segmented
            label={words.theme}
            value={theme}
            options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: themes[value] }))}
            onChange={chooseTheme}
          />
        </Choice>
      </Panel>
    </Section>
  );
}

function Choice({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-3">
      <div className="min-w-40 flex-1">
        <p className="text-sm font-medium">{title}</p>
        <p className="text-xs text-faint">{about}</p>
      </div>
      {children}
    </div>
  );
}
