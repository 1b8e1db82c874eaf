import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Badge, type Tone } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Panel } from '../../../design/page.tsx';
import { homeWords } from '../home-words.ts';
import { ApprovalRow } from './approval-row.tsx';
import { type HomeRow, ROW_KINDS } from './home-rows.ts';
import type { ShownRow } from './linger.ts';
import { SessionRow } from './session-row.tsx';

const TONES: Record<HomeRow['kind'], Tone> = { waiting: 'warn', failed: 'bad', unread: 'accent', running: 'busy' };

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
          <h2 id={`home-${kind}`} className="text-sm font-semibold">
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
        <Panel>
          <ul className="divide-y divide-line">
            {rows.map(({ row, isGone }) =>
              row.kind === 'waiting' ? (
                <ApprovalRow key={row.key} approval={row.approval} session={row.session} isGone={isGone} />
              ) : (
                <SessionRow key={row.key} kind={row.kind} session={row.session} isGone={isGone} />
              ),
            )}
          </ul>
        </Panel>
      </section>
    );
  });
}
