import type { OutboxItem } from './outbox-item.ts';

const PREFIX = 'outbox.';
/** What a browser keeps for one origin is about five million characters. */
const MOST_CHARS = 2_000_000;
const MOST_ITEMS = 200;

/** What the browser has no room for; it lives as long as the page. */
const unkept = new Map<string, OutboxItem>();
const listeners = new Set<() => void>();
let shown: readonly OutboxItem[] | undefined;

/** Everything that waits in this browser, whoever did it, the oldest first. The same list until something changes. */
export function outboxItems(): readonly OutboxItem[] {
  shown ??= [...readKept(), ...unkept.values()].toSorted((one, other) => one.at - other.at);
  return shown;
}

/** Whether it would be there after the page was loaded again. */
export function isKept({ id }: OutboxItem): boolean {
  return !unkept.has(id);
}

/** Keeps something, or what has become of it, over a reload and for the other pages of this browser. */
export function putItem(item: OutboxItem): void {
  const text = JSON.stringify(item);
  const others = readKept().filter(({ id }) => id !== item.id);
  const chars = others.reduce((sum, other) => sum + JSON.stringify(other).length, text.length);
  unkept.delete(item.id);
  try {
    if (chars > MOST_CHARS || others.length >= MOST_ITEMS) throw new Error('There is no room for it.');
    localStorage.setItem(PREFIX + item.id, text);
  } catch {
    unkept.set(item.id, item);
  }
  tell();
}

export function removeItem(id: string): void {
  unkept.delete(id);
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {
    // It was never kept.
  }
  tell();
}

/** Calls when something is there, or is gone, in this page or another one. */
export function whenOutboxChanges(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  shown = undefined;
  for (const listener of listeners) listener();
}

function readKept(): OutboxItem[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .flatMap((key) => readItem(localStorage.getItem(key)));
  } catch {
    return []; // Storage is turned off.
  }
}

/** Anything may stand there: an older console wrote it, or a person did. */
function readItem(text: string | null): OutboxItem[] {
  try {
    const item = JSON.parse(text ?? 'null') as Partial<OutboxItem> | null;
    const isWhole = [item?.id, item?.userId, item?.call, item?.input?.sessionId].every(
      (one) => typeof one === 'string',
    );
    return isWhole && typeof item?.at === 'number' ? [item as OutboxItem] : [];
  } catch {
    return [];
  }
}

// Parts of the console are also drawn where there is no window: in tests.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(PREFIX)) tell();
  });
