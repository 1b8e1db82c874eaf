import { useSyncExternalStore } from 'react';
import { useFormats } from '../words/formats.ts';

const EVERY_MS = 1000;
/** One clock for everything that runs: it ticks every second, and only while something does. */
const clock = { now: Date.now(), listeners: new Set<() => void>(), timer: undefined as number | undefined };

function subscribe(listener: () => void): () => void {
  clock.listeners.add(listener);
  clock.now = Date.now();
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

function now(): number {
  // Where nothing ran, the clock stood still.
  if (clock.timer === undefined && Date.now() - clock.now > EVERY_MS) clock.now = Date.now();
  return clock.now;
}

/** The moment, second by second. */
export function useSeconds(): number {
  return useSyncExternalStore(subscribe, now, now);
}

/** How long something has been going on, second by second. The clocks of the two machines may differ a little. */
export function Elapsed({ since }: { since: number }) {
  const formats = useFormats();
  const ms = Math.max(0, useSeconds() - since);
  return <>{formats.wholeSeconds(ms < 1000 ? 1000 : Math.floor(ms / 1000) * 1000)}</>;
}
