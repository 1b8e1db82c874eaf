import type { UsageRow } from '@dragoman/protocol/console';
import { Panel } from '../../../design/page.tsx';
import { useFormats } from '../../../words/formats.ts';
import { cacheShare } from './fill-days.ts';
import { tellCost } from './tell-cost.ts';
import { usageWords } from './usage-words.ts';

/** Everything of the chosen days in four numbers. */
export function UsageTotals({ total }: { total: UsageRow }) {
  const words = usageWords.use();
  const formats = useFormats();
  const { calls, errors, inputTokens, outputTokens, cacheReadTokens, unpricedCalls } = total;
  return (
    <dl className="mb-7 grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Total
        name={words.cost}
        value={tellCost(total, words, formats.dollars)}
        about={
          unpricedCalls === 0 ? words.costAbout : words.unpriced(formats.count(unpricedCalls), unpricedCalls === 1)
        }
      />
      <Total
        name={words.calls}
        value={formats.count(calls)}
        about={errors === 0 ? words.allWell : words.failedOf(formats.count(errors), formats.percent(errors / calls))}
      />
      <Total
        name={words.inputTokens}
        value={formats.short(inputTokens)}
        about={words.cached(formats.short(cacheReadTokens), formats.percent(cacheShare(total) ?? 0))}
      />
      <Total name={words.outputTokens} value={formats.short(outputTokens)} />
    </dl>
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
