import type { BudgetInfo } from '@dragoman/protocol/console';
import { useCall } from '../../../api/calls.ts';
import { Badge } from '../../../design/badge.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { useFormats } from '../../../words/formats.ts';
import { budgetsWords } from './budgets-words.ts';
import { nameBudget } from './name-budget.ts';

/** What is spent of the budgets, a bar for each limit. Where there are none, nothing is there. */
export function BudgetsSection() {
  const words = budgetsWords.use();
  const { data, error, refetch } = useCall('readBudgets', undefined, { everyMs: 30_000 });
  if (error !== null)
    return (
      <div className="mb-7">
        <Failure error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (data === undefined || data.budgets.length === 0) return null;
  return (
    <Section title={words.budgets} about={words.budgetsAbout}>
      <Panel>
        <ul aria-label={words.budgets} className="max-h-96 divide-y divide-line overflow-auto">
          {data.budgets.map((budget) => (
            <Budget key={keyOf(budget)} budget={budget} />
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

/** Told apart by all that is configured, whatever is spent. */
function keyOf({ scope, each, share, per, amounts }: BudgetInfo): string {
  return JSON.stringify([scope, each, share, per, amounts.map(({ unit, limit }) => [unit, limit])]);
}

function Budget({ budget }: { budget: BudgetInfo }) {
  const words = budgetsWords.use();
  const common = useCommonWords();
  const formats = useFormats();
  const { amounts, resetsAt, unknownCalls, isWarned, isSpent } = budget;
  const name = nameBudget(budget, words, common.roles);
  return (
    <li className="flex flex-col gap-1.5 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span className="contained min-w-0 font-medium">{name}</span>
        {isWarned && <Badge tone={isSpent ? 'bad' : 'warn'}>{isSpent ? words.spent : words.nearlySpent}</Badge>}
        <span className="ml-auto text-xs text-faint">{words.resets(formats.moment(resetsAt))}</span>
      </div>
      {amounts.map((amount) => (
        <Amount key={amount.unit} amount={amount} name={name} />
      ))}
      {unknownCalls > 0 && (
        <p className="text-xs text-faint">{words.unknownCalls(formats.count(unknownCalls), unknownCalls === 1)}</p>
      )}
    </li>
  );
}

/** From here on the server warns. */
const WARNED_FROM = 0.8;

function Amount({ amount: { unit, spent, limit }, name }: { amount: BudgetInfo['amounts'][number]; name: string }) {
  const words = budgetsWords.use();
  const formats = useFormats();
  const share = spent / limit;
  const show = unit === 'dollars' ? formats.dollars : formats.count;
  const text = words.of(show(spent), words.units[unit](show(limit)));
  const tone = share >= 1 ? 'bg-bad' : share >= WARNED_FROM ? 'bg-warn' : 'bg-accent';
  return (
    <div className="flex items-center gap-3">
      <div
        role="meter"
        aria-label={words.meterOf(name, words.unitNames[unit])}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(spent, limit)}
        aria-valuetext={text}
        className="h-2 min-w-16 flex-1 overflow-hidden rounded-full bg-line"
      >
        <div className={`h-full rounded-full ${tone}`} style={{ width: `${Math.min(100, share * 100)}%` }} />
      </div>
      <span className="w-44 shrink-0 text-right text-xs text-soft tabular-nums">{text}</span>
    </div>
  );
}
