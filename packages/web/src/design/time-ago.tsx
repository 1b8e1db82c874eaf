import { useSyncExternalStore } from 'react';
import { useFormats } from '../words/formats.ts';

const EVERY_MS = 20_000;
/** One clock for the whole page: everything that says how long ago moves on together, every 20 seconds. */
const clock = { now: Date.now(), listeners: new Set<() => void>(), timer: undefined as number | undefined };

/** The moment, as often as it matters to people. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read, read);
}

function read(): number {
  // Where nothing was on the page that told the time, the clock stood still.
  if (clock.timer === undefined && Date.now() - clock.now > EVERY_MS) clock.now = Date.now();
  return clock.now;
}

function subscribe(listener: () => void): () => void {
  clock.listeners.add(listener);
  clock.timer ??= window.setInterval(() => {
    clock.now = Date.now();
    for (const each of clock.listeners) each();
  }, EVERY_MS);
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size > 0) return;
    clearInterval(clock.timer);
    clock.timer = undefined;
  };
}

interface TimeAgoProps {
  at: number;
  /** The sentence that it stands in. */
  say?: (ago: string) => string;
  className?: string;
}

/** How long ago something was; the exact moment for who points at it. */
export function TimeAgo({ at, say = (ago) => ago, className }: TimeAgoProps) {
  const formats = useFormats();
  const now = Math.max(useNow(), at);
  return (
    <time dateTime={new Date(at).toISOString()} title={formats.moment(at)} className={className}>
      {say(formats.ago(at, now))}
    </time>
  );
}
