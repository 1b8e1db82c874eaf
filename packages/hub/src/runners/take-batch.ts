import { setImmediate as nextTurn } from 'node:timers/promises';
import { DragomanError, type OutboxAck, type OutboxBatch, OutboxGapError, type OutboxRecord } from '@dragoman/protocol';
import { isPermanentStoreError, type StoreEngine } from '@dragoman/server/base';
import type { Transaction } from 'kysely';
import { storeEventAttachments } from '../attachments/store-event-attachments.ts';
import type { HubParts } from '../hub-parts.ts';
import type { HubTables } from '../hub-tables.ts';
import { LockedSession } from '../log/locked-session.ts';
import type { NewEvent } from '../log/session-change.ts';
import { type HeardEvent, settleLateEvents } from './late-events.ts';
import { readRecord } from './read-record.ts';
import { tellWorkElsewhere } from './work-elsewhere.ts';

type Parts = Pick<HubParts, 'log' | 'logger'>;

/** What was passed over, for the log of the program. */
interface PassedOver {
  unreadable: number;
  withoutSession: number;
  failed: number;
}

/** What a transaction takes at most: blocks are stored together, everything else is answered one by one. */
const MOST_WEIGHT = 500;
const WEIGHT_OF_BLOCK = 1;
const WEIGHT_OF_OTHERS = 10;
/** Everything that it asks about is held against the rules, so no other one is taken with it. */
const WEIGHT_OF_QUESTION = MOST_WEIGHT;

/** How long records are read before others get their turn. */
const TURN_MS = 5;

/**
 * Takes over what happened at a runner: events into the logs of their sessions, and how far its commands are carried
 * out. Each transaction also stores the number up to where the outbox is here, so a batch that comes twice is the same
 * as once. A long batch takes several of them, one after another, because nothing else is stored meanwhile.
 *
 * Numbers that are here already are ignored; a gap before them is refused with the number to go on from. A record is never
 * refused for what it says: what cannot be read, has no session on that runner, or cannot be stored is passed over.
 */
export async function takeBatch(parts: Parts, runnerId: string, batch: OutboxBatch): Promise<OutboxAck> {
  const records = await readRecords(batch.records);
  let from = 0;
  for (;;) {
    const until = endOfSlice(records, from);
    const slice = { outboxId: batch.outboxId, first: batch.first + from };
    const ack = await takeSlice(parts, runnerId, slice, records.slice(from, until));
    if (until === records.length) return ack;
    from = until;
    await nextTurn();
  }
}

async function readRecords(values: readonly unknown[]): Promise<(OutboxRecord | undefined)[]> {
  const records: (OutboxRecord | undefined)[] = [];
  let turnEnds = performance.now() + TURN_MS;
  for (const value of values) {
    records.push(readRecord(value));
    if (performance.now() < turnEnds) continue;
    await nextTurn();
    turnEnds = performance.now() + TURN_MS;
  }
  return records;
}

function endOfSlice(records: readonly (OutboxRecord | undefined)[], from: number): number {
  let weight = 0;
  let end = from;
  while (end < records.length && weight < MOST_WEIGHT) {
    weight += weightOf(records[end++]);
  }
  return end;
}

function weightOf(record: OutboxRecord | undefined): number {
  if (record === undefined) return WEIGHT_OF_BLOCK;
  if (!('event' in record)) return WEIGHT_OF_OTHERS;
  if (record.event.type === 'approval-asked') return WEIGHT_OF_QUESTION;
  return 'blockId' in record.event ? WEIGHT_OF_BLOCK : WEIGHT_OF_OTHERS;
}

type Slice = Pick<OutboxBatch, 'outboxId' | 'first'>;

async function takeSlice(
  parts: Parts,
  runnerId: string,
  batch: Slice,
  records: Attempt['records'],
): Promise<OutboxAck> {
  const attempt: Attempt = { records, isCareful: false, isAtRecords: false };
  try {
    return await takeRecords(parts, runnerId, batch, attempt);
  } catch (error) {
    if (!attempt.isAtRecords || !isPermanentStoreError(error)) throw error;
    return takeRecords(parts, runnerId, batch, { ...attempt, isCareful: true });
  }
}

interface Attempt {
  records: readonly (OutboxRecord | undefined)[];
  /** One of them cannot be stored: each is tried alone. */
  isCareful: boolean;
  /** It came so far that only a record can be wrong, not the call. */
  isAtRecords: boolean;
}

async function takeRecords(
  { log, logger }: Parts,
  runnerId: string,
  { outboxId, first }: Slice,
  attempt: Attempt,
): Promise<OutboxAck> {
  const { records, isCareful } = attempt;
  const sessionIds = new Set(records.flatMap((record) => (record && 'sessionId' in record ? [record.sessionId] : [])));
  const passedOver: PassedOver = { unreadable: 0, withoutSession: 0, failed: 0 };
  const acked = await log.changeMany(sessionIds, async (sessions, db) => {
    Object.assign(passedOver, { unreadable: 0, withoutSession: 0, failed: 0 });
    const runner = await lockRunner(db, log.engine, runnerId);
    if (runner.outbox_id !== outboxId)
      throw new DragomanError('conflict', `The runner ${runnerId} has another outbox by now; it must connect again.`);
    if (first > runner.acked + 1) throw new OutboxGapError(runner.acked);
    const fresh = records.slice(runner.acked + 1 - first);
    if (fresh.length === 0) return runner.acked;
    attempt.isAtRecords = true;

    const { events, handled } = sortRecords(fresh, runner, passedOver);
    if (handled > runner.handled) await noteHandled(db, runnerId, handled);
    const news: { session: LockedSession; events: NewEvent[] }[] = [];
    for (const [sessionId, own] of events) {
      const session = sessions.get(sessionId);
      if (session?.session.runner_id !== runnerId) {
        passedOver.withoutSession += own.length;
        if (session !== undefined) news.push({ session, events: await tellWorkElsewhere(session, runner, own) });
      } else if (isCareful) passedOver.failed += await appendEach(session, own);
      else news.push({ session, events: await withAttachments(session, await settleLateEvents(session, own)) });
    }
    await LockedSession.appendToAll(news);
    const reached = runner.acked + fresh.length;
    await db.updateTable('hub_runners').set({ acked: reached }).where('id', '=', runnerId).execute();
    return reached;
  });
  if (passedOver.unreadable + passedOver.withoutSession + passedOver.failed > 0)
    logger.warn({ runnerId, ...passedOver }, 'records of a runner were passed over');
  return { acked };
}

async function lockRunner(db: Transaction<HubTables>, engine: StoreEngine, runnerId: string) {
  const query = db
    .selectFrom('hub_runners')
    .select(['id', 'name', 'outbox_id', 'acked', 'handled', 'commanded'])
    .where('id', '=', runnerId);
  const runner = await (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
  if (runner === undefined)
    throw new DragomanError('not-found', `There is no runner ${runnerId}; it must connect first.`);
  return runner;
}

function sortRecords(
  records: readonly (OutboxRecord | undefined)[],
  { commanded, ...before }: { commanded: number; handled: number },
  passedOver: PassedOver,
): { events: Map<string, HeardEvent[]>; handled: number } {
  const events = new Map<string, HeardEvent[]>();
  let { handled } = before;
  for (const record of records) {
    if (record === undefined) passedOver.unreadable += 1;
    else if ('handled' in record) {
      // A number beyond what was ever commanded says nothing.
      if (record.handled <= commanded) handled = Math.max(handled, record.handled);
    } else {
      const heard = { at: record.at, event: record.event, handled };
      const own = events.get(record.sessionId);
      if (own === undefined) events.set(record.sessionId, [heard]);
      else own.push(heard);
    }
  }
  return { events, handled };
}

/** What was carried out is not sent again. */
async function noteHandled(db: Transaction<HubTables>, runnerId: string, handled: number): Promise<void> {
  await db.updateTable('hub_runners').set({ handled }).where('id', '=', runnerId).execute();
  await db.deleteFrom('hub_commands').where('runner_id', '=', runnerId).where('number', '<=', handled).execute();
}

async function withAttachments(session: LockedSession, events: readonly NewEvent[]): Promise<NewEvent[]> {
  const stored: NewEvent[] = [];
  for (const { at, event } of events)
    stored.push({ at, event: await storeEventAttachments(session.db, session.session.id, event) });
  return stored;
}

/** Each event alone, so that one that cannot be stored takes no other along. Says how many could not. */
async function appendEach(session: LockedSession, events: readonly HeardEvent[]): Promise<number> {
  let failed = 0;
  for (const event of events) {
    try {
      await session.attempt(async () =>
        session.append(await withAttachments(session, await settleLateEvents(session, [event]))),
      );
    } catch (error) {
      if (!isPermanentStoreError(error)) throw error;
      failed += 1;
    }
  }
  return failed;
}
