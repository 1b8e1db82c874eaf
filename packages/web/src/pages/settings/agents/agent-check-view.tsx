import type { AgentCheck } from '@dragoman/protocol/console';
import { CircleCheck, CircleMinus, CircleX, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Spinner } from '../../../design/spinner.tsx';
import { useFormats } from '../../../words/formats.ts';
import { agentsWords } from './agents-words.ts';
import type { RunningCheck } from './use-agent-check.ts';

type Rule = AgentCheck['rules'][number];

const ICONS = {
  passed: <CircleCheck size={15} aria-hidden className="mt-0.5 shrink-0 text-good" />,
  failed: <CircleX size={15} aria-hidden className="mt-0.5 shrink-0 text-bad" />,
  warning: <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0 text-warn" />,
  skipped: <CircleMinus size={15} aria-hidden className="mt-0.5 shrink-0 text-faint" />,
};
/** What to look at first. */
const ORDER = ['failed', 'warning', 'passed', 'skipped'] as const;

/** How far a check is, and what came of it: every rule as an entry of a checklist. */
export function AgentCheckView({ check }: { check: RunningCheck }) {
  if (check.since !== undefined) return <Progress since={check.since} onStop={check.stop} />;
  if (check.error !== null) return <Failure error={check.error} />;
  if (check.result === undefined) return null;
  return <Outcome result={check.result} />;
}

function Progress({ since, onStop }: { since: number; onStop: () => void }) {
  const words = agentsWords.use();
  const formats = useFormats();
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div role="status" className="flex items-start gap-2.5 rounded-lg border border-line bg-raised px-3 py-2.5 text-sm">
      <Spinner size={16} className="mt-0.5 text-busy" />
      <div className="min-w-0 flex-1">
        <p>{words.checking}</p>
        <p aria-live="off" className="text-xs text-faint">
          {words.checkingFor(formats.duration(Math.max(0, now - since)))}
        </p>
      </div>
      <Button size="small" onClick={onStop}>
        {words.cancelCheck}
      </Button>
    </div>
  );
}

function Outcome({ result: { isWell, rules, problem } }: { result: AgentCheck }) {
  const words = agentsWords.use();
  const count = (outcome: Rule['outcome']) => rules.filter((rule) => rule.outcome === outcome).length;
  const counts = {
    passed: count('passed'),
    failed: count('failed'),
    warning: count('warning'),
    skipped: count('skipped'),
  };
  const others = rules.filter(({ outcome }) => outcome === 'passed' || outcome === 'skipped');
  return (
    <div className="flex flex-col gap-2">
      {problem !== undefined && (
        <Notice tone="bad" title={problem.message}>
          {problem.fix}
        </Notice>
      )}
      {rules.length > 0 && (
        <>
          <p role="status" className="flex items-center gap-2 text-sm font-medium">
            {ICONS[isWell ? 'passed' : 'failed']}
            {words.summary(counts)}
          </p>
          <RuleList rules={rules.filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')} />
          <details>
            <summary className="text-xs text-soft hover:text-ink">{words.showOthers(others.length)}</summary>
            <div className="mt-2">
              <RuleList rules={others} />
            </div>
          </details>
        </>
      )}
    </div>
  );
}

function RuleList({ rules }: { rules: readonly Rule[] }) {
  if (rules.length === 0) return null;
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {ORDER.flatMap((outcome) => rules.filter((rule) => rule.outcome === outcome)).map((rule) => (
        <RuleLine key={rule.id} rule={rule} />
      ))}
    </ul>
  );
}

function RuleLine({ rule: { id, title, outcome, says } }: { rule: Rule }) {
  const words = agentsWords.use();
  return (
    <li className="flex gap-2 px-2.5 py-1.5 text-sm">
      {ICONS[outcome]}
      <div className="contained flex-1">
        <span className="sr-only">{words.outcomes[outcome]}</span> {title}
        <span className="ml-1.5 font-mono text-2xs text-faint">{id}</span>
        {says !== undefined && outcome !== 'passed' && <p className="text-xs whitespace-pre-wrap text-soft">{says}</p>}
      </div>
    </li>
  );
}
