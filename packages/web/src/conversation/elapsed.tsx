import { useSyncExternalStore } from 'react';
import { useFormats } from '../words/formats.ts';

/** One clock for everything that runs: it ticks every second, and only while something does. */
const clock = { now: Date.now(), listeners: new Set<() => void>(), timer: undefined as number | undefined };

function subscribe(listener: () => void): () => void {
  clock.listeners.add(listener);
  clock.now = Date.now();
  clock.timer ??= window.setInterval(() => {
    clock.now = Date.now();
    for (const each of clock.listeners) each();
  }, 1000);
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size > 0) return;
    clearInterval(clock.timer);
    clock.timer = undefined;
  };
}

function now(): number {
  return clock.now;
}

/** How long something has been going on, second by second. The clocks of the two machines may differ a little. */
export function Elapsed({ since }: { since: number }) {
  const formats = useFormats();
  const ms = Math.max(0, useSyncExternalStore(subscribe, now, now) - since);
  return <>{formats.wholeSeconds(ms < 1000 ? 1000 : Math.floor(ms / 1000) * 1000)}</>;
}
