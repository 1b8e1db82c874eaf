import type { RowOf, ShownTurn } from '@dragoman/protocol';
import { memo } from 'react';
import { Notice } from '../design/notice.tsx';
import { useFormats } from '../words/formats.ts';
import { conversationWords } from './conversation-words.ts';
import { FaultNotice } from './fault-notice.tsx';

/** How a turn ended where that is not as it should, and what it took. */
export const TurnEndRow = memo(function TurnEndRow({ turn, usage }: Pick<RowOf<'turn-end'>, 'turn' | 'usage'>) {
  return (
    <div className="flex flex-col gap-2">
      <Ending turn={turn} />
      <Took turn={turn} usage={usage} />
    </div>
  );
});

function Ending({ turn: { reason = 'done', error } }: { turn: ShownTurn }) {
  const words = conversationWords.use();
  if (reason === 'done') return null;
  const title = words.turnEnd[reason] ?? reason;
  const help = reason in words.turnHelp ? words.turnHelp[reason as keyof typeof words.turnHelp] : undefined;
  if (reason === 'failed' || error !== undefined)
    return <FaultNotice title={title} fault={error ?? {}} help={error?.fix === undefined ? help : undefined} />;
  if (reason === 'cancelled') return <p className="text-center text-xs text-faint">{title}</p>;
  return (
    <Notice tone="warn" title={title}>
      {help}
    </Notice>
  );
}

function Took({ turn, usage }: Pick<RowOf<'turn-end'>, 'turn' | 'usage'>) {
  const words = conversationWords.use();
  const formats = useFormats();
  const ms = (turn.finishedAt ?? turn.startedAt) - turn.startedAt;
  const parts = [
    ms >= 1000 && formats.duration(ms),
    usage.input_tokens !== undefined && words.tokensIn(formats.short(usage.input_tokens)),
    (usage.cache_read_tokens ?? 0) > 0 && words.tokensCached(formats.short(usage.cache_read_tokens ?? 0)),
    usage.output_tokens !== undefined && words.tokensOut(formats.short(usage.output_tokens)),
    (usage.cost_usd ?? 0) > 0 && formats.dollars(usage.cost_usd ?? 0),
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  return (
    <p aria-label={words.usage} role="note" className="flex items-center gap-3 px-8 text-2xs text-faint tabular-nums">
      <span aria-hidden className="h-px flex-1 bg-line" />
      {parts.join(' · ')}
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  );
}
