import type { UsageRow } from '@dragoman/protocol/console';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../../../api/calls.ts';
import { BarChart, type ChartSeries } from '../../../chart/bar-chart.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { useFormats } from '../../../words/formats.ts';
import { type Language, useLanguage } from '../../../words/language.ts';
import { fillTimes } from './fill-times.ts';
import { tellCost } from './tell-cost.ts';
import { UsageTable } from './usage-table.tsx';
import { usageWords } from './usage-words.ts';

const SHOWN = ['calls', 'cost', 'tokens', 'firstToken', 'totalTime'] as const;
type Shown = (typeof SHOWN)[number];

/** Usage of each hour or day, as bars or as a table. */
export function UsageByTime({ usage }: { usage: AnswerOf<'readUsage'> }) {
  const words = usageWords.use();
  const language = useLanguage();
  const [shown, setShown] = useState<Shown>('calls');
  const [form, setForm] = useState<'chart' | 'table'>('chart');
  const unit = usage.by === 'hour' ? 'hour' : 'day';
  const rows = useMemo(() => fillTimes(usage.rows, usage.times ?? []), [usage]);
  const names = useMemo(() => nameTimes(usage, unit, language), [usage, unit, language]);
  return (
    <Section title={words.byTime[unit]} about={words.zone(usage.timeZone)}>
      <div className="mb-2 flex flex-wrap justify-between gap-2">
        <Segmented
          label={words.show}
          value={shown}
          options={SHOWN.map((value) => ({ value, label: words[value] }))}
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
        <UsageTable
          caption={words.byTime[unit]}
          head={words.times[unit]}
          rows={rows.toReversed()}
          nameOf={(key) => names.get(key) ?? key}
        />
      ) : (
        <Panel className="px-4 py-3">
          <Chart
            label={words.chartOf[unit](words[shown], words.ranges(usage.days))}
            rows={rows}
            names={[...names.values()]}
            shown={shown}
          />
        </Panel>
      )}
    </Section>
  );
}

/** What a clock or a calendar shows, by key. */
function nameTimes({ times = [], timeZone }: AnswerOf<'readUsage'>, unit: 'hour' | 'day', language: Language) {
  const format = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone,
    ...(unit === 'hour' ? { hour: '2-digit', minute: '2-digit' } : { month: 'short', day: 'numeric' }),
  });
  return new Map(times.map(({ key, startsAt }) => [key, format.format(startsAt)]));
}

interface ChartProps {
  label: string;
  rows: readonly UsageRow[];
  names: readonly string[];
  shown: Shown;
}

function Chart({ label, rows, names, shown }: ChartProps) {
  const words = usageWords.use();
  const formats = useFormats();
  const series = useMemo<ChartSeries[]>(() => {
    switch (shown) {
      case 'cost':
        return [
          {
            label: words.cost,
            tone: 'accent',
            values: rows.map(({ costDollars }) => costDollars ?? 0),
            texts: rows.map((row) => tellCost(row, words, formats.dollars)),
          },
        ];
      case 'calls':
        return [
          { label: words.calls, tone: 'accent', values: rows.map(({ calls }) => calls) },
          { label: words.ofWhichFailed, tone: 'bad', values: rows.map(({ errors }) => errors) },
        ];
      case 'tokens':
        return [
          {
            label: words.tokens,
            tone: 'accent',
            values: rows.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
          },
          { label: words.ofWhichOut, tone: 'busy', values: rows.map(({ outputTokens }) => outputTokens) },
        ];
      default: {
        const of = ({ firstEventMs, totalMs }: UsageRow) => (shown === 'firstToken' ? firstEventMs : totalMs);
        return [
          { label: words.p95, tone: 'accent', values: rows.map((row) => of(row)?.p95 ?? 0) },
          { label: words.median, tone: 'busy', values: rows.map((row) => of(row)?.median ?? 0) },
        ];
      }
    }
  }, [rows, shown, words, formats]);
  return (
    <BarChart
      label={label}
      names={names}
      series={series}
      isWhole={shown !== 'cost'}
      format={
        shown === 'cost' ? formats.dollars : shown === 'calls' || shown === 'tokens' ? formats.short : formats.duration
      }
    />
  );
}
