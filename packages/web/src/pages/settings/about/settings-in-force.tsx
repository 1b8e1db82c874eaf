import { useState } from 'react';
import type { AnswerOf } from '../../../api/calls.ts';
import { TextField } from '../../../design/field.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { Switch } from '../../../design/switch.tsx';
import { useServerSentence } from '../../../words/server-sentences.ts';
import { aboutWords } from './about-words.ts';

/** Every setting, its value, and where it comes from: the file, an option, the environment or a default. */
export function SettingsInForce({ settings }: { settings: AnswerOf<'diagnose'>['settings'] }) {
  const words = aboutWords.use();
  const sentence = useServerSentence();
  const [filter, setFilter] = useState('');
  const [isOnlyChanged, setOnlyChanged] = useState(true);
  const wanted = filter.trim().toLowerCase();
  const shown = settings.filter(
    ({ setting, from }) => (!isOnlyChanged || from !== 'default') && setting.toLowerCase().includes(wanted),
  );
  return (
    <div className="mt-7">
      <Section title={words.settings} about={words.settingsAbout}>
        <Panel>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-line px-3 py-2">
            <TextField
              label={words.filter}
              isLabelHidden
              placeholder={words.filter}
              className="min-w-40 flex-1"
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
            <Switch label={words.onlyChanged} isOn={isOnlyChanged} onChange={setOnlyChanged} />
          </div>
          <dl className="divide-y divide-line">
            {shown.map(({ setting, value, from }) => (
              <div key={setting} className="grid gap-x-3 px-3 py-1.5 text-xs sm:grid-cols-[2fr_2fr_2fr]">
                <dt className="contained font-mono font-medium">{setting}</dt>
                <dd className="contained font-mono text-soft">{value}</dd>
                <dd className="contained text-faint">{sentence(from)}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      </Section>
    </div>
  );
}
