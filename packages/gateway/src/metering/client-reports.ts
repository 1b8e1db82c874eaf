import { newId } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import { redactText } from '@dragoman/protocol/secrets';
import type { UsageTables } from './usage-tables.ts';

/** Enough to see what a client stumbles over. */
const KEPT = 50;
const MAX_MESSAGE = 500;
/** Enough for a secret that begins within the message to be seen whole. */
const MAX_READ = 10_000;

export interface ClientReport {
  at: number;
  userName: string;
  message: string;
}

/** What clients say went wrong on their side. The newest are kept, without secrets. */
export class ClientReports {
  readonly #db: Kysely<UsageTables> | undefined;
  readonly #onError: (error: unknown) => void;

  constructor(db: Kysely<UsageTables> | undefined, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /** Returns at once; the client that reports is not made to wait. */
  add(userName: string, body: unknown): void {
    const said = (body as { sanitized_message?: unknown } | null)?.sanitized_message;
    const read = typeof said === 'string' ? said.slice(0, MAX_READ) : 'an error without a message';
    const message = redactText(read).text.slice(0, MAX_MESSAGE);
    if (this.#db === undefined) return;
    void this.#store(this.#db, { id: newId('rep'), at: Date.now(), user_name: userName, message }).catch(this.#onError);
  }

  async list(): Promise<ClientReport[]> {
    if (this.#db === undefined) return [];
    const rows = await this.#db.selectFrom('client_reports').selectAll().orderBy('id', 'desc').limit(KEPT).execute();
    return rows.map(({ at, user_name: userName, message }) => ({ at, userName, message }));
  }

  async #store(db: Kysely<UsageTables>, row: UsageTables['client_reports']): Promise<void> {
    await db.insertInto('client_reports').values(row).execute();
    const oldest = await db
      .selectFrom('client_reports')
      .select('id')
      .orderBy('id', 'desc')
      .offset(KEPT)
      .limit(1)
      .executeTakeFirst();
    if (oldest !== undefined) await db.deleteFrom('client_reports').where('id', '<=', oldest.id).execute();
  }
}
