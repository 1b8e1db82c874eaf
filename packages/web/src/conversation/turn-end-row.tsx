import type { RowOf, ShownTurn, TurnEnd } from '@dragoman/protocol';
import { Play, RotateCcw } from 'lucide-react';
import { memo } from 'react';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { useOutbox } from '../outbox/outbox.ts';
import { useFormats } from '../words/formats.ts';
import { useConversation } from './conversation-context.ts';
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

function Ending({ turn: { id, reason = 'done', error } }: { turn: ShownTurn }) {
  const words = conversationWords.use();
  const { lastTurnId, canResume } = useConversation();
  if (reason === 'done') return null;
  const again = <Again turnId={id} reason={reason} />;
  const title = words.turnEnd[reason] ?? reason;
  const helps: Partial<Record<TurnEnd['reason'], string>> = canResume
    ? words.turnHelp
    : { ...words.turnHelp, interrupted: words.startOver };
  // What to do next is of use until it was done.
  const help = id === lastTurnId ? helps[reason] : undefined;
  if (reason === 'failed' || error !== undefined)
    return (
      <FaultNotice
        title={title}
        fault={error ?? {}}
        help={error?.fix === undefined ? help : undefined}
        action={again}
      />
    );
  if (reason === 'cancelled') return <p className="text-center text-xs text-faint">{title}</p>;
  return (
    <Notice tone="warn" title={title} action={again}>
      {help}
    </Notice>
  );
}

/**
 * The next step in one press, at the end of the last turn: the same prompt where it failed or the agent remembers nothing of it, a
 * word where it only stopped.
 */
function Again({ turnId, reason }: { turnId: string; reason: TurnEnd['reason'] }) {
  const words = conversationWords.use();
  const { sessionId, onTryAgain, lastTurnId, canResume } = useConversation();
  const isWaiting = useOutbox(sessionId).some(({ call }) => call === 'sendPrompt');
  if (turnId !== lastTurnId || onTryAgain === undefined || isWaiting || reason === 'refused') return null;
  const isAnew = reason === 'failed' || (reason === 'interrupted' && !canResume);
  return (
    <Button
      size="small"
      className="self-start"
      icon={isAnew ? <RotateCcw size={13} aria-hidden /> : <Play size={13} aria-hidden />}
      onClick={() => onTryAgain(isAnew ? undefined : words.goOnPrompt)}
    >
      {isAnew ? words.tryAgain : words.goOn}
    </Button>
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
