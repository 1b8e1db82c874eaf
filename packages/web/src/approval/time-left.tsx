import { useNow } from '../design/time-ago.tsx';
import { useFormats } from '../words/formats.ts';
import { approvalWords } from './approval-words.ts';

/** How long an answer is waited for. Nobody counts the seconds of an hour, and the clocks of two machines differ by some. */
export function TimeLeft({ until }: { until: number }) {
  const words = approvalWords.use();
  const formats = useFormats();
  const left = until - useNow();
  return (
    <p className="text-2xs text-faint" title={formats.moment(until)}>
      {left < 30_000 ? words.timeOver : words.timeLeft(formats.duration(Math.round(left / 60_000) * 60_000))}
    </p>
  );
}
