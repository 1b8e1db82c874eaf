import type { UsageRow } from '@dragoman/protocol/console';
import { useMemo, useState } from 'react';
import { BarChart, type ChartSeries } from '../../../chart/bar-chart.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { useFormats } from '../../../words/formats.ts';
import { useLanguage } from '../../../words/language.ts';
import { tellCost } from './tell-cost.ts';
import { usageWords } from './usage-words.ts';
import { UsageTable } from './usage-table.tsx';

type Shown = 'cost' | 'calls' | 'tokens';

/** Usage of each day, as bars or as a table. */
export function UsageByDay({ rows, days }: { rows: readonly UsageRow[]; days: number }) {
  const words = usageWords.use();
  const [shown, setShown] = useState<Shown>('calls');
  const [form, setForm] = useState<'chart' | 'table'>('chart');
  return (
    <Section title={words.byDay} about={words.byDayAbout}>
      <div className="mb-2 flex flex-wrap justify-between gap-2">
        <Segmented
          label={words.show}
          value={shown}
          options={(['cost', 'calls', 'tokens'] as const).map((value) => ({ value, label: words[value] }))}
          onChange={(value) => {
            setShown(value);
            setForm('chart');
          }}
        />
        <Segmented
          label={words.form}
          value={form}
          options={[
            { value: 'chart', label: words.asChart },
            { value: 'table', label: words.asTable },
          ]}
          onChange={setForm}
        />
      </div>
      {form === 'table' ? (
        <UsageTable caption={words.byDay} head={words.day} rows={rows.toReversed()} />
      ) : (
        <Panel className="px-4 py-3">
          <Chart rows={rows} days={days} shown={shown} />
        </Panel>
      )}
    </Section>
  );
}

function Chart({ rows, days, shown }: { rows: readonly UsageRow[]; days: number; shown: Shown }) {
  const words = usageWords.use();
  const formats = useFormats();
  const language = useLanguage();
  const names = useMemo(() => {
    const day = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    });
    return rows.map(({ key }) => day.format(Date.parse(`${key}T00:00:00Z`)));
  }, [rows, language]);
  const series = useMemo<ChartSeries[]>(() => {
    if (shown === 'cost')
      return [
        {
          label: words.cost,
          tone: 'accent',
          values: rows.map(({ costDollars }) => costDollars ?? 0),
          texts: rows.map((row) => tellCost(row, words, formats.dollars)),
        },
      ];
    if (shown === 'calls')
      return [
        { label: words.calls, tone: 'accent', values: rows.map(({ calls }) => calls) },
        { label: words.ofWhichFailed, tone: 'bad', values: rows.map(({ errors }) => errors) },
      ];
    return [
      {
        label: words.tokens,
        tone: 'accent',
        values: rows.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
      },
      { label: words.ofWhichOut, tone: 'busy', values: rows.map(({ outputTokens }) => outputTokens) },
    ];
  }, [rows, shown, words, formats]);
  return (
    <BarChart
      label={words.chartOf(words[shown], days)}
      names={names}
      series={series}
      isWhole={shown !== 'cost'}
      format={shown === 'cost' ? formats.dollars : formats.short}
    />
  );
}
