import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Badge, type Tone } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { homeWords } from '../home-words.ts';
import { ApprovalRow } from './approval-row.tsx';
import { type HomeRow, ROW_KINDS } from './home-rows.ts';
import type { ShownRow } from './linger.ts';
import { SessionRow } from './session-row.tsx';

const TONES: Record<HomeRow['kind'], Tone> = { waiting: 'warn', failed: 'bad', unread: 'accent', running: 'busy' };

const TITLES: Record<HomeRow['kind'], string> = {
  waiting: 'text-lg font-semibold',
  failed: 'text-base font-semibold',
  unread: 'text-sm font-medium text-soft',
  running: 'text-sm font-medium text-soft',
};
/** What is to be decided or mended is a card each; the rest shares one that keeps to the ground. */
const LISTS: Record<HomeRow['kind'], string> = {
  waiting: 'flex flex-col gap-3',
  failed: 'flex flex-col gap-2',
  unread: 'rounded-lg border border-line',
  running: 'rounded-lg border border-line',
};

/** What needs people, in parts: the most urgent first. */
export function AttentionList({ shown }: { shown: readonly ShownRow[] }) {
  const words = homeWords.use();
  const read = useAction('markRead');
  const [isReading, setReading] = useState(false);
  const markAll = async (rows: readonly ShownRow[]) => {
    setReading(true);
    for (const { row } of rows)
      if (row.kind === 'unread')
        await read.mutateAsync({ sessionId: row.sessionId, seq: row.session.seq }).catch(() => {}); // It stays unread.
    setReading(false);
  };
  return ROW_KINDS.map((kind) => {
    const rows = shown.filter(({ row }) => row.kind === kind);
    if (rows.length === 0) return null;
    const waiting = rows.filter(({ isGone }) => !isGone);
    return (
      <section key={kind} aria-labelledby={`home-${kind}`} className="mb-6">
        <div className="mb-2 flex min-h-7 items-center gap-2">
          <h2 id={`home-${kind}`} className={TITLES[kind]}>
            {words[kind]}
          </h2>
          {waiting.length > 0 && <Badge tone={TONES[kind]}>{waiting.length}</Badge>}
          {kind === 'unread' && waiting.length > 1 && (
            <Button
              size="small"
              look="quiet"
              className="ml-auto"
              isBusy={isReading}
              onClick={() => void markAll(waiting)}
            >
              {words.markAllRead}
            </Button>
          )}
        </div>
        <ul className={LISTS[kind]}>
          {rows.map(({ row, isGone }) =>
            row.kind === 'waiting' ? (
              <ApprovalRow key={row.key} approval={row.approval} session={row.session} isGone={isGone} />
            ) : (
              <SessionRow key={row.key} kind={row.kind} session={row.session} isGone={isGone} />
            ),
          )}
        </ul>
      </section>
    );
  });
}
