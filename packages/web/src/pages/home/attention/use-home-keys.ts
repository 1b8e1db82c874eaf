import { useEffect, useRef } from 'react';
import type { RowKeys } from './row-keys.ts';

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/**
 * Keys of the home page: j and k (or the arrows) move between rows, letters act on the row that has the focus. Whoever is writing, or has a dialog open, is left alone.
 */
export function useHomeKeys(keysOf: ReadonlyMap<string, RowKeys>): void {
  const last = useRef(-1);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isElsewhere(event)) return;
      if (event.key in STEPS) {
        if (!moveBy(STEPS[event.key]!, last)) return;
      } else {
        const row = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
        const act = row === undefined ? undefined : keysOf.get(row)?.[event.key as keyof RowKeys];
        if (act === undefined) return;
        act();
      }
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [keysOf]);
}

/** Focuses the next row, from where the focus is or was last. */
function moveBy(step: number, last: { current: number }): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  if (rows.length === 0) return false;
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const from = focused === -1 ? Math.min(last.current, rows.length) - (step > 0 && last.current >= 0 ? 1 : 0) : focused;
  const to = Math.max(0, Math.min(rows.length - 1, from + step));
  last.current = to;
  const link = rows[to]!.querySelector<HTMLElement>('[data-row-link]');
  link?.focus();
  rows[to]!.scrollIntoView({ block: 'nearest' });
  return true;
}

function isElsewhere({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return true;
  if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role="menu"]'))
    return true;
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
