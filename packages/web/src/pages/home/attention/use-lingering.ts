import { useEffect, useMemo, useRef, useState } from 'react';
import type { HomeRow } from './home-rows.ts';
import { linger, type ShownRow, withoutRepeats } from './linger.ts';

/** How long a row stays when it is settled. */
const LINGER_MS = 6000;

/** The rows as they are shown; see `linger`. */
export function useLingering(rows: readonly HomeRow[]): readonly ShownRow[] {
  const [state, setState] = useState<{ rows: readonly HomeRow[]; shown: ShownRow[] }>({ rows: [], shown: [] });
  if (state.rows !== rows) setState({ rows, shown: linger(state.shown, rows) });
  const timers = useRef(new Map<string, number>());

  useEffect(() => {
    for (const { row, isGone } of state.shown) {
      if (!isGone || timers.current.has(row.key)) continue;
      const leave = () => {
        timers.current.delete(row.key);
        setState((now) => ({ ...now, shown: now.shown.filter((one) => !one.isGone || one.row.key !== row.key) }));
      };
      timers.current.set(row.key, window.setTimeout(leave, LINGER_MS));
    }
  }, [state.shown]);

  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running.values()) clearTimeout(timer);
      running.clear();
    };
  }, []);

  return useMemo(() => withoutRepeats(state.shown), [state.shown]);
}
