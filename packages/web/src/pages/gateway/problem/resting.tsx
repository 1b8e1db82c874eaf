import type { RestInfo } from '@dragoman/protocol/console';
import { Badge } from '../../../design/badge.tsx';
import { useNow } from '../../../design/time-ago.tsx';
import { useFormats } from '../../../words/formats.ts';
import { callErrorTitle, problemWords } from './problem-words.ts';

/** Says that a target is passed over, why, and until when. */
export function Resting({ rest }: { rest: RestInfo | undefined }) {
  const words = problemWords.use();
  const formats = useFormats();
  const now = useNow();
  if (rest === undefined) return null;
  const why = callErrorTitle(words, rest.code);
  return (
    <span className="flex flex-wrap items-center gap-1.5 text-xs text-soft">
      <Badge tone="warn">{words.resting}</Badge>
      {rest.until > now ? words.restingUntil(why, formats.clock(rest.until)) : words.restingDue(why)}
    </span>
  );
}
