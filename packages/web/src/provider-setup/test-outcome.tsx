import { CircleCheck } from 'lucide-react';
import { Failure } from '../design/failure.tsx';
import { Notice } from '../design/notice.tsx';
import { Spinner } from '../design/spinner.tsx';
import { useFormats } from '../words/formats.ts';
import { providerWords } from './provider-words.ts';
import type { ProviderTest } from './use-provider-test.ts';

interface TestOutcomeProps {
  isBusy: boolean;
  outcome: ProviderTest | undefined;
  error: Error | undefined;
}

/** How the test goes, in words: what the model said and how fast, or what is wrong and what to do. */
export function TestOutcome({ isBusy, outcome, error }: TestOutcomeProps) {
  const words = providerWords.use();
  const formats = useFormats();
  if (error !== undefined) return <Failure error={error} />;
  if (outcome?.problem !== undefined) {
    const { code, message } = outcome.problem;
    return (
      <Notice
        tone={code === 'not-offered' ? 'info' : 'bad'}
        title={code in words.problems ? words.problems[code as keyof typeof words.problems] : words.problem}
      >
        <span className="text-xs">{message}</span>
      </Notice>
    );
  }
  if (outcome?.answer !== undefined) {
    const { firstMs, totalMs, text } = outcome.answer;
    return (
      <div role="status" className="flex gap-2.5 rounded-lg border border-good/40 bg-good-wash px-3 py-2.5 text-sm">
        <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-good" />
        <div className="contained flex-1">
          <p className="font-medium text-good">
            {words.works(outcome.model ?? '', formats.duration(firstMs ?? totalMs))}
          </p>
          {text !== '' && <p className="text-soft">{words.said(text)}</p>}
          {outcome.models.length > 0 && (
            <p className="text-xs text-faint">{words.foundModels(outcome.models.length)}</p>
          )}
        </div>
      </div>
    );
  }
  if (!isBusy) return null;
  return (
    <p role="status" className="flex items-center gap-2 py-1 text-sm text-soft">
      <Spinner />
      {words.testing}
    </p>
  );
}
