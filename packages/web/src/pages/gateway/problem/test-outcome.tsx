import { CircleCheck } from 'lucide-react';
import type { AnswerOf } from '../../../api/calls.ts';
import { Failure } from '../../../design/failure.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Spinner } from '../../../design/spinner.tsx';
import { useFormats } from '../../../words/formats.ts';
import { gatewayWords } from '../gateway-words.ts';
import { useProblemTitle } from './problem-words.ts';

/** Where what to do has more in it than the title: the address, or what the network said. */
const ADDS: ReadonlySet<string> = new Set(['unreachable', 'not-found', 'misread', 'config-invalid']);

/** How a test goes: what `useMutation` knows of it. */
interface Tested {
  isPending: boolean;
  data: AnswerOf<'testModel'> | undefined;
  error: Error | null;
}

/** How a test of a model went, in place: how long it took and what it said, or what is wrong and what to do. */
export function TestOutcome({ test }: { test: Tested }) {
  return (
    <div aria-live="polite" className="empty:hidden">
      <Outcome {...test} />
    </div>
  );
}

function Outcome({ isPending, data, error }: Tested) {
  const words = gatewayWords.use();
  const { code = '', message = '', fix } = data?.problem ?? {};
  const problem = useProblemTitle(code);
  if (isPending)
    return (
      <p className="flex min-h-7 items-center gap-2 text-xs text-soft">
        <Spinner />
        {words.asking}
      </p>
    );
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return null;
  if (data.isWell) return <Answered answer={data} />;
  return (
    <Notice tone="bad" title={problem}>
      <p className="text-xs">{message}</p>
      {fix !== undefined && ADDS.has(code) && <p className="text-xs">{fix}</p>}
    </Notice>
  );
}

function Answered({ answer }: { answer: AnswerOf<'testModel'> }) {
  const words = gatewayWords.use();
  const formats = useFormats();
  const { target, text, firstMs, totalMs } = answer;
  const times = [
    words.answeredIn(formats.duration(totalMs)),
    ...(firstMs === undefined ? [] : [words.firstAfter(formats.duration(firstMs))]),
  ];
  return (
    <div className="flex items-start gap-2 rounded-md bg-good-wash px-2.5 py-1.5 text-xs">
      <CircleCheck size={14} aria-hidden className="mt-0.5 shrink-0 text-good" />
      <div className="contained flex-1">
        <p className="text-good">
          <span className="font-medium">{times.join(' · ')}</span> <span className="font-mono">{target}</span>
        </p>
        <p className="text-soft">{text.trim() === '' ? words.noText : text}</p>
      </div>
    </div>
  );
}
