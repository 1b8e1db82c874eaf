import type { UsageRow } from '@dragoman/protocol/console';
import { Panel } from '../../../design/page.tsx';
import { useFormats } from '../../../words/formats.ts';
import { tellCost } from './tell-cost.ts';
import { usageWords } from './usage-words.ts';

/** Everything of the chosen time in a few numbers. */
export function UsageTotals({ total }: { total: UsageRow }) {
  const words = usageWords.use();
  const formats = useFormats();
  const { calls, errors, inputTokens, outputTokens, cacheReadTokens, cacheShare = 0, firstEventMs, totalMs } = total;
  return (
    <dl className="mb-7 grid grid-cols-2 gap-3 md:grid-cols-3">
      <Total
        name={words.cost}
        value={tellCost(total, words, formats.dollars)}
        about={total.unpricedCalls === 0 ? words.costAbout : words.unpriced(total.unpricedCalls)}
      />
      <Total
        name={words.calls}
        value={formats.count(calls)}
        about={errors === 0 ? words.allWell : words.failedOf(formats.count(errors), formats.percent(errors / calls))}
      />
      <Total
        name={words.inputTokens}
        value={formats.short(inputTokens)}
        about={words.cached(formats.short(cacheReadTokens), formats.percent(cacheShare))}
      />
      <Total name={words.outputTokens} value={formats.short(outputTokens)} />
      <Latency name={words.firstToken} about={words.firstTokenAbout} latency={firstEventMs} />
      <Latency name={words.totalTime} about={words.totalTimeAbout} latency={totalMs} />
    </dl>
  );
}

/** The median, and below it what 95 of 100 calls were done within. */
function Latency({ name, about, latency }: { name: string; about: string; latency: UsageRow['totalMs'] }) {
  const words = usageWords.use();
  const formats = useFormats();
  if (latency === undefined) return <Total name={name} value="–" about={about} />;
  return (
    <Total
      name={name}
      value={formats.duration(latency.median)}
      about={words.medianAnd(formats.duration(latency.p95))}
    />
  );
}

function Total({ name, value, about }: { name: string; value: string; about?: string }) {
  return (
    <Panel className="px-4 py-3">
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="contained text-xl font-semibold tabular-nums">{value}</dd>
      {about !== undefined && <dd className="text-xs text-faint">{about}</dd>}
    </Panel>
  );
}
