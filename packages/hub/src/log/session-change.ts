import type { HubEvent, LoggedHubEvent } from '@dragoman/protocol';
import type { Transaction } from 'kysely';
import type { HubTables } from '../hub-tables.ts';

/** An event on its way into the log, which gives it its number. */
export interface NewEvent {
  at: number;
  event: HubEvent;
}

export type SessionRow = HubTables['hub_sessions'];

/**
 * One session inside a transaction: its row is locked, so nobody else changes the session until the transaction ends.
 *
 * A transaction that meets another one in a deadlock is run again from its start, so what is done here must stay within
 * `db`; what the world is told goes into `afterCommit`.
 */
export interface SessionChange {
  /** Everything that is written through it is in the same transaction. */
  readonly db: Transaction<HubTables>;
  /** The row as it is now, with everything in it that was appended. */
  readonly session: Readonly<SessionRow>;
  /** What was just stored, where this is a reaction to it; empty otherwise. */
  readonly events: readonly LoggedHubEvent[];
  /** More events of the same session in the same transaction; they are reacted to as well. */
  append(events: readonly NewEvent[]): Promise<void>;
  /** Sets columns that no event tells of, or corrects what was counted from events. */
  set(columns: Partial<Omit<SessionRow, 'id' | 'seq'>>): Promise<void>;
  /** Called once everything is stored for good; not at all where the transaction fails. */
  afterCommit(work: () => void): void;
}

/** Called inside the transaction after events were stored, when anything but blocks is among them. */
export type React = (change: SessionChange) => Promise<void>;
