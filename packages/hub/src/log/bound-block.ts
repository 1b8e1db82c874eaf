import type { HubEvent } from '@dragoman/protocol';

/** An event of a block holds no more than this. Agents cut what tools say far earlier, and no model writes as much at once. */
export const MOST_EVENT_CHARS = 2_000_000;
/** Texts that are shorter are not cut. */
const SHORT_CHARS = 10_000;

type OfBlock = Extract<HubEvent, { blockId: string }>;

/** A block that is too large to be read with others: its long texts are cut, and where that does not help it says so itself. */
export function boundBlock<Event extends OfBlock>(event: Event): Event {
  const left = { chars: MOST_EVENT_CHARS / 2 };
  const cut = cutTexts(event, left) as Event;
  if (!('block' in cut) || JSON.stringify(cut).length <= MOST_EVENT_CHARS) return cut;
  const text = 'What stood here was too large to be kept.';
  return { ...cut, block: { type: 'notice', level: 'warning', text } };
}

/** A value with its long texts cut so that together they have no more than is left. */
function cutTexts(value: unknown, left: { chars: number }): unknown {
  if (typeof value === 'string') {
    if (value.length <= SHORT_CHARS) return value;
    const kept = Math.max(SHORT_CHARS, Math.min(value.length, left.chars));
    left.chars -= kept;
    return kept === value.length ? value : `${value.slice(0, kept).replace(/[\uD800-\uDBFF]$/, '')}\n…`;
  }
  if (Array.isArray(value)) return value.map((entry) => cutTexts(entry, left));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, cutTexts(entry, left)]));
}
