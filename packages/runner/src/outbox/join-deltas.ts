import type { OutboxRecord } from '@dragoman/protocol';

/** How records may be joined; see `joinDeltas`. */
export interface JoinOptions {
  /** The last command that is known to be carried out before these records; undefined when none is known. */
  handled: number | undefined;
  /** Whether pieces may be put together: only where these records never travelled in another arrangement. */
  joinsPieces: boolean;
}

/**
 * The same records with fewer bytes. Pieces of a block that ends further on are left out, since the end has the whole of
 * it; other pieces of a block are put into the last of them.
 *
 * Every record has a number that the hub counts, so none may be missing: in place of one that is left out stands what
 * the hub knows already, the last command that was carried out. Putting pieces together moves text to a later number.
 * Had the hub part of these records already, it would be given that text twice; leaving out what a whole block repeats is
 * safe even then.
 */
export function joinDeltas(records: readonly OutboxRecord[], options: JoinOptions): readonly OutboxRecord[] {
  const handled = handledAt(records, options.handled);
  const joined = [...records];
  const ended = new Set<string>();
  /** Where the pieces of a block go, and the pieces, the last one first. */
  const open = new Map<string, { at: number; record: EventRecord; deltas: string[] }>();
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at]!;
    const handledHere = handled[at];
    if (!isEvent(record) || !('blockId' in record.event) || handledHere === undefined) continue;
    const { event } = record;
    const block = `${record.sessionId} ${event.blockId}`;
    if (event.type === 'block-stop') ended.add(block);
    if (event.type !== 'block-delta') continue;
    const later = open.get(block);
    if (ended.has(block)) joined[at] = { handled: handledHere };
    else if (!options.joinsPieces) continue;
    else if (later === undefined) open.set(block, { at, record, deltas: [event.delta] });
    else {
      later.deltas.push(event.delta);
      joined[at] = { handled: handledHere };
    }
  }
  for (const { at, record, deltas } of open.values())
    if (deltas.length > 1 && record.event.type === 'block-delta')
      joined[at] = { ...record, event: { ...record.event, delta: deltas.toReversed().join('') } };
  return joined;
}

type EventRecord = Extract<OutboxRecord, { event: unknown }>;

/** The last command that was carried out, at each record. */
function handledAt(records: readonly OutboxRecord[], before: number | undefined): (number | undefined)[] {
  let handled = before;
  return records.map((record) => {
    if (record !== null && 'handled' in record) handled = record.handled;
    return handled;
  });
}

/** A record that was damaged on disk is null. */
function isEvent(record: OutboxRecord | null): record is EventRecord {
  return record !== null && 'event' in record;
}
