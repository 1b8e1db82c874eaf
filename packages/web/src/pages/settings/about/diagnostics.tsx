import { CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react';
import { type AnswerOf, useCall } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { useServerSentence } from '../../../words/server-sentences.ts';
import { aboutWords } from './about-words.ts';
import { SettingsInForce } from './settings-in-force.tsx';

/** What the server finds when it looks at itself, with what to do, and every setting with where it comes from. */
export function Diagnostics() {
  const words = aboutWords.use();
  const sentence = useServerSentence();
  const { data, error, refetch, isFetching } = useCall('diagnose', undefined, { staleMs: 60_000 });
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <Panel>
        <SkeletonRows rows={6} height="h-6" />
      </Panel>
    );
  const ill = data.findings.filter(({ isWell }) => !isWell).length;
  return (
    <>
      <Panel>
        <div className="flex items-center gap-2 border-b border-line px-3 py-2">
          <State isWell={data.isWell} />
          <p role="status" className="flex-1 text-sm font-medium">
            {data.isWell ? words.allWell : words.someNot(ill)}
          </p>
          <Button
            size="small"
            look="quiet"
            icon={<RefreshCw size={14} aria-hidden />}
            isBusy={isFetching}
            onClick={() => void refetch()}
          >
            {words.again}
          </Button>
        </div>
        <ul className="divide-y divide-line">
          {data.findings.toSorted(illFirst).map((finding, index) => (
            <li key={index} className="flex gap-2 px-3 py-2 text-sm">
              <State isWell={finding.isWell} />
              <div className="contained flex-1">
                <span className="font-medium">
                  {Object.hasOwn(words.subjects, finding.subject)
                    ? words.subjects[finding.subject as keyof typeof words.subjects]
                    : finding.subject}
                </span>
                <p className="text-xs whitespace-pre-wrap text-soft">{sentence(finding.says)}</p>
              </div>
            </li>
          ))}
        </ul>
      </Panel>
      <SettingsInForce settings={data.settings} />
    </>
  );
}

function State({ isWell }: { isWell: boolean }) {
  const words = aboutWords.use();
  return isWell ? (
    <CircleCheck size={15} role="img" aria-label={words.well} className="mt-0.5 shrink-0 text-good" />
  ) : (
    <TriangleAlert size={15} role="img" aria-label={words.notWell} className="mt-0.5 shrink-0 text-warn" />
  );
}

type Finding = AnswerOf<'diagnose'>['findings'][number];

function illFirst(one: Finding, other: Finding): number {
  return Number(one.isWell) - Number(other.isWell);
}
