import { ChevronRight, CircleCheck } from 'lucide-react';
import { type AnswerOf, useCall } from '../../../api/calls.ts';
import { Badge } from '../../../design/badge.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { useFormats } from '../../../words/formats.ts';
import { ExplainPath } from './explain-path.tsx';
import { leftOutWords } from './left-out-words.ts';

/** What of a workspace is not indexed, by reason, and why one path is or is not. */
export function LeftOutPart({ workspaceId }: { workspaceId: string }) {
  const words = leftOutWords.use();
  const leftOut = useCall('listLeftOut', { workspaceId });
  return (
    <div>
      <Section title={words.explainTitle} about={words.explainAbout}>
        <ExplainPath workspaceId={workspaceId} />
      </Section>
      <Section title={words.title} about={words.about}>
        {leftOut.error !== null && <Failure error={leftOut.error} onRetry={() => void leftOut.refetch()} />}
        <Panel>
          {leftOut.isPending && <SkeletonRows rows={4} height="h-14" />}
          {leftOut.data?.groups.length === 0 && (
            <EmptyState icon={<CircleCheck size={28} aria-hidden />} title={words.noneTitle}>
              {words.none}
            </EmptyState>
          )}
          <ul className="divide-y divide-line">
            {leftOut.data?.groups.map((group) => (
              <Group key={group.reason} group={group} />
            ))}
          </ul>
        </Panel>
      </Section>
    </div>
  );
}

function Group({ group }: { group: AnswerOf<'listLeftOut'>['groups'][number] }) {
  const words = leftOutWords.use();
  const formats = useFormats();
  const titles: Readonly<Record<string, string>> = words.reasons;
  const advice: Readonly<Record<string, string>> = words.advice;
  const { reason, title, count, examples } = group;
  return (
    <li className="px-4 py-3">
      <details>
        <summary className="flex list-none items-center gap-2 text-sm [&::-webkit-details-marker]:hidden">
          <ChevronRight size={14} aria-hidden className="shrink-0 text-faint transition-transform in-open:rotate-90" />
          <span className="contained flex-1">{titles[reason] ?? title}</span>
          <Badge>{formats.count(count)}</Badge>
        </summary>
        <p className="mt-2 pl-5.5 text-xs text-soft">{words.examples}</p>
        <ul className="mt-1 flex flex-col gap-0.5 pl-5.5 font-mono text-xs text-soft">
          {examples.map((path) => (
            <li key={path} className="contained">
              {path}
            </li>
          ))}
        </ul>
        {count > examples.length && (
          <p className="mt-1 pl-5.5 text-xs text-faint">{words.more(formats.count(count - examples.length))}</p>
        )}
      </details>
      {advice[reason] !== undefined && <p className="pl-5.5 text-xs text-faint">{advice[reason]}</p>}
    </li>
  );
}
