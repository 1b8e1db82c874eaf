import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { buttonClasses } from '../../../design/button.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { Skeleton } from '../../../design/skeleton.tsx';
import { useNow } from '../../../design/time-ago.tsx';
import { BudgetsSection } from './budgets-section.tsx';
import { fillDays, sumOf } from './fill-days.ts';
import { UsageByDay } from './usage-by-day.tsx';
import { UsageTable } from './usage-table.tsx';
import { UsageTotals } from './usage-totals.tsx';
import { usageWords } from './usage-words.ts';

/** How the gateway calls a provider that has no name yet. */
const DRAFT = 'new provider/';
const CHOICES = ['7', '30', '90'] as const;

/** What was used, what it cost and how much came from caches, by day, model, route and token. */
export function UsagePart() {
  const words = usageWords.use();
  const [chosen, setChosen] = useState<(typeof CHOICES)[number]>('30');
  const days = Number(chosen);
  const options = { keepsPrevious: true, everyMs: 30_000 };
  const byDay = useCall('readUsage', { by: 'day', days }, options);
  const byModel = useCall('readUsage', { by: 'model', days }, options);
  const byRoute = useCall('readUsage', { by: 'route', days }, options);
  const byToken = useCall('readUsage', { by: 'token', days }, options);
  const now = useNow();
  const today = Math.floor(now / 86_400_000);
  // What is kept of the days before while others are asked for has its own number of days.
  const rows = useMemo(
    () => (byDay.data === undefined ? [] : fillDays(byDay.data.rows, byDay.data.days, today * 86_400_000)),
    [byDay.data, today],
  );
  const total = useMemo(() => sumOf(rows), [rows]);
  const error = byDay.error ?? byModel.error ?? byRoute.error ?? byToken.error;
  return (
    <>
      <div className="mb-4 flex justify-end">
        <Segmented
          label={words.days}
          value={chosen}
          options={CHOICES.map((value) => ({ value, label: words.lastDays(Number(value)) }))}
          onChange={setChosen}
        />
      </div>
      {error !== null && (
        <div className="mb-4">
          <Failure
            error={error}
            onRetry={() => void Promise.all([byDay, byModel, byRoute, byToken].map((call) => call.refetch()))}
          />
        </div>
      )}
      <BudgetsSection />
      {byDay.isPending && <Loading />}
      {byDay.data !== undefined && total.calls === 0 && (
        <Panel>
          <EmptyState
            icon={<ChartColumn size={28} aria-hidden />}
            title={words.emptyTitle}
            action={
              <Link to="/gateway" search={{ tab: 'connect' }} className={buttonClasses('primary')}>
                {words.connect}
              </Link>
            }
          >
            {words.empty}
          </EmptyState>
        </Panel>
      )}
      {byDay.data !== undefined && total.calls > 0 && (
        <>
          <UsageTotals total={total} />
          <UsageByDay rows={rows} days={byDay.data.days} />
          <Section title={words.byModel}>
            <UsageTable
              caption={words.byModel}
              head={words.model}
              rows={byCost(byModel.data?.rows ?? [])}
              nameOf={(key) =>
                key === '' ? words.noTarget : key.startsWith(DRAFT) ? words.beforeSaving(key.slice(DRAFT.length)) : key
              }
              isCode
            />
          </Section>
          <Section title={words.byRoute}>
            <UsageTable caption={words.byRoute} head={words.route} rows={byCost(byRoute.data?.rows ?? [])} isCode />
          </Section>
          <Section title={words.byToken}>
            <UsageTable
              caption={words.byToken}
              head={words.token}
              rows={byCost(byToken.data?.rows ?? [])}
              nameOf={(key) => (key === '' ? words.otherPeople : key)}
            />
          </Section>
        </>
      )}
    </>
  );
}

function byCost<Row extends { costDollars: number | null; calls: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => (other.costDollars ?? 0) - (one.costDollars ?? 0) || other.calls - one.calls);
}

function Loading() {
  return (
    <div aria-busy>
      <div className="mb-7 grid grid-cols-2 gap-3 lg:grid-cols-4">
        {CHOICES.map((key) => (
          <Skeleton key={key} className="h-20" />
        ))}
        <Skeleton className="h-20" />
      </div>
      <Skeleton className="h-72" />
    </div>
  );
}
