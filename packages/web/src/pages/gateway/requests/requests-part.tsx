import type { RequestInfo } from '@dragoman/protocol/console';
import { Lock, Pause, Play } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useIsAdmin, useMe } from '../../../api/me.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { TextField } from '../../../design/field.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { useFormats } from '../../../words/formats.ts';
import { CountersPanel } from './counters.tsx';
import { filterRequests, MOST_KEPT, type RequestFilter } from './request-log.ts';
import { RequestList } from './request-list.tsx';
import { requestsWords } from './requests-words.ts';
import { type LiveRequests, useRequests } from './use-requests.ts';

/** The log of requests as they end, with what was counted above it. */
export function RequestsPart() {
  const isAdmin = useIsAdmin();
  const isKnown = useMe() !== undefined;
  return (
    <>
      <CountersPanel />
      {isAdmin ? <RequestLog /> : isKnown && <NotForYou />}
    </>
  );
}

function NotForYou() {
  const words = requestsWords.use();
  return (
    <Panel>
      <EmptyState icon={<Lock size={28} aria-hidden />} title={words.adminTitle}>
        {words.admin}
      </EmptyState>
    </Panel>
  );
}

function RequestLog() {
  const words = requestsWords.use();
  const formats = useFormats();
  const live = useRequests();
  /** What was there when it was paused; nothing while it goes on. */
  const [held, setHeld] = useState<readonly RequestInfo[]>();
  const [filter, setFilter] = useState<RequestFilter>({ text: '', onlyErrors: false });
  const all = held ?? live.requests;
  const shown = useMemo(() => (all === undefined ? undefined : filterRequests(all, filter)), [all, filter]);
  return (
    <Section
      title={words.title}
      about={words.about}
      actions={<StreamBadge live={live} isPaused={held !== undefined} />}
    >
      {live.error !== undefined && (
        <div className="mb-3">
          <Failure error={live.error} onRetry={live.retry} />
        </div>
      )}
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        <TextField
          label={words.find}
          isLabelHidden
          type="search"
          placeholder={words.findHint}
          className="min-w-0 flex-1 basis-52"
          value={filter.text}
          onChange={({ target }) => setFilter({ ...filter, text: target.value })}
        />
        <label className="flex h-8 items-center gap-1.5 text-xs text-soft">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={filter.onlyErrors}
            onChange={({ target }) => setFilter({ ...filter, onlyErrors: target.checked })}
          />
          {words.onlyErrors}
        </label>
        <PauseButton requests={live.requests} held={held} setHeld={setHeld} />
      </div>
      <RequestList requests={shown} isFiltered={shown?.length !== all?.length} />
      {all !== undefined && shown !== undefined && all.length > 0 && (
        <p className="mt-1.5 text-xs text-faint">
          {words.countShown(formats.count(shown.length), formats.count(all.length))}
          {all.length === MOST_KEPT && ` · ${words.cut(formats.count(MOST_KEPT))}`}
        </p>
      )}
    </Section>
  );
}

function StreamBadge({ live, isPaused }: { live: LiveRequests; isPaused: boolean }) {
  const words = requestsWords.use();
  if (isPaused || live.error !== undefined) return null;
  return live.state === 'live' ? (
    <Badge tone="good" icon={<span aria-hidden className="size-1.5 animate-breathe rounded-full bg-good" />}>
      {words.live}
    </Badge>
  ) : (
    <Badge>{words.connecting}</Badge>
  );
}

interface PauseButtonProps {
  requests: readonly RequestInfo[] | undefined;
  held: readonly RequestInfo[] | undefined;
  setHeld: (held: readonly RequestInfo[] | undefined) => void;
}

function PauseButton({ requests, held, setHeld }: PauseButtonProps) {
  const words = requestsWords.use();
  const formats = useFormats();
  const waiting = useMemo(() => {
    if (held === undefined || requests === undefined) return 0;
    const known = new Set(held.map(({ id }) => id));
    return requests.filter(({ id }) => !known.has(id)).length;
  }, [requests, held]);
  if (held === undefined)
    return (
      <Button
        icon={<Pause size={14} aria-hidden />}
        disabled={requests === undefined}
        onClick={() => setHeld(requests)}
      >
        {words.pause}
      </Button>
    );
  return (
    <Button look="primary" icon={<Play size={14} aria-hidden />} onClick={() => setHeld(undefined)}>
      {waiting === 0 ? words.goOnPlain : words.goOn(formats.count(waiting))}
    </Button>
  );
}
