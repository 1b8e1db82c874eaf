import type { AccessTables, StoreEngine } from '@dragoman/server/base';
import type { Kysely } from 'kysely';
import type { HubLog } from '../hub-log.ts';
import type { HubTables } from '../hub-tables.ts';
import { deliverPush, type PushMessage, type PushOutcome } from './deliver-push.ts';
import { findRecipients, type Recipient } from './find-recipients.ts';
import type { PushTransport } from './post-push.ts';
import type { PushNote } from './push-note.ts';
import { pushText, testText } from './push-text.ts';
import type { SessionReaders } from './session-readers.ts';
import { openVapidKeys } from './vapid-store.ts';

type Tables = HubTables & AccessTables;

/** What sending needs. */
export interface PusherOptions {
  db: Kysely<Tables>;
  engine: StoreEngine;
  readers: SessionReaders;
  /** The public address of the server, where it has one; push services want to know whom to write to. */
  publicUrl: () => string | undefined;
  now: () => number;
  logger: HubLog;
  transport: PushTransport;
}

/** So many notes are taken at once, so many browsers are sent to at the same time, and so many wait for that. */
const NOTES_AT_ONCE = 20;
const SENT_AT_ONCE = 16;
const MOST_WAITING = 2_000;
/** What could not be sent for so long is no news. */
const STALE_MS = 10 * 60_000;
const DAY_SECONDS = 86_400;
/** For services of a server without an address of its own. */
const NOBODY = 'mailto:nobody@dragoman.invalid';

/**
 * Notifies browsers of what was noted for them, beside everything else that goes on.
 *
 * A note is sent by the process that takes its row out of the table, so of several processes one sends it. One that ends in
 * that moment sends nothing: a notification less is better than one too many.
 */
export class Pusher {
  readonly #options: PusherOptions;
  readonly #closing = new AbortController();
  readonly #waiting: { target: Recipient; message: PushMessage }[] = [];
  readonly #sending = new Set<Promise<void>>();
  #working: Promise<void> | undefined;
  #isRung = false;

  constructor(options: PusherOptions) {
    this.#options = options;
  }

  get transport(): PushTransport {
    return this.#options.transport;
  }

  /** There may be something to send. */
  wake(): void {
    this.#isRung = true;
    if (this.#closing.signal.aborted) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#isRung) this.wake();
    });
  }

  /** Sends a notification to one browser, to see whether that works. */
  async test(recipient: Recipient): Promise<PushOutcome> {
    const message = { text: testText(recipient.language), ttlSeconds: 60, urgency: 'high' } as const;
    return this.#deliver(recipient, message, []);
  }

  /** Sends nothing more. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#waiting.length = 0;
    await this.#working;
    await Promise.all(this.#sending);
  }

  async #work(): Promise<void> {
    try {
      while (this.#isRung && !this.#closing.signal.aborted) {
        this.#isRung = false;
        for (let notes = await this.#takeNotes(); notes.length > 0; notes = await this.#takeNotes())
          for (const note of notes) await this.#notify(note.session_id, JSON.parse(note.note_json) as PushNote);
      }
    } catch (err) {
      if (!this.#closing.signal.aborted) this.#options.logger.warn({ err }, 'browsers could not be notified');
    }
  }

  /** Whoever deletes a row has it. */
  async #takeNotes(): Promise<HubTables['hub_push_notes'][]> {
    const { db, engine, now } = this.#options;
    if (this.#closing.signal.aborted) return [];
    const rows = await db
      .deleteFrom('hub_push_notes')
      .where('id', 'in', (query) => {
        const next = query.selectFrom('hub_push_notes').select('id').orderBy('id').limit(NOTES_AT_ONCE);
        return engine === 'postgres' ? next.forUpdate().skipLocked() : next;
      })
      .returningAll()
      .execute();
    const fresh = rows.filter(({ created_at }) => created_at > now() - STALE_MS);
    // What was taken and is stale must not end the search for more.
    return rows.length > 0 && fresh.length === 0
      ? this.#takeNotes()
      : fresh.toSorted((one, two) => (one.id < two.id ? -1 : 1));
  }

  async #notify(sessionId: string, note: PushNote): Promise<void> {
    const { db, readers, now, logger } = this.#options;
    try {
      const session = await db.selectFrom('hub_sessions').selectAll().where('id', '=', sessionId).executeTakeFirst();
      const ttlSeconds = await this.#ttlOf(sessionId, note, now());
      if (session === undefined || ttlSeconds <= 0) return;
      const urgency = note.kind === 'finished' ? 'normal' : 'high';
      for (const target of await findRecipients({ db, readers, now }, session, note)) {
        const text = pushText(note, session, target.language);
        this.#waiting.push({ target, message: { text, ttlSeconds, urgency, topic: sessionId } });
      }
      const lost = this.#waiting.splice(0, this.#waiting.length - MOST_WAITING).length;
      if (lost > 0) logger.warn({ lost }, 'push services are too slow; notifications were dropped');
      this.#sendNext();
    } catch (err) {
      if (!this.#closing.signal.aborted) logger.warn({ err, sessionId }, 'browsers could not be notified of a session');
    }
  }

  /** How long it is worth knowing; an approval only while it waits. */
  async #ttlOf(sessionId: string, note: PushNote, now: number): Promise<number> {
    if (note.kind !== 'approval') return DAY_SECONDS;
    const row = await this.#options.db
      .selectFrom('hub_approvals')
      .select('expires_at')
      .where('session_id', '=', sessionId)
      .where('id', '=', note.approvalId)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    return row === undefined ? 0 : Math.min(DAY_SECONDS, Math.ceil((row.expires_at - now) / 1000));
  }

  /** A service that does not answer holds up one place of many, and nobody else. */
  #sendNext(): void {
    while (this.#sending.size < SENT_AT_ONCE && this.#waiting.length > 0) {
      const { target, message } = this.#waiting.shift()!;
      const sending = this.#deliver(target, message, this.transport.retryMs)
        .then(() => {})
        .catch((err: unknown) => {
          if (!this.#closing.signal.aborted)
            this.#options.logger.warn({ err, subscriptionId: target.id }, 'a browser could not be notified');
        })
        .finally(() => {
          this.#sending.delete(sending);
          this.#sendNext();
        });
      this.#sending.add(sending);
    }
  }

  async #deliver(target: Recipient, message: PushMessage, retryMs: readonly number[]): Promise<PushOutcome> {
    const { db, publicUrl, now } = this.#options;
    const url = publicUrl();
    const subject = url?.startsWith('https:') === true ? url : NOBODY;
    const { post } = this.transport;
    const delivery = { target, vapid: await openVapidKeys(db), subject, post, retryMs, now };
    const outcome = await deliverPush(message, delivery, this.#closing.signal);
    await this.#note(target, outcome);
    return outcome;
  }

  async #note({ id, last_error }: Recipient, outcome: PushOutcome): Promise<void> {
    const { db } = this.#options;
    const error = outcome.type === 'failed' ? outcome.error : null;
    if (outcome.type === 'gone') await db.deleteFrom('hub_push_subscriptions').where('id', '=', id).execute();
    else if (error !== last_error)
      await db.updateTable('hub_push_subscriptions').set({ last_error: error }).where('id', '=', id).execute();
  }
}
