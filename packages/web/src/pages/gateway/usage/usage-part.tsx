import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { buttonClasses } from '../../../design/button.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { Skeleton } from '../../../design/skeleton.tsx';
import { gatewayWords, targetTitle } from '../gateway-words.ts';
import { BudgetsSection } from './budgets-section.tsx';
import { UnpricedModels } from './unpriced-models.tsx';
import { UsageByTime } from './usage-by-time.tsx';
import { fittingRange, unitOf, USAGE_RANGES, type UsageRange, viewersZone } from './usage-range.ts';
import { UsageTable } from './usage-table.tsx';
import { UsageTotals } from './usage-totals.tsx';
import { usageWords } from './usage-words.ts';

/** What was used, what it cost, how long it took and how much came from caches, by hour or day, model, route and token. */
export function UsagePart() {
  const words = usageWords.use();
  const gateway = gatewayWords.use();
  const [chosen, setChosen] = useState<UsageRange>();
  const [timeZone] = useState(viewersZone);
  // What there is decides how much of it is shown first; with the shortest time one finds out.
  const known = useCall('readUsage', { by: 'hour', days: 1, timeZone }, { staleMs: 60_000 });
  const fitting = known.data && fittingRange(known.data.firstAt, known.dataUpdatedAt);
  const range = chosen ?? fitting ?? '1';
  const days = Number(range);
  const options = { keepsPrevious: true, everyMs: 60_000, isEnabled: chosen !== undefined || fitting !== undefined };
  const byTime = useCall('readUsage', { by: unitOf(range), days, timeZone }, options);
  const byModel = useCall('readUsage', { by: 'model', days, timeZone }, options);
  const byRoute = useCall('readUsage', { by: 'route', days, timeZone }, options);
  const byToken = useCall('readUsage', { by: 'token', days, timeZone }, options);
  const calls = [known, byTime, byModel, byRoute, byToken];
  const error = calls.map((call) => call.error).find((one) => one !== null);
  return (
    <>
      <div className="mb-4 flex justify-end">
        <Segmented
          label={words.range}
          value={range}
          options={USAGE_RANGES.map((value) => ({ value, label: words.ranges(Number(value)) }))}
          onChange={setChosen}
        />
      </div>
      {error !== undefined && (
        <div className="mb-4">
          <Failure error={error} onRetry={() => void Promise.all(calls.map((call) => call.refetch()))} />
        </div>
      )}
      <BudgetsSection />
      {byTime.isPending && <Loading />}
      {byTime.data?.total.calls === 0 && <NoUsage isOlder={byTime.data.firstAt !== undefined} />}
      {byTime.data !== undefined && byTime.data.total.calls > 0 && (
        <>
          <UsageTotals total={byTime.data.total} />
          <UnpricedModels models={byModel.data?.unpricedModels ?? []} />
          <UsageByTime usage={byTime.data} />
          <Section title={words.byModel}>
            <UsageTable
              caption={words.byModel}
              head={words.model}
              rows={byCost(byModel.data?.rows ?? [])}
              nameOf={(key) => (key === '' ? words.noTarget : targetTitle(gateway, key))}
              isCode
            />
          </Section>
          <Section title={words.byRoute}>
            <UsageTable
              caption={words.byRoute}
              head={words.route}
              rows={byCost(byRoute.data?.rows ?? [])}
              nameOf={(key) => targetTitle(gateway, key)}
              isCode
            />
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

/** Nothing in the chosen time, though there may be something before it. */
function NoUsage({ isOlder }: { isOlder: boolean }) {
  const words = usageWords.use();
  const connect = (
    <Link to="/gateway" search={{ tab: 'connect' }} className={buttonClasses('primary')}>
      {words.connect}
    </Link>
  );
  return (
    <Panel>
      <EmptyState
        icon={<ChartColumn size={28} aria-hidden />}
        title={isOlder ? words.emptyRangeTitle : words.emptyTitle}
        action={!isOlder && connect}
      >
        {isOlder ? words.emptyRange : words.empty}
      </EmptyState>
    </Panel>
  );
}

function byCost<Row extends { costDollars: number | null; calls: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => (other.costDollars ?? 0) - (one.costDollars ?? 0) || other.calls - one.calls);
}

function Loading() {
  return (
    <div aria-busy>
      <div className="mb-7 grid grid-cols-2 gap-3 md:grid-cols-3">
        {USAGE_RANGES.map((key) => (
          <Skeleton key={key} className="h-20" />
        ))}
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
      </div>
      <Skeleton className="h-72" />
    </div>
  );
}
