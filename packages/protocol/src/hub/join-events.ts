import { addToBlock } from '../uap/add-to-block.ts';
import type { HubEventOf, LoggedHubEvent } from './hub-event.ts';

/**
 * Fewer events that say the same: a whole block in place of its pieces, and one delta in place of many.
 *
 * What takes the place of others stands under the last of their numbers and tells with `since` where the block was opened,
 * so a reader that was anywhere in between goes on from there. A block that has not ended becomes one `block-start` with
 * everything so far. Events that nothing is joined with stay the same objects.
 *
 * For a list that nobody has read yet, or for all rows of a block: when it is stopped, and when its turn ends without that,
 * where the turn's end closes it. Not for some rows of a block without its first: there
 * the deltas are joined into one that a reader in between would take twice.
 */
export function joinEvents(events: Iterable<LoggedHubEvent>): LoggedHubEvent[] {
  const joined: (LoggedHubEvent | undefined)[] = [];
  const blocks = new Map<string, BlockSoFar>();
  for (const logged of events) {
    const { event } = logged;
    if (event.type !== 'block-start' && event.type !== 'block-delta' && event.type !== 'block-stop') {
      joined.push(logged);
      continue;
    }
    const before = blocks.get(event.blockId);
    const { shown, kept, isInPlace } = joinedWith(before?.whole, logged as OfBlock);
    const places = before?.places ?? [];
    if (isInPlace) for (const place of places.splice(0)) joined[place] = undefined;
    places.push(joined.length);
    joined.push(shown);
    blocks.set(event.blockId, { whole: kept, places });
  }
  return joined.filter((logged) => logged !== undefined);
}

type Whole = HubEventOf<'block-start' | 'block-stop'>;
type OfBlock = LoggedHubEvent & { event: Whole | HubEventOf<'block-delta'> };

interface BlockSoFar {
  /** What the block is by now. */
  whole: OfBlock;
  /** Where it stands in the list. */
  places: number[];
}

interface Joined {
  /** What stands in the list. */
  shown: OfBlock;
  /** What later pieces are joined with. */
  kept: OfBlock;
  /** It says everything that was said of the block before. */
  isInPlace: boolean;
}

function joinedWith(before: OfBlock | undefined, logged: OfBlock): Joined {
  const { event } = logged;
  if (before === undefined) return inPlace(logged);
  if (event.type === 'block-stop') return inPlace(opened(before, { ...logged, event }));
  // A block that has ended is only changed by another end; what else is said of it is passed over by every reader.
  if (before.event.type === 'block-stop') return { shown: logged, kept: before, isInPlace: false };
  if (event.type === 'block-delta') return inPlace({ ...logged, event: extended(before, event.delta) });
  if (before.event.type === 'block-delta') return { shown: logged, kept: logged, isInPlace: false };
  return inPlace(opened(before, { ...logged, event }));
}

function inPlace(logged: OfBlock): Joined {
  return { shown: logged, kept: logged, isInPlace: true };
}

/** A block stays in the message and at the place where it was opened. */
function opened(before: OfBlock, logged: LoggedHubEvent & { event: Whole }): OfBlock {
  if (before.event.type === 'block-delta') return logged;
  const { messageId, role } = before.event;
  const [first, later] = [sinceOf(before, before.event), sinceOf(logged, logged.event)];
  return { ...logged, event: { ...logged.event, messageId, role, since: later.seq < first.seq ? later : first } };
}

function extended(before: OfBlock, delta: string): OfBlock['event'] {
  const { event } = before;
  if (event.type === 'block-delta') return { ...event, delta: event.delta + delta };
  const since = sinceOf(before, event);
  if (event.block.type !== 'tool_use' || event.type === 'block-stop')
    return { ...event, block: addToBlock(event.block, delta), since };
  return { ...event, inputText: (event.inputText ?? '') + delta, since };
}

function sinceOf({ seq, at }: LoggedHubEvent, event: Whole): { seq: number; at: number } {
  return event.since ?? { seq, at };
}
