import type { SessionView } from '@dragoman/protocol';
import { memo } from 'react';
import { Notice } from '../../../design/notice.tsx';
import { classNames } from '../../../design/class-names.ts';
import { Popover } from '../../../design/popover.tsx';
import { useFormats } from '../../../words/formats.ts';
import { contextShare } from '../session-status.ts';
import { sessionWords } from '../session-words.ts';

/** From here on it is worth a look. */
const NEARLY_FULL = 0.8;

/** How full the context is, or where that is unknown how many tokens it took; everything that was counted when it is opened. */
export const UsageMeter = memo(function UsageMeter({ usage, turns }: { usage: SessionView['usage']; turns: number }) {
  const words = sessionWords.use();
  const formats = useFormats();
  const share = contextShare(usage);
  const isFull = share !== undefined && share > NEARLY_FULL;
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  if (share === undefined && tokens === 0) return null;
  return (
    <Popover
      label={words.usage}
      trigger={
        <button
          type="button"
          title={words.usage}
          className="flex h-6 shrink-0 items-center gap-2 rounded-md px-1.5 text-xs text-soft tabular-nums hover:bg-hover hover:text-ink"
        >
          {share === undefined ? (
            words.tokens(formats.short(tokens))
          ) : (
            <span className={classNames('flex items-center gap-1.5', isFull && 'font-medium text-warn')}>
              <span className="max-sm:hidden">{words.context}</span>
              <Bar share={share} label={words.context} />
              {formats.percent(share)}
            </span>
          )}
        </button>
      }
    >
      {share !== undefined && (
        <div className="mb-3">
          <div className="mb-1 flex justify-between text-xs">
            <span className="text-faint">{words.context}</span>
            <span className="tabular-nums">
              {words.contextOf(formats.short(usage.context_used!), formats.short(usage.context_size!))}
            </span>
          </div>
          <Bar share={share} label={words.context} isWide />
          {isFull && (
            <div className="mt-2">
              <Notice tone="warn">{words.contextFull}</Notice>
            </div>
          )}
        </div>
      )}
      <Amounts usage={usage} turns={turns} />
    </Popover>
  );
});

function Bar({ share, label, isWide = false }: { share: number; label: string; isWide?: boolean }) {
  return (
    <span
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className={classNames('block overflow-hidden rounded-full bg-hover', isWide ? 'h-1.5 w-full' : 'h-1 w-10')}
    >
      <span
        className={classNames('block h-full rounded-full', share > NEARLY_FULL ? 'bg-warn' : 'bg-accent')}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}

function Amounts({ usage, turns }: { usage: SessionView['usage']; turns: number }) {
  const words = sessionWords.use();
  const formats = useFormats();
  const rows: [string, number | undefined][] = [
    [words.input, usage.input_tokens],
    [words.output, usage.output_tokens],
    [words.reasoning, usage.reasoning_tokens],
    [words.cacheRead, usage.cache_read_tokens],
    [words.cacheWrite, usage.cache_write_tokens],
  ];
  const told = rows.filter(([, count]) => count !== undefined && count > 0);
  if (told.length === 0 && (usage.cost_usd ?? 0) === 0) return <p className="text-xs text-faint">{words.noUsage}</p>;
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-xs tabular-nums">
      {told.map(([label, count]) => (
        <Amount key={label} label={label} value={words.tokens(formats.count(count!))} />
      ))}
      {(usage.cost_usd ?? 0) > 0 && <Amount label={words.cost} value={formats.dollars(usage.cost_usd!)} />}
      <Amount label={words.turns} value={formats.count(turns)} />
    </dl>
  );
}

function Amount({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt className="text-faint">{label}</dt>
      <dd className="text-right">{value}</dd>
    </>
  );
}
