import type { KeyboardEvent } from 'react';

/** In a list of buttons the arrow keys move, as Tab does; Home and End go to its ends. */
export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')];
  const now = rows.indexOf(document.activeElement as HTMLElement);
  if (now === -1) return;
  const next = targetOf(event.key, now, rows.length);
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  rows[next]?.focus();
}

function targetOf(key: string, now: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(now + 1, count - 1);
    case 'ArrowUp':
      return Math.max(now - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
